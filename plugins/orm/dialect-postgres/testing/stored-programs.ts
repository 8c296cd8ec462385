import type { StoredPrograms } from '../../contract/habits.js';

const NOTES = `CREATE TABLE notes (body varchar(40)); CREATE TABLE noted (body varchar(40));`;
const BODY = `INSERT INTO noted VALUES (CASE WHEN NEW.body = 'a;b' THEN 'begin; end' ELSE NEW.body END);`;

/** Migrations with stored programs, as somebody writes them for this database. */
export const PROGRAMS: readonly StoredPrograms[] = [
  {
    up: `/* a comment; /* in another; */ */ ${NOTES}
      CREATE FUNCTION note_it() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN ${BODY} INSERT INTO noted VALUES (E'it\\'s; done'); RETURN NEW; END; $body$;
      CREATE TRIGGER note_it AFTER INSERT ON notes FOR EACH ROW EXECUTE FUNCTION note_it();
      CREATE PROCEDURE note(given text) LANGUAGE sql BEGIN ATOMIC INSERT INTO notes VALUES (given); END;
      CALL note('a;b'); -- done;`,
    down: 'DROP PROCEDURE note; DROP TABLE notes; DROP FUNCTION note_it; DROP TABLE noted;',
  },
];
