import { describe, expect, test } from '@jest/globals';
import {
  Aggregate,
  countAll,
  model,
  plainTarget,
  registerModel,
  type ColumnDefinition,
  type Database,
  type Decimal,
} from '../index.js';
import type { Subject } from './subject.js';
import { columnsOf } from './model-columns.js';
import { withTables } from './with-tables.js';

class Sample {
  id!: number;
  part!: number;
  int!: number | null;
  bigint!: bigint | null;
  float!: number | null;
  decimal!: Decimal | null;
  string!: string | null;
  text!: string | null;
  boolean!: boolean | null;
  date!: Date | null;
  json!: unknown;
  bytes!: Uint8Array | null;
  uuid!: string | null;
  enum!: 'a' | 'b' | null;
  level!: 1 | 2 | 3 | null;
  array!: string[] | null;
}

const nullable = (kind: ColumnDefinition['kind'], more: Partial<ColumnDefinition> = {}): ColumnDefinition => ({
  property: kind,
  column: `${kind}_value`,
  kind,
  nullable: true,
  ...more,
});

const columns: ColumnDefinition[] = [
  { property: 'id', column: 'id', kind: 'int', primaryKey: true },
  { property: 'part', column: 'part', kind: 'int' },
  ...(['int', 'bigint', 'float', 'string', 'text', 'boolean', 'date', 'json', 'bytes', 'uuid'] as const).map((kind) =>
    nullable(kind),
  ),
  nullable('decimal', { precision: 12, scale: 3 }),
  nullable('enum', { values: ['a', 'b'] }),
  nullable('enum', { property: 'level', column: 'level', values: [1, 2, 3] }),
  nullable('array', { element: 'string' }),
];
const sampleModel = registerModel(Sample, { name: 'Sample', table: 'samples', columns });
const sample = columnsOf(Sample);

const at = (day: number) => new Date(Date.UTC(2024, 1, day, 1, 2, 3, 456));
const uuid = (first: string) => `${first}9619ff-8b86-4011-b42d-00cf4fc964ff`;
const EMPTY = Object.fromEntries(columns.map(({ property }) => [property, null]));
const ROWS = [
  {
    ...{ int: 1, bigint: 2n ** 53n + 1n, float: 0.5, decimal: '0.1', string: 'b', text: 'b', boolean: true },
    ...{ date: at(2), json: { a: 1 }, bytes: Uint8Array.of(1), uuid: uuid('6f'), enum: 'b', level: 3, array: ['x'] },
  },
  {
    ...{ int: 2, bigint: 1n, float: 0.25, decimal: '0.2', string: 'a', text: 'a', boolean: false },
    ...{ date: at(1), json: [1], bytes: Uint8Array.of(2), uuid: uuid('0b'), enum: 'a', level: 1, array: [] },
  },
  {
    ...{ int: 2, bigint: 1n, float: 1, decimal: '10.05', string: 'c', text: 'c', boolean: true },
    ...{ date: at(3), json: null, bytes: null, uuid: uuid('ff'), enum: 'b', level: 2, array: null },
  },
];

const REFUSED = 'refused';
/** Expected result of each aggregate by kind of column: a number to compare with, the value itself, or a refusal. */
const TABLE: readonly (readonly [property: keyof Sample, sum: unknown, avg: unknown, min: unknown, max: unknown])[] = [
  ['int', 5, 5 / 3, 1, 2],
  ['bigint', 2n ** 53n + 3n, (2 ** 53 + 3) / 3, 1n, 2n ** 53n + 1n],
  ['float', 1.75, 1.75 / 3, 0.25, 1],
  ['decimal', '10.35', 3.45, '0.1', '10.05'],
  ['level', 6, 2, 1, 3],
  ['string', REFUSED, REFUSED, 'a', 'c'],
  ['text', REFUSED, REFUSED, 'a', 'c'],
  ['enum', REFUSED, REFUSED, 'a', 'b'],
  ['boolean', REFUSED, REFUSED, false, true],
  ['date', REFUSED, REFUSED, at(1), at(3)],
  ['uuid', REFUSED, REFUSED, uuid('0b'), uuid('ff')],
  ['json', REFUSED, REFUSED, REFUSED, REFUSED],
  ['bytes', REFUSED, REFUSED, REFUSED, REFUSED],
  ['array', REFUSED, REFUSED, REFUSED, REFUSED],
];
const NAMES = ['sum', 'avg', 'min', 'max'] as const;
const CELLS = TABLE.flatMap(([property, ...cells]) =>
  NAMES.map((name, index) => ({ property, name, expected: cells[index] })),
);

