import { describe, expect, test } from '@jest/globals';
import { spelled } from '../contract/dialect-table.js';
import { writtenDefaultsContract } from '../contract/written-defaults.contract.js';
import { postgres } from './postgres-dialect.js';

// The spelling of the SPEC ("ORM values", dialects), written out.
describe('PostgreSQL', () => {
  test('quotes names, and writes placeholders as specified [ORM-DIALECT-PG-PLACEHOLDER]', async () => {
    expect(await spelled('find', postgres)).toBe('SELECT "id", "label" FROM "tags"');
    expect(await spelled('upsert by a key', postgres)).toContain('("email", "age") VALUES ($1, $2)');
  });

  test('upserts as specified [ORM-DIALECT-PG-UPSERT]', async () => {
    expect(await spelled('upsert by a key', postgres)).toContain(
      ' ON CONFLICT ("email") DO UPDATE SET "age" = excluded."age"',
    );
  });

  test('reads a generated key back as specified [ORM-DIALECT-PG-RETURNING]', async () => {
    expect(await spelled('create', postgres)).toBe('INSERT INTO "tags" ("label") VALUES ($1) RETURNING "id"');
  });

  test('limits as specified', async () => {
    expect(await spelled('limit', postgres)).toBe(
      'SELECT "id" FROM "posts" WHERE "author_id" = $1 ORDER BY "id" LIMIT $2',
    );
  });

  test('locks for update and for share [ORM-DIALECT-PG-LOCK]', async () => {
    expect(await spelled('FOR UPDATE', postgres)).toBe('SELECT "id" FROM "posts" WHERE "author_id" = $1 FOR UPDATE');
    expect(await spelled('FOR SHARE', postgres)).toMatch(/ FOR SHARE$/);
  });
});

describe('on PostgreSQL', () => {
  writtenDefaultsContract(postgres, {
    'a long decimal': '12345678901234567.8900',
    'a decimal without a whole part': '0.5',
    true: 'true',
    false: 'false',
    'a day': "'2024-05-06T00:00:00.000Z'",
    'a time': "'2024-05-06T07:08:09.000Z'",
    now: 'now()',
    JSON: `'{"a":1}'`,
    'no elements': "'{}'",
    'an element': `'{"a"}'`,
    'a declared value': "'b'''",
    'a long text': "'it''s'",
    'a text': "'it\\s'",
    'a new UUID for each row': 'gen_random_uuid()',
  });
});
