import { describe, expect, test } from '@jest/globals';
import { dialectCell, FEATURES, spelled } from '../contract/dialect-table.js';
import { writtenDefaultsContract } from '../contract/written-defaults.contract.js';
import { hostileValuesContract } from '../contract/hostile-values.contract.js';
import { RecordingHandle } from '../contract/recording-handle.js';
import { expectTsql } from '../contract/t-sql.js';
import { model, open, registerModel } from '../index.js';
import { sqlserver } from './sqlserver-dialect.js';

// The spelling of the SPEC ("ORM values", dialects), written out.
describe('SQL Server', () => {
  test('quotes names, and writes placeholders as specified [ORM-DIALECT-MSSQL-PLACEHOLDER]', async () => {
    expect(await spelled('find', sqlserver)).toBe('SELECT [id], [label] FROM [tags]');
    expect(await spelled('upsert by a key', sqlserver)).toContain('(VALUES (@p1, @p2))');
  });

  test('upserts as specified [ORM-DIALECT-MSSQL-UPSERT]', async () => {
    expect(await spelled('upsert by a key', sqlserver)).toMatch(/^MERGE INTO \[authors\] WITH \(HOLDLOCK\).*;$/s);
  });

  test('reads a generated key back as specified [ORM-DIALECT-MSSQL-RETURNING]', async () => {
    expect(await spelled('create', sqlserver)).toBe('INSERT INTO [tags] ([label]) OUTPUT INSERTED.[id] VALUES (@p1)');
  });

  test('locks for update [ORM-DIALECT-MSSQL-LOCK]', async () => {
    expect(await spelled('FOR UPDATE', sqlserver)).toBe(
      'SELECT [id] FROM [posts] WITH (UPDLOCK, ROWLOCK) WHERE [author_id] = @p1',
    );
  });

  test('limits as specified [ORM-DIALECT-MSSQL-LIMIT]', async () => {
    expect(await spelled('limit', sqlserver)).toBe(
      'SELECT TOP (@p1) [id] FROM [posts] WHERE [author_id] = @p2 ORDER BY [id]',
    );
  });

  test('gets bytes as bytes, also where a null takes their place', async () => {
    class Page {
      id!: number;
      bytes!: Uint8Array | null;
    }
    registerModel(Page, {
      name: 'Page',
      table: 'pages',
      columns: [
        { property: 'id', column: 'id', kind: 'int', primaryKey: true },
        { property: 'bytes', column: 'bytes', kind: 'bytes', nullable: true },
      ],
    });
    const handle = new RecordingHandle();
    for (const bytes of [null, new Uint8Array([1])])
      await model(open(handle, sqlserver), Page).create({ id: 1, bytes });
    const sql = 'INSERT INTO [pages] ([id], [bytes]) VALUES (@p1, CONVERT(varbinary(max), @p2))';
    expect(handle.sql).toEqual([sql, sql]);
    expectTsql(sql);
  });

  test('gets T-SQL that a parser of it accepts', async () => {
    for (const feature of FEATURES) {
      const cell = await dialectCell(feature, sqlserver);
      for (const sql of 'sql' in cell ? cell.sql : []) {
        expectTsql(sql);
        if (/\bOFFSET\b/.test(sql)) expect(sql).toMatch(/^(?!.*TOP \().*ORDER BY .* OFFSET @p\d+ ROWS/);
        if (sql.startsWith('MERGE')) expect(sql.endsWith(';')).toBe(true);
      }
    }
  });
});

hostileValuesContract(sqlserver, async () => ({ prepare: expectTsql, end: async () => undefined }), 15);

describe('on SQL Server', () => {
  writtenDefaultsContract(sqlserver, {
    'a long decimal': '12345678901234567.8900',
    'a decimal without a whole part': '0.5',
    true: '1',
    false: '0',
    'a day': "N'2024-05-06'",
    'a time': "N'2024-05-06T07:08:09.000'",
    now: 'SYSUTCDATETIME()',
    JSON: `N'{"a":1}'`,
    'no elements': "N'[]'",
    'an element': `N'["a"]'`,
    'a declared value': "N'b'''",
    'a long text': "N'it''s'",
    'a text': "N'it\\s'",
    'a new UUID for each row': 'NEWID()',
  });
});
