import { describe, expect, test } from '@jest/globals';
import { FEATURES, spelled } from '../contract/dialect-table.js';
import { writtenDefaultsContract } from '../contract/written-defaults.contract.js';
import { sqlite } from './sqlite-dialect.js';

// The spelling of the SPEC ("ORM values", dialects), written out.
describe('SQLite', () => {
  test('quotes names, and writes placeholders as specified [ORM-DIALECT-SQLITE-PLACEHOLDER]', async () => {
    expect(await spelled('find', sqlite)).toBe('SELECT "id", "label" FROM "tags"');
    expect(await spelled('upsert by a key', sqlite)).toContain('("email", "age") VALUES (?, ?)');
  });

  test('upserts as specified [ORM-DIALECT-SQLITE-UPSERT]', async () => {
    expect(await spelled('upsert without a key', sqlite)).toContain('INSERT OR REPLACE INTO ');
  });

  test('is sent RETURNING only where it is asked for [ORM-DIALECT-SQLITE-RETURNING]', async () => {
    expect(await spelled('create', sqlite)).toBe('INSERT INTO "tags" ("label") VALUES (?)');
    const asked = 'an update that gives its rows';
    for (const { name } of FEATURES)
      expect([name, (await spelled(name, sqlite)).includes('RETURNING')]).toEqual([name, name === asked]);
  });

  test('is sent no lock [ORM-DIALECT-SQLITE-LOCK]', async () => {
    expect(await spelled('FOR UPDATE', sqlite)).toBe('SELECT "id" FROM "posts" WHERE "author_id" = ?');
    for (const { name } of FEATURES) expect(await spelled(name, sqlite)).not.toMatch(/ FOR |LOCK/);
  });

  // Which releases would read EXISTS as a join stands in the compiler; the release that runs this test may not be one.
  test('keeps EXISTS from being made a join where rows are skipped, and only there', async () => {
    expect(await spelled('EXISTS a query, on a later page', sqlite)).toContain(' WHERE +EXISTS (SELECT ');
    expect(await spelled('EXISTS a query', sqlite)).toContain(' WHERE EXISTS (SELECT ');
  });
});

describe('on SQLite', () => {
  writtenDefaultsContract(sqlite, {
    'a long decimal': "'12345678901234567.8900'",
    'a decimal without a whole part': "'0.5'",
    true: '1',
    false: '0',
    'a day': "'2024-05-06T00:00:00.000Z'",
    'a time': "'2024-05-06T07:08:09.000Z'",
    now: "(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
    JSON: `'{"a":1}'`,
    'no elements': "'[]'",
    'an element': `'["a"]'`,
    'a declared value': "'b'''",
    'a long text': "'it''s'",
    'a text': "'it\\s'",
    'a new UUID for each row': /^\(lower\(hex\(randomblob\(4\)\)\) \|\| .*\)$/,
  });
});
