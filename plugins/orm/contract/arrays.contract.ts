import { describe, expect, test } from '@jest/globals';
import { model, registerModel, type ColumnDefinition, type Database } from '../index.js';
import { diffSchema, introspect } from '../schema/index.js';
import type { Subject } from './subject.js';
import { columnsOf } from './model-columns.js';
import { withTables } from './with-tables.js';

class Listed {
  id!: number;
  dates!: (Date | null)[] | null;
  longs!: (bigint | null)[] | null;
  prices!: (string | null)[] | null;
  flags!: (boolean | null)[] | null;
  ratios!: (number | null)[] | null;
  counts!: (number | null)[] | null;
  names!: (string | null)[] | null;
  refs!: (string | null)[] | null;
  blobs!: (Uint8Array | null)[] | null;
  metas!: unknown[] | null;
}

const ELEMENTS = {
  dates: 'date',
  longs: 'bigint',
  prices: 'decimal',
  flags: 'boolean',
  ratios: 'float',
  counts: 'int',
  names: 'string',
  refs: 'uuid',
  blobs: 'bytes',
  metas: 'json',
} as const;
type Field = keyof typeof ELEMENTS;

const FULL: Readonly<Record<Field, readonly unknown[]>> = {
  dates: [new Date('2024-05-06T07:08:09.010Z'), null, new Date(-1)],
  longs: [9_007_199_254_740_993n, null, -(2n ** 63n), 0n],
  prices: ['12345678901234567890.123456789', null, '-0.10', '0'],
  flags: [true, false, null],
  ratios: [1.5, null, -1e-7, 3],
  counts: [1, null, -2_147_483_648],
  names: ['a,b', null, '', 'NULL', '"\\{}', '😀'],
  refs: ['0b9f4b0c-6a3e-4b0e-9d27-0f4a2f1b6c11', null],
  blobs: [Uint8Array.of(0, 255, 92), null, Uint8Array.of()],
  metas: [{ a: [1, 'x'] }, null, 'text', 2, true],
};
const WRONG: Readonly<Record<Field, unknown>> = {
  dates: '2024-05-06',
  longs: 2n ** 63n,
  prices: '1,5',
  flags: 1,
  ratios: '1.5',
  counts: 1.5,
  names: 'half \ud83d',
  refs: 'abc',
  blobs: 'abc',
  metas: undefined,
};
const FIELDS = Object.keys(ELEMENTS) as Field[];

const columns: ColumnDefinition[] = [
  { property: 'id', column: 'id', kind: 'int', primaryKey: true, autoincrement: true },
  ...FIELDS.map((property) => {
    return { property, column: property, kind: 'array', element: ELEMENTS[property], nullable: true } as const;
  }),
];
registerModel(Listed, { name: 'Listed', table: 'listed', columns });
const { names, dates } = columnsOf(Listed);

/** Arrays, whether the database has a type for them or keeps them as JSON. */
export function arraysContract({ name, dialect, create }: Subject): void {
  describe(`arrays on ${name}`, () => {
    let db: Database;
    const listed = () => model(db, Listed);
    const byId = (id: number) => listed().where({ column: 'id', op: 'eq', value: id });

    withTables(create, dialect, [Listed], (opened) => (db = opened));

    test('come back as they were written, null elements too', async () => {
      const { id } = await listed().create({ ...FULL } as unknown as Listed);
      expect(await byId(id).first()).toEqual({ id, ...FULL });
      expect(
        await byId(id)
          .select(...FIELDS)
          .find(),
      ).toEqual([FULL]);
      await listed().createBatch([{ ...FULL }, { ...FULL }] as unknown as Listed[]);
      const rows = await listed().orderBy({ column: 'id' }).find();
      expect(rows.map(({ id: _id, ...row }) => row)).toEqual([FULL, FULL, FULL]);
    });

    test.each(FIELDS.filter((field) => field !== 'metas'))('of %s have further dimensions', async (field) => {
      const [element] = FULL[field];
      const value = [
        [
          [element, null],
          [element, element],
        ],
      ];
      const { id } = await listed().create({ [field]: value } as never);
      const row = await byId(id).first();
      expect(row[field]).toEqual(value);
      expect((await listed().update(row))[field]).toEqual(value);
      expect((await byId(id).first())[field]).toEqual(value);
      for (const wrong of [[[WRONG[field]]], [[]]])
        await expect(listed().create({ [field]: wrong } as never)).rejects.toMatchObject({
          code: 'FW_ORM_VALUE',
          details: { field, got: expect.stringContaining('as element 0') },
        });
    });

    test('of JSON have lists as values', async () => {
      const metas = [[1, [2]], { a: [] }, []];
      const { id } = await listed().create({ metas } as never);
      expect((await byId(id).first()).metas).toEqual(metas);
    });

    test('may be empty, or null', async () => {
      const empty = Object.fromEntries(FIELDS.map((field) => [field, []]));
      const none = Object.fromEntries(FIELDS.map((field) => [field, null]));
      for (const row of [empty, none]) {
        const { id } = await listed().create(row as unknown as Listed);
        expect(await byId(id).first()).toEqual({ id, ...row });
      }
    });

    test.each(FIELDS)('an element of %s that is none of its kind is refused with its place', async (field) => {
      const value = [FULL[field][0], WRONG[field]];
      await expect(listed().create({ [field]: value } as never)).rejects.toMatchObject({
        code: 'FW_ORM_VALUE',
        details: { model: 'Listed', field, got: expect.stringContaining('as element 1') },
      });
    });

    test('an element of 33 bits is kept, or refused by the name of its column', async () => {
      const outcome = await listed()
        .create({ counts: [2 ** 31] } as never)
        .then(
          ({ counts }) => counts,
          (error: { readonly code?: string; readonly details?: { readonly field?: string } }) =>
            `${error.code} ${error.details?.field}`,
        );
      expect(['FW_ORM_VALUE counts', [2 ** 31]]).toContainEqual(outcome);
    });

    test('are found by what they hold', async () => {
      await listed().delete();
      for (const list of [['a'], ['a', 'b'], ['b', 'a']])
        await listed().create({ names: list, dates: [new Date(list.length)] } as never);
      const found = async (condition: Parameters<ReturnType<typeof listed>['where']>[0]) =>
        (await listed().where(condition).orderBy({ column: 'id' }).find()).map((row) => row.names);
      expect(await found(names.eq(['a', 'b']))).toEqual([['a', 'b']]);
      expect(await found(names.in([['a'], ['b', 'a']]))).toEqual([['a'], ['b', 'a']]);
      expect(await found(dates.eq([new Date(1)]))).toEqual([['a']]);
    });

    test('are what the models say', async () => {
      const tables = (await introspect(db)).filter((table) => table.name === 'listed');
      expect(diffSchema([Listed], tables, dialect)).toEqual({ up: [], down: [], warnings: [] });
    });
  });
}
