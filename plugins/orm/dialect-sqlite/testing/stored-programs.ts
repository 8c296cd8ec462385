import type { StoredPrograms } from '../../contract/habits.js';

const NOTES = `CREATE TABLE notes (body varchar(40)); CREATE TABLE noted (body varchar(40));`;
const BODY = `INSERT INTO noted VALUES (CASE WHEN NEW.body = 'a;b' THEN 'begin; end' ELSE NEW.body END);`;

/** Migrations with stored programs, as somebody writes them for this database. */
export const PROGRAMS: readonly StoredPrograms[] = [
  {
    up: `-- a comment; of two\n${NOTES}\nCREATE TRIGGER note_it AFTER INSERT ON notes BEGIN ${BODY}
      INSERT INTO noted VALUES ('it''s; done'); END; INSERT INTO notes VALUES ('a;b');`,
    down: 'DROP TABLE notes; DROP TABLE noted;',
  },
];
