import { describe, expect, test } from '@jest/globals';
import { splitsHostileScripts } from '../../../kernel/testing/hostile-script.js';
import { scriptStatements } from './postgres-script.js';

const textsOf = (sql: string) => scriptStatements(sql).map((each) => each.sql);

describe('a script for PostgreSQL', () => {
  test.each([
    ['single quotes', `SELECT ';', 'it''s;', '\\'`],
    ['quotes with escapes', `SELECT E'it\\'s; one', e'\\\\'`],
    ['double quotes', `SELECT 1 AS "a;b", 2 AS "a"";b"`],
    ['a comment of dashes', `SELECT 1 -- it's; two\n, 2`],
    ['comments within each other', `SELECT /* it's; /* one; */ ; */ 1`],
    ['dollar quotes', 'DO $$ BEGIN PERFORM 1; END; $$'],
    ['dollar quotes with a tag', `CREATE FUNCTION f() RETURNS text LANGUAGE sql AS $body$ SELECT '$$;'; $body$`],
    ['a body', 'CREATE PROCEDURE p() BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END'],
    ['a case', 'SELECT CASE WHEN true THEN 1 ELSE 2 END'],
    ['a parameter', `PREPARE p AS SELECT $1::text, 'a;b'`],
  ])('takes a semicolon in %s for text', (_what, statement) => {
    expect(textsOf(`${statement};\nSELECT 2`)).toEqual([statement, 'SELECT 2']);
  });

  test('leaves out what is a comment and nothing more', () => {
    expect(textsOf('-- nothing;\n/* here; */\n;;')).toEqual([]);
    expect(textsOf('SELECT 1; -- done')).toEqual(['SELECT 1']);
  });

  test.each([
    ['CREATE INDEX CONCURRENTLY a ON b (c)', 'none', false],
    ['-- beside the writers\ncreate unique index concurrently if not exists a on b (c)', 'none', false],
    ['DROP INDEX CONCURRENTLY a', 'none', false],
    ['REINDEX (VERBOSE) TABLE CONCURRENTLY a', 'none', false],
    ['ALTER TABLE a DETACH PARTITION b CONCURRENTLY', 'none', false],
    ['VACUUM a', 'none', false],
    ['CREATE INDEX a ON b (c)', 'shared', false],
    [`INSERT INTO a VALUES ('CREATE INDEX CONCURRENTLY')`, 'shared', false],
    [`SET search_path = 'own'`, 'shared', true],
    ['SET LOCAL lock_timeout = 1', 'shared', false],
  ] as const)('is told apart by the transaction that it runs in: %s', (sql, transaction, ofSession) => {
    expect(scriptStatements(sql)).toEqual([{ sql, several: false, transaction, ofSession }]);
  });

  test('with anything between quotes and in comments has the statements that were written', () => {
    const doubled = (text: string, quote: string) => quote + text.replaceAll(quote, quote + quote) + quote;
    splitsHostileScripts(textsOf, {
      quoted: {
        text: (text) => doubled(text, "'"),
        escaped: (text) => ` E'${text.replace(/[\\']/g, '\\$&')}'`,
        name: (text) => `1 AS ${doubled(text, '"')}`,
        dollars: (text) => ` $q1$${text.replaceAll('$q1$', '')}$q1$`,
        line: (text) => `-- ${text.replace(/[\r\n]/g, ' ')}\n 1`,
        comment: (text) => `/* ${text.replace(/\/\*|\*\/|[/*]/g, '')} /* ; */ */ 1`,
      },
      pieces: [
        "'",
        '"',
        '\\',
        ';',
        '$$',
        '$q$',
        '$1',
        '--',
        '\n',
        'BEGIN ATOMIC',
        ' case ',
        ' end ',
        "E'",
        '`',
        '#',
        'é',
      ],
    });
  });
});
