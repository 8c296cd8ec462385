import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  coalesce,
  jsonObject,
  model,
  raw,
  registerModel,
  type Column,
  type ColumnDefinition,
  type Database,
} from '../index.js';
import type { Subject } from './subject.js';
import { columnsOf } from './model-columns.js';
import { withTables } from './with-tables.js';

class Amount {
  id!: number;
  big!: bigint | null;
  level!: 1 | 2 | 3;
  price!: string;
  most!: string;
  seenAt!: Date | null;
  meta!: unknown;
}

const columns: ColumnDefinition[] = [
  { property: 'id', column: 'id', kind: 'int', primaryKey: true, autoincrement: true },
  { property: 'big', column: 'big', kind: 'bigint', nullable: true },
  { property: 'level', column: 'level', kind: 'enum', values: [1, 2, 3] },
  { property: 'price', column: 'price', kind: 'decimal', precision: 20, scale: 4 },
  { property: 'most', column: 'most', kind: 'decimal', precision: 20, scale: 4 },
  { property: 'seenAt', column: 'seen_at', kind: 'date', nullable: true },
  { property: 'meta', column: 'meta', kind: 'json', nullable: true },
];
registerModel(Amount, { name: 'Amount', table: 'amounts', columns });
const amount = columnsOf(Amount);

/** A column of each kind. */
class Typed {
  id!: number;
  paid!: unknown;
  count!: unknown;
  ratio!: unknown;
  big!: unknown;
  price!: unknown;
  title!: unknown;
  at!: unknown;
  day!: unknown;
  clock!: unknown;
  token!: unknown;
  state!: unknown;
  data!: unknown;
  tags!: unknown;
  states!: unknown;
  facts!: unknown;
}

const values = ['open', 'paid'];
const typedColumns: readonly Omit<ColumnDefinition, 'column' | 'nullable'>[] = [
  { property: 'paid', kind: 'boolean' },
  { property: 'count', kind: 'int' },
  { property: 'ratio', kind: 'float' },
  { property: 'big', kind: 'bigint' },
  { property: 'price', kind: 'decimal', precision: 20, scale: 4 },
  { property: 'title', kind: 'string' },
  { property: 'at', kind: 'date' },
  { property: 'day', kind: 'plainDate' },
  { property: 'clock', kind: 'plainTime' },
  { property: 'token', kind: 'uuid' },
  { property: 'state', kind: 'enum', values },
  { property: 'data', kind: 'bytes' },
  { property: 'tags', kind: 'array', element: 'string' },
  { property: 'states', kind: 'array', element: 'enum', values },
  { property: 'facts', kind: 'json' },
];
registerModel(Typed, {
  name: 'Typed',
  table: 'typed',
  columns: [
    { property: 'id', column: 'id', kind: 'int', primaryKey: true },
    ...typedColumns.map((each) => ({ ...each, column: `t_${each.property}`, nullable: true })),
  ],
});

/** Values as a caller without types gives them. */
type Given = (...given: readonly unknown[]) => Promise<unknown>;
type Loosely = Readonly<
  Record<'create' | 'createBatch' | 'update' | 'save' | 'updateAll' | 'upsert' | 'upsertBatch', Given>
> & { where(condition: unknown): Readonly<Record<'find' | 'count' | 'delete' | 'exists', Given>>; count: Given };

