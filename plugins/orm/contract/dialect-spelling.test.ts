import { describe, expect, test } from '@jest/globals';
import { DIALECTS, FEATURES, dialectCell } from './dialect-table.js';

/** First statement of a feature on a dialect. */
async function spelled(feature: string, dialect: string): Promise<string> {
  const found = FEATURES.find(({ name }) => name === feature);
  const on = DIALECTS.find(({ name }) => name === dialect);
  if (!found || !on) throw new RangeError(`${feature} on ${dialect}`);
  const cell = await dialectCell(found, on);
  return 'sql' in cell ? (cell.sql[0] as string) : cell.unsupported;
}

describe('the four dialects', () => {
  test('are one interface, each with a quoting of its own [ORM-DIALECT-01, ORM-DIALECT-QUOTING, ORM-OVERVIEW-04]', async () => {
    expect(DIALECTS.map(({ name }) => name)).toEqual(['postgres', 'mysql', 'sqlite', 'sqlserver']);
    const quoted = DIALECTS.map(({ compiler }) => compiler.quoteName('name'));
    expect(quoted).toEqual(['"name"', '`name`', '"name"', '[name]']);
    const sent = await Promise.all(DIALECTS.map(({ name }) => spelled('find', name)));
    expect(sent).toEqual(
      quoted.map((sample) =>
        `SELECT id, label FROM tags`.replace(/id|label|tags/g, (name) => sample.replace('name', name)),
      ),
    );
  });

  test.each([
    { id: 'ORM-DIALECT-PG-PLACEHOLDER', dialect: 'postgres', placeholders: '("email", "age") VALUES ($1, $2)' },
    { id: 'ORM-DIALECT-MYSQL-PLACEHOLDER', dialect: 'mysql', placeholders: '(`email`, `age`) VALUES (?, ?)' },
    { id: 'ORM-DIALECT-SQLITE-PLACEHOLDER', dialect: 'sqlite', placeholders: '("email", "age") VALUES (?, ?)' },
    { id: 'ORM-DIALECT-MSSQL-PLACEHOLDER', dialect: 'sqlserver', placeholders: '(VALUES (@p1, @p2))' },
  ])('$dialect writes placeholders as specified [$id]', async ({ dialect, placeholders }) => {
    expect(await spelled('upsert by a key', dialect)).toContain(placeholders);
  });

  test.each([
    {
      id: 'ORM-DIALECT-PG-UPSERT',
      dialect: 'postgres',
      feature: 'upsert by a key',
      words: ' ON CONFLICT ("email") DO UPDATE SET ',
    },
    {
      id: 'ORM-DIALECT-MYSQL-UPSERT',
      dialect: 'mysql',
      feature: 'upsert by a key',
      words: ' ON DUPLICATE KEY UPDATE ',
    },
    {
      id: 'ORM-DIALECT-SQLITE-UPSERT',
      dialect: 'sqlite',
      feature: 'upsert without a key',
      words: 'INSERT OR REPLACE INTO ',
    },
    {
      id: 'ORM-DIALECT-MSSQL-UPSERT',
      dialect: 'sqlserver',
      feature: 'upsert by a key',
      words: 'MERGE INTO [authors] ',
    },
    { id: 'ORM-DIALECT-PG-RETURNING', dialect: 'postgres', feature: 'create', words: ' RETURNING "id"' },
    { id: 'ORM-DIALECT-MSSQL-RETURNING', dialect: 'sqlserver', feature: 'create', words: ' OUTPUT INSERTED.[id]' },
    { id: 'ORM-DIALECT-MYSQL-LOCK', dialect: 'mysql', feature: 'FOR UPDATE', words: ' FOR UPDATE' },
    { id: 'ORM-DIALECT-MSSQL-LOCK', dialect: 'sqlserver', feature: 'FOR UPDATE', words: ' WITH (UPDLOCK' },
    { id: 'ORM-DIALECT-MSSQL-LIMIT', dialect: 'sqlserver', feature: 'limit', words: 'SELECT TOP (@p1) ' },
  ])('$dialect spells "$feature" as specified [$id]', async ({ dialect, feature, words }) => {
    expect(await spelled(feature, dialect)).toContain(words);
  });

  test('PostgreSQL locks for update and for share [ORM-DIALECT-PG-LOCK]', async () => {
    expect(await spelled('FOR UPDATE', 'postgres')).toMatch(/ FOR UPDATE$/);
    expect(await spelled('FOR SHARE', 'postgres')).toMatch(/ FOR SHARE$/);
  });

  test('MySQL and SQLite are never sent RETURNING [ORM-DIALECT-MYSQL-RETURNING, ORM-DIALECT-SQLITE-RETURNING]', async () => {
    for (const { name } of FEATURES) {
      expect(await spelled(name, 'mysql')).not.toContain('RETURNING');
      expect(await spelled(name, 'sqlite')).not.toContain('RETURNING');
    }
  });

  test('SQLite is sent no lock [ORM-DIALECT-SQLITE-LOCK]', async () => {
    for (const { name } of FEATURES) expect(await spelled(name, 'sqlite')).not.toMatch(/ FOR |LOCK/);
  });
});
