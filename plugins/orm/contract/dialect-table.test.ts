import { describe, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIALECTS, FEATURES, dialectCell, dialectPage } from './dialect-table.js';
import { expectTsql } from './t-sql.js';
import { sqlserver } from '../dialect-sqlserver/index.js';

const page = join(import.meta.dirname, '../../../docs/reference/dialects.md');

describe('the table of dialects', () => {
  test('is what the page shows, feature by feature', async () => {
    const made = await dialectPage();
    if (process.env['FW_UPDATE_DOCS'] === '1') writeFileSync(page, made);
    expect(readFileSync(page, 'utf8')).toBe(made);
  });

  test.each(
    FEATURES.flatMap((feature) => DIALECTS.map((dialect) => [feature.name, dialect.name, feature, dialect] as const)),
  )(
    '%s on %s has as many placeholders as parameters, or says why there is nothing',
    async (_feature, name, feature, dialect) => {
      const cell = await dialectCell(feature, dialect);
      if ('unsupported' in cell) return expect(cell.unsupported).not.toBe('');
      expect(cell.sql.length).toBeGreaterThan(0);
      cell.sql.forEach((sql, at) => {
        const pattern = { postgres: /\$\d+/g, sqlserver: /@p\d+/g }[name] ?? /\?/g;
        expect(sql.match(pattern) ?? []).toHaveLength(cell.parameters[at]?.length ?? 0);
        expect(sql).not.toMatch(/\bundefined\b|\bnull\b/);
      });
      if (/FOR |LOCKED|NOWAIT/.test(feature.name) && cell.note === undefined) expect(cell.sql[0]).toMatch(/FOR |LOCK/);
    },
  );

  // The spelling of the SPEC ("ORM values", dialects), written out.
  test.each([
    ['create', 'postgres', 'INSERT INTO "tags" ("label") VALUES ($1) RETURNING "id"'],
    ['create', 'mysql', 'INSERT INTO `tags` (`label`) VALUES (?)'],
    ['create', 'sqlite', 'INSERT INTO "tags" ("label") VALUES (?)'],
    ['create', 'sqlserver', 'INSERT INTO [tags] ([label]) OUTPUT INSERTED.[id] VALUES (@p1)'],
    ['limit', 'postgres', 'SELECT "id" FROM "posts" WHERE "author_id" = $1 ORDER BY "id" LIMIT $2'],
    ['limit', 'sqlserver', 'SELECT TOP (@p1) [id] FROM [posts] WHERE [author_id] = @p2 ORDER BY [id]'],
    ['FOR UPDATE', 'postgres', 'SELECT "id" FROM "posts" WHERE "author_id" = $1 FOR UPDATE'],
    ['FOR UPDATE', 'mysql', 'SELECT `id` FROM `posts` WHERE `author_id` = ? FOR UPDATE'],
    ['FOR UPDATE', 'sqlite', 'SELECT "id" FROM "posts" WHERE "author_id" = ?'],
    ['FOR UPDATE', 'sqlserver', 'SELECT [id] FROM [posts] WITH (UPDLOCK, ROWLOCK) WHERE [author_id] = @p1'],
    [
      'upsert by a key',
      'postgres',
      expect.stringContaining('ON CONFLICT ("email") DO UPDATE SET "age" = excluded."age"'),
    ],
    ['upsert by a key', 'mysql', expect.stringContaining('ON DUPLICATE KEY UPDATE `age` = VALUES(`age`)')],
    ['upsert by a key', 'sqlserver', expect.stringMatching(/^MERGE INTO \[authors\] WITH \(HOLDLOCK\).*;$/)],
  ])('%s on %s is spelled as specified', async (name, dialectName, expected) => {
    const feature = FEATURES.find((each) => each.name === name) as (typeof FEATURES)[number];
    const cell = await dialectCell(
      feature,
      DIALECTS.find((each) => each.name === dialectName) as (typeof DIALECTS)[number],
    );
    expect('sql' in cell && cell.sql[0]).toEqual(expected);
  });

  test('MySQL is never sent RETURNING, which MariaDB would take', async () => {
    for (const feature of FEATURES) {
      const cell = await dialectCell(feature, DIALECTS[1] as (typeof DIALECTS)[number]);
      if ('sql' in cell) expect(cell.sql.join()).not.toContain('RETURNING');
    }
  });

  test('SQL Server gets T-SQL that a parser of it accepts', async () => {
    for (const feature of FEATURES) {
      const cell = await dialectCell(feature, sqlserver);
      for (const sql of 'sql' in cell ? cell.sql : []) {
        expectTsql(sql);
        if (/\bOFFSET\b/.test(sql)) expect(sql).toMatch(/^(?!.*TOP \().*ORDER BY .* OFFSET @p\d+ ROWS/);
        if (sql.startsWith('MERGE')) expect(sql.endsWith(';')).toBe(true);
      }
    }
  }, 60_000);
});