/** Values whose type some databases lack, which must behave the same on all. */
export function valuesContract({ name, dialect, create }: Subject): void {
  describe(`numbers on ${name}`, () => {
    let db: Database;

    withTables(create, dialect, [Amount, Typed], (opened) => (db = opened));

    beforeEach(async () => {
      await db.sqlDB().script('DELETE FROM amounts');
      for (const [price, most, level] of [
        ['9', '10'],
        ['10', '9.5'],
        ['100', '100.0'],
        ['-2.5', '-10'],
      ].map(([low, high], at) => [low, high, (at % 3) + 1] as const))
        await model(db, Amount).create({ price: price as string, most: most as string, level: level as 1, big: null });
    });

    const prices = (rows: readonly { readonly price: string }[]) => rows.map(({ price }) => Number(price));

    test('an enum of numbers is one of numbers', async () => {
      const rows = await model(db, Amount).orderBy({ column: 'id' }).find();
      expect(rows.map(({ level }) => level)).toEqual([1, 2, 3, 1]);
      await model(db, Amount).update(Object.assign(rows[0] as Amount, { level: 3 }));
      expect(await model(db, Amount).where(amount.level.eq(3)).count()).toBe(2);
      expect(await model(db, Amount).select(amount.level.sum().as('total')).find()).toEqual([{ total: 9 }]);
    });

    test('decimals are compared and sorted as numbers', async () => {
      const where = async (condition: Parameters<ReturnType<typeof amounts>['where']>[0]) =>
        prices(await amounts().where(condition).orderBy({ column: 'id' }).find());
      const amounts = () => model(db, Amount);
      expect(await where(amount.price.gt('9'))).toEqual([10, 100]);
      expect(await where(amount.price.eq('9.0'))).toEqual([9]);
      expect(await where(amount.price.between('9', '10'))).toEqual([9, 10]);
      expect(await where(amount.price.in(['9.00', '100', '1']))).toEqual([9, 100]);
      expect(await where(amount.price.notIn(['9.00', '100', '1']))).toEqual([10, -2.5]);
      expect(await where(amount.price.lt(amount.most))).toEqual([9]);
      expect(await where(amount.price.eq(amount.most))).toEqual([100]);
      expect(prices(await amounts().orderBy(amount.price.asc()).find())).toEqual([-2.5, 9, 10, 100]);
      const [ends] = await amounts().select(amount.price.min().as('low'), amount.price.max().as('high')).find();
      expect([Number(ends?.low), Number(ends?.high)]).toEqual([-2.5, 100]);
      const groups = () => amounts().select(amount.level, amount.price.max().as('high')).groupBy('level');
      expect(await groups().having(amount.price.max().gt('9')).find()).toHaveLength(2);
      const pages = amounts().orderBy(amount.price.desc()).limit(1);
      const seen: Amount[] = [];
      for (let cursor: string | null = null; seen.length < 9; cursor = pages.cursorOf(seen.at(-1) as Amount)) {
        const rows: Amount[] = await pages.after(cursor).find();
        if (rows.length === 0) break;
        seen.push(...rows);
      }
      expect(prices(seen)).toEqual([100, 10, 9, -2.5]);
    });

    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;

    test.each<[string, object]>([
      ['a bigint in JSON', { meta: { n: 1n } }],
      ['a cycle in JSON', { meta: cycle }],
      ['nothing for JSON', { meta: { toJSON: () => undefined } }],
      ['a bigint for an enum', { level: 1n }],
      ['a function for an enum', { level: () => 1 }],
      ['a cycle for an enum', { level: cycle }],
    ])('%s is refused by the name of its column', async (_what, value) => {
      const row = { price: '1', most: '1', level: 1, ...value } as never;
      const [field] = Object.keys(value);
      await expect(model(db, Amount).create(row)).rejects.toMatchObject({
        code: 'FW_ORM_VALUE',
        details: { model: 'Amount', field },
      });
    });

    test('a time of day beside one that is given is compared and read as a column is', async () => {
      const { id, clock } = columnsOf(Typed) as unknown as Readonly<
        Record<'id' | 'clock', Column<Typed, string, string>>
      >;
      const all = () => model(db, Typed) as unknown as Loosely;
      await all().createBatch([
        { id: 1, clock: '07:08:09' },
        { id: 2, clock: '23:00:00' },
        { id: 3, clock: null },
        { id: 4, clock: '12:34:56.5' },
      ]);
      const rows = () => model(db, Typed).orderBy({ column: 'id' });
      const late = coalesce(clock, '23:00:00');
      expect(await rows().where(late.eq('23:00:00')).select(id).find()).toEqual([{ id: 2 }, { id: 3 }]);
      expect(await rows().where(late.gt('12:34:56')).count()).toBe(3);
      const read = rows().select(late.as('late'), jsonObject({ at: clock }).as('json'));
      expect(await read.find()).toEqual(
        ['07:08:09', '23:00:00', null, '12:34:56.5'].map((at) => ({ late: at ?? '23:00:00', json: { at } })),
      );
      await all().where({}).delete();
    });

    test.each<[property: keyof Typed & string, value: unknown, expected: string, got: string]>([
      ['paid', 'yes', 'a boolean', 'a string'],
      ['paid', 1, 'a boolean', 'the number 1'],
      ['count', '7', 'a whole number', 'a string'],
      ['count', 1.5, 'a whole number', 'the number 1.5'],
      ['ratio', '0.5', 'a finite number', 'a string'],
      ['big', 1.5, 'a bigint or a whole number', 'the number 1.5'],
      ['price', 'much', 'a decimal number as text', 'a string that is none'],
      ['title', 7, 'a string', 'the number 7'],
      ['at', '2024-05-06', 'a valid Date', 'a string'],
      ['at', new Date(Number.NaN), 'a valid Date', 'an invalid Date'],
      ['day', '2024-02-30', 'a day as text (2024-05-06)', 'a string that is none'],
      ['clock', 'noon', 'a time of day as text (07:08:09)', 'a string that is none'],
      ['token', 'x', 'a UUID as text', 'a string that is none'],
      ['state', 'gone', 'one of open, paid', '"gone"'],
      ['state', 1, 'one of open, paid', 'the number 1'],
      ['data', 'abc', 'a Uint8Array', 'a string'],
      ['tags', 'abc', 'an array of which each element is a string', 'a string'],
      ['tags', ['a', 1], 'an array of which each element is a string', 'the number 1 as element 1'],
      ['states', ['gone'], 'an array of which each element is one of open, paid', 'a string as element 0'],
      ['facts', () => 1, 'a value that JSON can hold', 'a function'],
    ])('%s is refused %p wherever a value stands, with what it takes', async (property, given, expected, got) => {
      const typed = columnsOf(Typed)[property] as Column<Typed, string, unknown>;
      const all = () => model(db, Typed) as unknown as Loosely;
      const writes = {
        create: () => all().create({ id: 1, [property]: given }),
        createBatch: () => all().createBatch([{ id: 1, [property]: given }]),
        update: () => all().update({ id: 1, [property]: given }),
        save: () => all().save({ id: 1, [property]: given }),
        updateAll: () => all().updateAll(typed.set(given)),
        'updateAll by name': () => all().updateAll({ column: property, value: given }),
        upsert: () => all().upsert({ id: 1, [property]: given }, { conflict: 'id' }),
        upsertBatch: () => all().upsertBatch([{ id: 1, [property]: given }], { conflict: 'id' }),
      };
      const conditions = {
        where: () =>
          all()
            .where({ [property]: given })
            .find(),
        'where by name': () => all().where({ column: property, op: 'eq', value: given }).find(),
        eq: () => all().where(typed.eq(given)).find(),
        neq: () => all().where(typed.neq(given)).count(),
        in: () =>
          all()
            .where(typed.in([given as never]))
            .find(),
        notIn: () =>
          all()
            .where(typed.notIn([given as never]))
            .delete(),
        gt: () =>
          all()
            .where(typed.gt(given as never))
            .exists(),
        between: () =>
          all()
            .where(typed.between(given as never, given as never))
            .find(),
      };
      // Databases do not agree when JSON is equal, nor in which order lists are.
      const isCompared = property !== 'facts';
      const refused = { code: 'FW_ORM_VALUE', details: { model: 'Typed', field: property, expected, got } };
      for (const [place, run] of Object.entries({ ...writes, ...(isCompared && conditions) })) {
        const outcome = await (async () => run())().then(
          (value: unknown) => ({ passed: value }),
          (error: unknown) => error,
        );
        expect([place, outcome]).toEqual([place, expect.objectContaining(refused)]);
      }
      expect(await all().count()).toBe(0);
    });

    test.each<[string, unknown]>([
      ['an invalid Date', new Date(Number.NaN)],
      ['undefined', undefined],
      ['a function', () => 1],
      ['a cycle', cycle],
    ])('raw SQL takes no parameter that is %s', async (_what, value) => {
      const all = model(db, Amount).where(raw('price = :value', 'value', value));
      await expect((async () => all.delete())()).rejects.toMatchObject({ code: 'FW_ORM_VALUE' });
      expect(await model(db, Amount).count()).toBe(4);
    });

    test('a date comes back as it was, or is refused', async () => {
      for (const at of ['0050-06-06', '0500-06-06', '+010000-06-06']) {
        const seenAt = new Date(`${at}T01:02:03.004Z`);
        const outcome = await model(db, Amount)
          .create({ price: '1', most: '1', level: 1, big: null, seenAt })
          .then(
            async ({ id }) => (await model(db, Amount).where({ column: 'id', op: 'eq', value: id }).first()).seenAt,
            (error: { readonly code?: string; readonly details?: { readonly field?: string } }) =>
              `${error.code} ${error.details?.field}`,
          );
        expect(['FW_ORM_VALUE seenAt', seenAt]).toContainEqual(outcome);
      }
    });

    test('a decimal given as a number has no exponent', async () => {
      for (const [given, text] of [
        [1e-4, '0.0001'],
        [0.00015e4, '1.5'],
      ] as const) {
        const { id } = await model(db, Amount).create({ price: given as never, most: '1', level: 1, big: null });
        const read = await model(db, Amount).where({ column: 'id', op: 'eq', value: id }).first();
        expect(Number(read.price)).toBe(Number(text));
        await model(db, Amount).update(read);
      }
      const { decode, encode } = dialect.codecs.decimal;
      expect(decode).toBeDefined();
      const texts = [1e21, 1e-7, -1.5e-7, 1.25e22].map((value) => encode?.(value as never));
      expect(texts).toEqual(['1000000000000000000000', '0.0000001', '-0.00000015', '12500000000000000000000']);
    });
  });
}