/** The same aggregate of the same values, whatever holds them. */
export function aggregatesContract({ name, dialect, create }: Subject): void {
  describe(`aggregates on ${name}`, () => {
    let db: Database;

    withTables(create, dialect, [Sample], async (opened) => {
      db = opened;
      const rows = [...ROWS.map((row) => ({ ...row, part: 1 })), { ...EMPTY, part: 2 }];
      for (const [index, row] of rows.entries()) await model(db, Sample).create({ ...row, id: index + 1 } as never);
    });

    const samples = () => model(db, Sample);
    const aggregate = (of: (typeof NAMES)[number], property: keyof Sample) =>
      new Aggregate(of, plainTarget(sampleModel.column(property)), 'value', false) as Aggregate<'value', unknown>;
    const overAll = (of: (typeof NAMES)[number], property: keyof Sample) => {
      const query = samples() as unknown as Record<typeof of, (column: string) => Promise<unknown>>;
      return query[of](property);
    };
    const parts = async (having: Parameters<ReturnType<typeof samples>['having']>[0]) => {
      const groups = samples().select(sample.part).groupBy('part').having(having).orderBy(sample.part.asc());
      return (await groups.find()).map(({ part }) => part);
    };

    test.each(CELLS.filter(({ expected }) => expected === REFUSED))(
      '$name of $property is refused',
      async ({ property, name: of }) => {
        const refusal = {
          code: 'FW_ORM_QUERY_FORM',
          details: { model: 'Sample', problem: expect.stringContaining(property) },
        };
        expect(() => aggregate(of, property)).toThrow(expect.objectContaining(refusal));
        await expect(overAll(of, property)).rejects.toMatchObject(refusal);
      },
    );

    // As many digits of a decimal as there are, and a double as close as doubles are.
    const alike = (got: unknown, expected: unknown) => {
      expect(typeof got).toBe(typeof expected);
      if (typeof expected === 'string' && /^\d/.test(expected) && !expected.includes('-'))
        return expect(Number(got)).toBe(Number(expected));
      if (typeof expected === 'number') return expect((got as number) / expected).toBeCloseTo(1, 12);
      expect(got).toEqual(expected);
    };

    test.each(CELLS.filter(({ expected }) => expected !== REFUSED))(
      '$name of $property is a value, is compared in having, and is null without rows',
      async ({ property, name: of, expected }) => {
        const [row] = await samples().select(aggregate(of, property)).find();
        alike(row?.value, expected);
        alike(await overAll(of, property), expected);
        const none = samples().where({ column: 'part', op: 'eq', value: 2 });
        expect(await none.select(aggregate(of, property)).find()).toEqual([{ value: null }]);
        expect(await parts(aggregate(of, property).eq(row?.value as object))).toEqual([1]);
        expect(await parts(aggregate(of, property).neq(row?.value as object))).toEqual([]);
        expect(await parts(aggregate(of, property).gt(row?.value as object))).toEqual([]);
        expect(await parts(aggregate(of, property).lte(row?.value as object))).toEqual([1]);
      },
    );

    test('counts, sums and averages of integers are compared with fractions', async () => {
      expect(await parts(sample.int.sum().gt(4.5))).toEqual([1]);
      expect(await parts(sample.int.sum().gt(5.5))).toEqual([]);
      expect(await parts(sample.int.sum().between(4.5, 5.5))).toEqual([1]);
      expect(await parts(sample.int.avg().eq(5 / 3))).toEqual([1]);
      expect(await parts(sample.int.avg().between(1.6, 1.7))).toEqual([1]);
      expect(await parts(sample.int.count().gt(2.5))).toEqual([1]);
      expect(await parts(countAll().lt(1.5))).toEqual([2]);
      expect(await parts(sample.float.sum().eq(1.75))).toEqual([1]);
      expect(await parts(sample.decimal.sum().eq('10.350'))).toEqual([1]);
      expect(await parts(sample.decimal.max().gt('9.5'))).toEqual([1]);
      expect(await parts(sample.bigint.sum().eq(2n ** 53n + 3n))).toEqual([1]);
      for (const near of [2n ** 53n + 2n, 2n ** 53n + 4n])
        expect(await parts(sample.bigint.sum().eq(near))).toEqual([]);
    });

    test('what an aggregate cannot be is refused by the name of its column', async () => {
      const refused = (field: string) => ({ code: 'FW_ORM_VALUE', details: { model: 'Sample', field } });
      await expect(parts(sample.int.min().gt(1.5))).rejects.toMatchObject(refused('int'));
      await expect(parts(sample.bigint.sum().gt(1.5 as never))).rejects.toMatchObject(refused('bigint'));
      await expect(parts(sample.int.sum().gt('5' as never))).rejects.toMatchObject(refused('int'));
      await expect(parts(sample.int.avg().eq(null as never))).rejects.toMatchObject(refused('int'));
      await expect(parts(countAll().eq(new Date() as never))).rejects.toMatchObject(refused('count'));
    });

    test('counts of columns leave out nulls, and repeated values when they are to be distinct', async () => {
      for (const [property, all, distinct] of [
        ['int', 3, 2],
        ['decimal', 3, 3],
        ['boolean', 3, 2],
        ['date', 3, 3],
        ['enum', 3, 2],
        ['uuid', 3, 3],
        ['bytes', 2, 2],
      ] as const) {
        const column = sample[property];
        const counts = samples().select(column.count().as('all'), column.count({ distinct: true }).as('distinct'));
        expect([property, await counts.first()]).toEqual([property, { all, distinct }]);
      }
      const { json } = sample;
      expect(await samples().select(json.count()).first()).toEqual({ json_count: 2 });
      expect(() => json.count({ distinct: true })).toThrow(expect.objectContaining({ code: 'FW_ORM_QUERY_FORM' }));
    });
  });
}
