import { describe, expect, test } from '@jest/globals';
import { splitsHostileScripts } from '../../../kernel/testing/hostile-script.js';
import { scriptStatements } from './sqlserver-script.js';

describe('a script for SQL Server', () => {
  test('is sent statement by statement, and batch by batch', () => {
    expect(scriptStatements('CREATE TABLE a (x int);\nINSERT INTO a VALUES (1)\nGO\n SELECT 1;\n go \n;')).toEqual([
      'CREATE TABLE a (x int)',
      'INSERT INTO a VALUES (1)',
      'SELECT 1',
    ]);
  });

  test.each([
    ['quotes', `SELECT 'it''s;', 'C:\\', N'begin'`],
    ['a quoted name', 'SELECT "a;b", [a;b], [end]'],
    ['a comment of dashes', "SELECT 1 -- it's; one\n, 2"],
    ['nested comments', 'SELECT /* a; /* b; */ case */ 1'],
    ['CASE', 'SELECT CASE WHEN a = 1 THEN 2 ELSE 3 END FROM t'],
    ['a block', 'IF 1 = 1 BEGIN SELECT 1; BEGIN TRY SELECT 2; END TRY BEGIN CATCH THROW; END CATCH; END'],
    ['a variable', 'DECLARE @begin int'],
    ['a transaction', 'BEGIN TRANSACTION'],
  ])('keeps %s whole', (_what, statement) => {
    expect(scriptStatements(`${statement};\nSELECT 2`)).toEqual([statement, 'SELECT 2']);
  });

  test('takes a module to the end of its batch', () => {
    const trigger =
      '-- why\nCREATE OR ALTER TRIGGER noted ON notes AFTER INSERT AS\nSET NOCOUNT ON;\nINSERT INTO log SELECT body FROM inserted;';
    expect(scriptStatements(`SELECT 1;\n${trigger}\nGO\nSELECT 2;`)).toEqual(['SELECT 1', trigger, 'SELECT 2']);
  });

  test('leaves out what is a comment and nothing more', () => {
    expect(scriptStatements('-- nothing\nGO\nSELECT 1;\n/* done */')).toEqual(['SELECT 1']);
  });

  test('with anything between quotes and in comments has the statements that were written', () => {
    splitsHostileScripts(scriptStatements, {
      quoted: {
        text: (text) => `N'${text.replaceAll("'", "''")}'`,
        name: (text) => `1 AS [${text.replaceAll(']', ']]')}]`,
        other: (text) => `1 AS "${text.replaceAll('"', '""')}"`,
        line: (text) => `-- ${text.replace(/[\r\n]/g, ' ')}\n 1`,
        comment: (text) => `/* ${text.replace(/[/*]/g, '')} /* ; */ */ 1`,
      },
      pieces: [
        "'",
        '"',
        '[',
        ']',
        ';',
        '--',
        '\n',
        '\nGO\n',
        ' begin ',
        ' case ',
        ' end ',
        '@begin',
        'BEGIN TRAN',
        'é',
      ],
    });
  });
});
