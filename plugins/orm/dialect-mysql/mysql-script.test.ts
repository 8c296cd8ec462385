import { describe, expect, test } from '@jest/globals';
import { splitsHostileScripts } from '../../../kernel/testing/hostile-script.js';
import { scriptPortions, scriptStatements } from './mysql-script.js';

const TRIGGER = `CREATE TRIGGER noted BEFORE INSERT ON notes FOR EACH ROW
BEGIN
  IF NEW.body IS NULL THEN SET NEW.body = ';'; END IF;
  SET NEW.size = CASE WHEN NEW.size < 0 THEN 0 ELSE NEW.size END;
END`;

describe('a script for MySQL', () => {
  test('is sent statement by statement', () => {
    expect(scriptPortions('CREATE TABLE a (x int);\n\nINSERT INTO a VALUES (1)\n;;')).toEqual([
      'CREATE TABLE a (x int)',
      'INSERT INTO a VALUES (1)',
    ]);
  });

  test.each([
    ['single quotes', `SELECT ';', 'it''s;', 'a\\';b', '\\\\'`],
    ['double quotes', `SELECT ";", "a"";b", "a\\";b"`],
    ['backquotes', 'SELECT `a;b`, `a``;b`'],
    ['a comment of dashes', 'SELECT 1 -- one; two\n, 2'],
    ['a comment of a hash', "SELECT 1 # it's; one\n, 2"],
    ['a comment between stars', "SELECT /* it's; \n one */ 1"],
    ['a comment that is executed', "SELECT /*!50003 ';', */ 1"],
  ])('takes a semicolon in %s for text', (_what, statement) => {
    expect(scriptPortions(`${statement};\nSELECT 2`)).toEqual([statement, 'SELECT 2']);
  });

  test('takes dashes without a space behind them for minus signs', () => {
    expect(scriptPortions('SELECT 5--3; SELECT 2')).toEqual(['SELECT 5--3', 'SELECT 2']);
  });

  test('leaves out what is a comment and nothing more', () => {
    expect(scriptPortions('-- nothing;\n# at all\n/* here; */\n')).toEqual([]);
    expect(scriptPortions('SELECT 1;\r\n-- done\r\n')).toEqual(['SELECT 1']);
    expect(scriptPortions('/*!40101 SET NAMES utf8mb4 */;')).toEqual(['/*!40101 SET NAMES utf8mb4 */']);
  });

  test('heeds DELIMITER as the client of MySQL does', () => {
    const sql = `SELECT 1;\nDELIMITER $$\n${TRIGGER}$$\nDROP TABLE a; DROP TABLE b $$\n  delimiter ;\nSELECT 2;`;
    expect(scriptPortions(sql)).toEqual(['SELECT 1', TRIGGER, 'DROP TABLE a; DROP TABLE b', 'SELECT 2']);
  });

  test('takes the word in the midst of a statement for a name', () => {
    const table = 'CREATE TABLE formats (\n  delimiter char(1) DEFAULT ";",\n  name text\n)';
    expect(scriptPortions(`${table};SELECT 1`)).toEqual([table, 'SELECT 1']);
  });

  test.each([
    ['a trigger', TRIGGER],
    ['a procedure', 'create or replace procedure p()\nbegin select 1; select 2; end'],
    ['a function', 'CREATE DEFINER = `a`@`%` FUNCTION f() RETURNS int BEGIN RETURN 1; END'],
    ['an event', '-- nightly\nCREATE EVENT e ON SCHEDULE EVERY 1 DAY DO BEGIN DELETE FROM a; DELETE FROM b; END'],
    ['a block', 'BEGIN NOT ATOMIC SELECT 1; SELECT 2; END'],
  ])('leaves it to the server where %s ends', (_what, program) => {
    expect(scriptPortions(`SELECT 0;\n${program};\nSELECT 3;`)).toEqual(['SELECT 0', `${program};\nSELECT 3;`]);
    expect(scriptPortions(`${program};\nDELIMITER //\nSELECT 3//`)).toEqual([`${program};`, 'SELECT 3']);
  });

  test.each([
    ['CREATE TABLE a (x int)', { several: false, transaction: 'own', ofSession: false }],
    [`-- rows\nINSERT INTO a VALUES (';')`, { several: false, transaction: 'shared', ofSession: false }],
    ['(SELECT 1)', { several: false, transaction: 'shared', ofSession: false }],
    ['SET @a = 1', { several: false, transaction: 'shared', ofSession: true }],
    [
      'SET STATEMENT max_statement_time = 1 FOR ALTER TABLE a ADD y int',
      { several: false, transaction: 'own', ofSession: false },
    ],
    [
      '/*M! SET STATEMENT a = 0 FOR */ ALTER TABLE a ADD y int',
      { several: false, transaction: 'own', ofSession: false },
    ],
    ['CALL p()', { several: false, transaction: 'own', ofSession: false }],
    [`${TRIGGER};`, { several: true, transaction: 'own', ofSession: false }],
  ])('is told apart by what a failure leaves: %s', (sql, told) => {
    expect(scriptStatements(sql)).toEqual([{ sql, ...told }]);
  });

  test('with a delimiter has one stored program, or statements of which nobody knows how far they came', () => {
    expect(scriptStatements(`DELIMITER $$\n${TRIGGER}$$\nINSERT INTO a VALUES (1); DELETE FROM b$$`)).toEqual([
      { sql: TRIGGER, several: false, transaction: 'own', ofSession: false },
      { sql: 'INSERT INTO a VALUES (1); DELETE FROM b', several: true, transaction: 'own', ofSession: false },
    ]);
  });

  test('is read in a time that grows with its length', () => {
    const processorTime = (times: number) => {
      const comments = '-- a comment of several words   \r\n'.repeat(times * 250);
      const rows = `INSERT INTO a VALUES ('${'x'.repeat(50)}');\n`.repeat(times * 600);
      const from = process.cpuUsage();
      expect(scriptPortions(comments + rows)).toHaveLength(times * 600);
      const { user, system } = process.cpuUsage(from);
      return user + system;
    };
    // The least of several: a reading of milliseconds costs many times as much when memory is collected meanwhile.
    const least = (times: number) => Math.min(...Array.from({ length: 7 }, () => processorTime(times)));
    // 256 times as long, were it to grow with the square.
    expect(least(16) / least(1)).toBeLessThan(96);
  });

  test('with anything between quotes and in comments has the statements that were written', () => {
    const escaped = (text: string, quote: string) => quote + text.replace(/[\\'"]/g, '\\$&') + quote;
    splitsHostileScripts(scriptPortions, {
      quoted: {
        text: (text) => escaped(text, "'"),
        other: (text) => escaped(text, '"'),
        doubled: (text) => `'${text.replaceAll('\\', '').replaceAll("'", "''")}'`,
        name: (text) => `1 AS \`${text.replaceAll('`', '``')}\``,
        line: (text) => `-- ${text.replace(/[\r\n]/g, ' ')}\n 1`,
        hash: (text) => `# ${text.replace(/[\r\n]/g, ' ')}\n 1`,
        comment: (text) => `/* ${text.replace(/[/*]/g, '')} ; */ 1`,
      },
      pieces: ["'", '"', '\\', ';', '$$', '`', '--', '-- ', '\n', 'DELIMITER ', '\ndelimiter $$\n', 'BEGIN', ' case ', ' end ', '#', '/*!', 'é'], // prettier-ignore
    });
  });
});
