import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCodegen } from '../../../codegen/engine/index.js';
import { runDbPull } from '../db-pull/index.js';
import { Column, model, ModelInfo, raw, type Database, type NativeType } from '../core/index.js';
import { diffSchema, introspect } from '../schema/index.js';
import type { Subject } from './subject.js';
import { makeProject, mistakesIn } from './pulled-project.js';
import { withTables } from './with-tables.js';

/** How a database is asked about values of its types, for {@link nativeTypesContract}. */
export interface NativeWords {
  /** A counted key. */
  readonly id: string;
  /** A value of a type as SQL. */
  literal(value: string, type: string): string;
  /** A column as text in which nothing is lost. */
  text(quotedColumn: string): string;
  /** The server, as the rows of the table call it. */
  readonly server: string;
}

type Row = Record<string, unknown>;

const TEXTS: ReadonlySet<string> = new Set(['string', 'text', 'interval', 'plainTime', 'decimal', 'uuid']);

/** Every type that a real database has by itself: pulled, read, written back and compared. */
export function nativeTypesContract({ name, dialect, create }: Subject, words: NativeWords): void {
  const types = dialect.schema.introspection.nativeTypes.filter(({ of }) => of?.includes(words.server) ?? true);
  const columnOf = (native: NativeType) => `c${types.indexOf(native)}`;
  describe(`native types of ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'fw-native-'));
    let db: Database;
    let info: ModelInfo;
    const lines: string[] = [];
    const cellsOf = async (on: Database): Promise<readonly (readonly unknown[])[]> => {
      const texts = types.map((native) => words.text(columnOf(native)));
      return on.sqlDB().query(`SELECT id, ${texts.join(', ')} FROM natives ORDER BY id`, []);
    };

    withTables(create, dialect, [], (opened) => (db = opened));

    beforeAll(async () => {
      const columns = types.map((native) => `${columnOf(native)} ${native.declared ?? native.type} NULL`);
      await db
        .sqlDB()
        .script(`CREATE TABLE natives (id ${words.id}, ${columns.join(', ')})${dialect.schema.tableOptions ?? ''}`);
      const most = Math.max(...types.map(({ values }) => values.length));
      for (let at = 0; at < most; at++) {
        const valued = types.filter(({ values }) => values[at] !== undefined);
        const literals = valued.map((native) =>
          words.literal(native.values[at] as string, native.declared ?? native.type),
        );
        await db
          .sqlDB()
          .script(`INSERT INTO natives (${valued.map(columnOf).join(', ')}) VALUES (${literals.join(', ')})`);
      }
      expect(await runDbPull({ db, root: folder, folder, print: (line) => lines.push(line) })).toBe(0);
      await makeProject(folder);
      expect(await runCodegen({ root: folder })).toMatchObject({ ok: true, problems: [] });
      const generated = (await import(join(folder, 'generated/native.ts'))) as Readonly<Record<string, unknown>>;
      info = Object.values(generated).find((value) => value instanceof ModelInfo) as ModelInfo;
    }, 240_000);

    afterAll(() => rmSync(folder, { recursive: true }));

    test('each has a declaration that compiles, and is what the database is', async () => {
      expect(lines.filter((line) => line.startsWith('warning'))).toEqual([]);
      expect(readFileSync(join(folder, 'native.ts'), 'utf8')).not.toContain('What `fw db pull` could not say');
      expect(mistakesIn(folder)).toEqual([]);
      expect(diffSchema([info], await introspect(db), dialect)).toEqual({ up: [], down: [], warnings: [] });
    }, 240_000);

    test('each is read as its row says', async () => {
      const rows = (await model(db, info.target).orderBy({ column: 'id' }).find()) as Row[];
      for (const native of types) {
        expect([native.type, info.column(columnOf(native)).kind]).toEqual([
          native.type,
          native.type === 'enum' ? 'enum' : native.kind,
        ]);
        for (const row of rows)
          expect([native.type, isOfKind(native, row[columnOf(native)])]).toEqual([native.type, true]);
      }
      const raws = await db.sqlDB().query(`SELECT ${types.map(columnOf).join(', ')} FROM natives ORDER BY id`, []);
      types.forEach((native, at) => {
        if (TEXTS.has(native.kind))
          expect([native.type, rows.map((row) => row[columnOf(native)])]).toEqual([
            native.type,
            raws.map((row) => row[at]).map((value) => (value === null ? null : String(value))),
          ]);
      });
    });

    test('each is written back as it was read', async () => {
      const before = await cellsOf(db);
      const rows = await model(db, info.target).find();
      for (const row of rows) {
        const values = Object.fromEntries(Object.entries(row).filter(([key]) => key !== 'id'));
        await model(db, info.target)
          .where({ column: 'id', op: 'eq', value: (row as Row)['id'] })
          .updateAll(...Object.entries(values).map(([column, value]) => ({ column, value })));
      }
      expect(await cellsOf(db)).toEqual(before);
      for (const row of rows) delete (row as Row)['id'];
      for (const row of rows) await model(db, info.target).create(row);
      const after = await cellsOf(db);
      expect(after.slice(before.length).map(([, ...cells]) => cells)).toEqual(before.map(([, ...cells]) => cells));
      await model(db, info.target)
        .where(raw('id > :last', 'last', before.length))
        .delete();
    });

    test.each(types.map((native) => [native.type || 'no type', native] as const))(
      'of %s a value is found, or the row says why not',
      async (_type, native) => {
        const column = new Column<object, string, unknown>(info.column(columnOf(native)));
        const rows = (await model(db, info.target).where(column.isNotNull()).find()) as Row[];
        expect(rows.length).toBe(native.values.length);
        for (const row of rows) {
          const found = async () =>
            (await model(db, info.target)
              .where(column.eq(row[columnOf(native)]))
              .find()) as Row[];
          if (native.compared === undefined || native.compared.startsWith('by '))
            expect((await found()).map(({ id }) => id)).toContain(row['id']);
          else if (native.compared.startsWith('a double')) expect(await found()).toBeDefined();
          else await expect(found()).rejects.toMatchObject({ code: expect.stringMatching(/^FW_ORM_/) });
        }
      },
    );
  });
}

function isOfKind({ kind }: NativeType, value: unknown): boolean {
  if (value === null || kind === 'any' || kind === 'json') return true;
  if (kind === 'date') return value instanceof Date && !Number.isNaN(value.getTime());
  if (kind === 'bytes') return value instanceof Uint8Array;
  const expected = { int: 'number', float: 'number', bigint: 'bigint', boolean: 'boolean' } as const;
  return typeof value === (expected[kind as keyof typeof expected] ?? 'string');
}
