import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDbPull } from '../db-pull/index.js';
import { open, type Database } from '../index.js';
import { openSqlite, sqlite } from './index.js';

describe('fw db pull of a SQLite file made elsewhere', () => {
  let db: Database;
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fw-times-'));
    db = open(await openSqlite(':memory:'), sqlite);
  });
  afterEach(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });

  const pulled = async (columns: string, ...rows: readonly string[]) => {
    await db.sqlDB().script(`CREATE TABLE events (id INTEGER PRIMARY KEY, ${columns})`);
    for (const row of rows) await db.sqlDB().script(`INSERT INTO events VALUES (NULL, ${row})`);
    const lines: string[] = [];
    expect(await runDbPull({ db, root: folder, folder, print: (line) => lines.push(line) })).toBe(0);
    const warnings = lines.filter((line) => line.startsWith('warning'));
    return { declared: readFileSync(join(folder, 'event.ts'), 'utf8'), warnings };
  };

  test.each([
    ['YYYY-MM-DD', ["'2021-01-02'", "'1969-12-31'"]],
    ['YYYY-MM-DD hh:mm', ["'2021-01-02 10:00'"]],
    ['YYYY-MM-DD hh:mm:ss', ["'2021-01-02 00:00:00'", 'NULL', "'2021-12-31 23:59:59'"]],
    ['YYYY-MM-DD hh:mm:ss.SSS', ["'2021-01-02 00:00:00.000'"]],
    ['YYYY-MM-DD hh:mm:ss.SSS +00:00', ["'2021-01-02 00:00:00.123 +00:00'"]],
    ['YYYY-MM-DD hh:mm:ss.SSSSSS', ["'2021-01-02 00:00:00.123456'", "'2021-01-02 00:00:00.000000'"]],
    ['YYYY-MM-DD hh:mm:ss[.SSSSSS]', ["'2021-01-02 00:00:00.123456'", "'2021-01-02 00:00:00'"]],
    ['YYYY-MM-DDThh:mm:ssZ', ["'2021-01-02T00:00:00Z'"]],
    ['YYYY-MM-DDThh:mm:ss', ["'2021-01-02T00:00:00'"]],
    ['YYYY-MM-DDThh:mm:ss+hh:mm', ["'2021-01-02T00:00:00Z'", "'2021-01-02T00:00:00+02:00'"]],
    [
      'YYYY-MM-DD hh:mm:ss[.SSSSSSSSS]+hh:mm',
      ["'2021-01-02 00:00:00+00:00'", "'2021-01-03 00:00:00.123456789-07:00'", "'2021-01-04 00:00:00.1+00:00'"],
    ],
    ['unix', ['1609545600', '1609545601', '12']],
    ['unixms', ['1609545600000', '1609545600001']],
    ['unixreal', ['1609545600.25', '1609545601']],
    ['julian', ['2459216.5', '2459217']],
  ])('declares what a column holds: %s', async (format, values) => {
    const { declared, warnings } = await pulled('at DATETIME', ...values);
    // The type stays what it is where a column of ours would have another.
    expect(declared.replace(',sql=DATETIME', '')).toContain(`@db('at,format=${format}')\n  at!: Date | null;`);
    expect(warnings).toEqual([]);
  });

  test('says nothing of what this dialect writes itself', async () => {
    const { declared } = await pulled('at DATETIME NOT NULL', "'2021-01-02T00:00:00.000Z'");
    expect(declared).toContain("@db('at')\n  at!: Date;");
  });

  test.each([
    ['YYYY-MM-DD hh:mm:ss', 'CURRENT_TIMESTAMP'],
    ['YYYY-MM-DD', 'CURRENT_DATE'],
    ['unix', '(unixepoch())'],
    ['unix', "(strftime('%s', 'now'))"],
    ['julian', "(julianday('now'))"],
  ])('takes the format of a table without rows from its default: %s of %s', async (format, fallback) => {
    const { declared, warnings } = await pulled(`at DATETIME NOT NULL DEFAULT ${fallback}`);
    expect(declared.replace(',sql=DATETIME', '')).toContain(`@db('at,format=${format},default=now')`);
    expect(warnings).toEqual([]);
  });

  test.each([
    [
      'several values of two forms, each of which is named once',
      ["'2021-01-02'", "'2021-03-04'", "'2021-01-02 00:00:00'", "'2021-05-06 07:08:09'"],
      'as YYYY-MM-DD ("2021-01-02"), as YYYY-MM-DD hh:mm:ss ("2021-01-02 00:00:00"), which no one format reads',
    ],
    ['two forms', ["'2021-01-02'", "'2021-01-02 00:00:00'"], 'as YYYY-MM-DD ("2021-01-02"), as YYYY-MM-DD hh:mm:ss'],
    ['seconds and milliseconds', ['1609545600', '1609545600000'], 'as unix (1609545600), as unixms (1609545600000)'],
    ['texts and numbers', ["'2021-01-02'", '1609545600'], 'as unix (1609545600), as YYYY-MM-DD'],
    ['no times', ["'soon'"], 'as "soon"'],
    ['numbers that may be anything', ['12', '13'], 'as 12, as 13'],
    ['an offset and none', ["'2021-01-02T00:00:00'", "'2021-01-02T00:00:00+02:00'"], 'as YYYY-MM-DDThh:mm:ss ('],
  ])('tells, and does not guess, where a column holds %s', async (_what, values, told) => {
    const { declared, warnings } = await pulled('at DATETIME', ...values);
    expect(declared).toContain("@db('at')\n");
    expect(warnings).toEqual([expect.stringContaining(`events.at holds times ${told}`)]);
    expect(declared).toContain(`// - events.at holds times ${told}`);
  });
});
