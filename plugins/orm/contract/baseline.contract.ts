import { expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModelInfo, open } from '../index.js';
import { runMigrateCommand } from '../migrations/index.js';
import { introspect } from '../schema/index.js';
import { migrateCall } from './migrate-call.js';
import type { Subject } from './subject.js';

/** What a database has that no model says, as far as a migration can make it anew. */
interface OwnSchema {
  readonly statements: readonly string[];
  /** Tables of models, each with a column called id. */
  readonly tables: readonly string[];
  readonly views?: readonly string[];
  /** Queries that give all of it in the words of the database. */
  readonly words: readonly string[];
}

/** Requirement on the first migration of a database that is there: elsewhere it makes the same, also what no model says. */
export function baselineContract(
  { name, dialect, create }: Pick<Subject, 'name' | 'dialect' | 'create'>,
  { statements, tables, views = [], words }: OwnSchema,
): void {
  const modelOf = (table: string, view?: string) =>
    new ModelInfo(class {}, {
      name: table,
      table,
      columns: [{ property: 'id', column: 'id', kind: 'int', primaryKey: true }],
      ...(view !== undefined && { view }),
    });
  const models = [...tables.map((table) => modelOf(table)), ...views.map((view) => modelOf(view, 'SELECT 1 AS id'))];

  test(`a baseline of ${name} makes elsewhere what is there, with what no model says`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fw-baseline-'));
    const made = [await create(), await create()] as const;
    const [first, second] = [open(made[0].handle, dialect), open(made[1].handle, dialect)] as const;
    const run = (db: typeof first, subcommand: string) =>
      runMigrateCommand({ db, root: folder, folder, request: migrateCall(subcommand), models, print: () => undefined });
    try {
      for (const statement of statements) await first.sqlDB().script(statement);
      const told = async (db: typeof first) => {
        const rows = [];
        for (const sql of words) rows.push(await db.sqlDB().query(sql, []));
        const own = await introspect(db, models);
        return { rows, tables: own.filter((table) => models.some((model) => model.table === table.name)) };
      };
      const there = await told(first);
      expect(there.tables).toHaveLength(models.length);
      await run(first, 'baseline');
      await run(second, 'up');
      expect(await told(second)).toEqual(there);
    } finally {
      for (const db of [first, second]) await db.close();
      for (const { drop } of made) await drop();
      rmSync(folder, { recursive: true });
    }
  }, 240_000);
}
