import { describe, expect, test } from '@jest/globals';
import { model, registerModel, type ColumnDefinition, type Database } from '../index.js';
import { diffSchema, introspect } from '../schema/index.js';
import type { Subject } from './subject.js';
import { columnsOf } from './model-columns.js';
import { withTables } from './with-tables.js';

class Draft {
  id!: number;
  big!: bigint;
  price!: string;
  ratio!: number;
  count!: number;
  open!: boolean;
  shut!: boolean;
  since!: Date;
  state!: string;
  meta!: unknown;
  tags!: string[];
  ref!: string;
  madeAt!: Date;
  madeOn!: string;
  first!: string;
}

const columns: ColumnDefinition[] = [
  { property: 'id', column: 'id', kind: 'int', primaryKey: true, autoincrement: true },
  { property: 'big', column: 'big', kind: 'bigint', default: '-9007199254740993' },
  { property: 'price', column: 'price', kind: 'decimal', precision: 30, scale: 4, default: '12345678901234567.8901' },
  { property: 'ratio', column: 'ratio', kind: 'float', default: '1e-7' },
  { property: 'count', column: 'count', kind: 'int', default: '1e3' },
  { property: 'open', column: 'open', kind: 'boolean', default: 'True' },
  { property: 'shut', column: 'shut', kind: 'boolean', default: '0' },
  { property: 'since', column: 'since', kind: 'date', default: '2024-05-06 09:08:09+02' },
  { property: 'state', column: 'state', kind: 'enum', values: ['new', 'done'], default: 'new' },
  { property: 'meta', column: 'meta', kind: 'json', default: '{"b":1}' },
  { property: 'tags', column: 'tags', kind: 'array', element: 'string', default: '[]' },
  { property: 'ref', column: 'ref', kind: 'uuid', default: 'gen_random_uuid()' },
  { property: 'madeAt', column: 'made_at', kind: 'date', default: 'now' },
  { property: 'madeOn', column: 'made_on', kind: 'plainDate', default: 'today' },
  { property: 'first', column: 'first', kind: 'plainDate', default: '2024-02-29' },
];
registerModel(Draft, { name: 'Draft', table: 'drafts', columns });
const { since, madeAt } = columnsOf(Draft);

/** Defaults as the database fills them in, and times that it makes. */
export function defaultsContract({ name, dialect, create }: Subject): void {
  describe(`defaults on ${name}`, () => {
    let db: Database;
    const drafts = () => model(db, Draft);

    withTables(create, dialect, [Draft], (opened) => (db = opened));

    test('are filled in with every digit', async () => {
      const draft = await drafts().create({} as Draft);
      expect(draft).toEqual({
        id: expect.any(Number),
        big: -9_007_199_254_740_993n,
        price: '12345678901234567.8901',
        ratio: 1e-7,
        count: 1000,
        open: true,
        shut: false,
        since: new Date('2024-05-06T07:08:09Z'),
        state: 'new',
        meta: { b: 1 },
        tags: [],
        ref: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        madeAt: expect.any(Date),
        madeOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        first: '2024-02-29',
      });
      expect(
        await drafts()
          .where(since.eq(new Date('2024-05-06T07:08:09Z')))
          .count(),
      ).toBe(1);
      expect((await drafts().create({} as Draft)).ref).not.toBe(draft.ref);
    });

    test('are what the models say', async () => {
      const tables = (await introspect(db)).filter((table) => table.name === 'drafts');
      expect(diffSchema([Draft], tables, dialect)).toEqual({ up: [], down: [], warnings: [] });
    });

    test('a time that the database made is found by what was read of it', async () => {
      await drafts().delete();
      for (let n = 0; n < 30; n++) await drafts().create({} as Draft);
      const rows = await drafts().find();
      for (const row of rows)
        expect((await drafts().where(madeAt.eq(row.madeAt)).find()).map(({ id }) => id)).toContain(row.id);
    });

    test('pages in the order of such times repeat no row and skip none', async () => {
      const pages = drafts().orderBy(madeAt.desc()).limit(4);
      const seen: number[] = [];
      for (let cursor: string | null = null; seen.length < 90;) {
        const rows: Draft[] = await pages.after(cursor).find();
        if (rows.length === 0) break;
        seen.push(...rows.map(({ id }) => id));
        cursor = pages.cursorOf(rows.at(-1) as Draft);
      }
      expect([...seen].sort((a, b) => a - b)).toEqual(
        (await drafts().orderBy({ column: 'id' }).find()).map(({ id }) => id),
      );
    });
  });
}
