import type { StoredPrograms } from '../../contract/habits.js';

const NOTES = `CREATE TABLE notes (body varchar(40)); CREATE TABLE noted (body varchar(40));`;
const BODY = `INSERT INTO noted VALUES (CASE WHEN NEW.body = 'a;b' THEN 'begin; end' ELSE NEW.body END);`;

const COMPOUND = `CREATE TRIGGER note_it AFTER INSERT ON notes FOR EACH ROW
BEGIN
  IF NEW.body = 'a;b' THEN ${BODY} END IF;
  INSERT INTO noted VALUES ('it\\'s; done');
END`;

/** Migrations with stored programs, as somebody writes them for this database. */
export const PROGRAMS: readonly StoredPrograms[] = [
  {
    up: `# a comment; of two\n${NOTES}\n${COMPOUND};
      CREATE PROCEDURE note(given varchar(40)) INSERT INTO notes VALUES (given);\nCALL note('a;b');\n-- done;\n`,
    down: 'DROP PROCEDURE note; DROP TABLE notes; DROP TABLE noted; -- done',
  },
  {
    up: `${NOTES}\nDELIMITER $$\n${COMPOUND}$$\nDELIMITER ;\nINSERT INTO notes VALUES ('a;b');`,
    down: 'DROP TABLE notes; DROP TABLE noted;',
  },
];
