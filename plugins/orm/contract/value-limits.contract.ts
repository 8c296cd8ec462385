import { describe, expect, test } from '@jest/globals';
import { model, registerModel, type ColumnDefinition, type Database } from '../index.js';
import type { Subject } from './subject.js';
import { columnsOf } from './model-columns.js';
import { withTables } from './with-tables.js';

class Limited {
  id!: bigint;
  count!: number | null;
  big!: bigint | null;
  title!: string | null;
  price!: string | null;
  day!: Date | null;
}

const columns: ColumnDefinition[] = [
  { property: 'id', column: 'id', kind: 'bigint', primaryKey: true, autoincrement: true },
  { property: 'count', column: 'count', kind: 'int', nullable: true },
  { property: 'big', column: 'big', kind: 'bigint', nullable: true },
  { property: 'title', column: 'title', kind: 'string', size: 4, nullable: true },
  { property: 'price', column: 'price', kind: 'decimal', precision: 6, scale: 2, nullable: true },
  { property: 'day', column: 'day', kind: 'date', sqlType: 'date', nullable: true },
];
registerModel(Limited, { name: 'Limited', table: 'limited', columns });
const limited = columnsOf(Limited);

/** Values that are of the kind of their column, and more than a database holds there. */
export function valueLimitsContract({ name, dialect, create, habits = {} }: Subject): void {
  describe(`the most that columns hold on ${name}`, () => {
    const keepsAll = habits.keepsAnyValue ?? false;
    let db: Database;
    const rows = () => model(db, Limited);

    withTables(create, dialect, [Limited], (opened) => (db = opened));

    test.each<[string, Partial<Limited>]>([
      ['the least and the most of 64 bits', { big: 2n ** 63n - 1n, count: -(2 ** 31) }],
      ['the most of 32 bits', { big: -(2n ** 63n), count: 2 ** 31 - 1 }],
      ['characters of two units', { title: '😀😀' }],
      ['zeros in front', { price: '0001234.56' }],
    ])('%s fit', async (_what, row) => {
      const { id } = await rows().create(row as Limited);
      const read = await rows().where({ column: 'id', op: 'eq', value: id }).first();
      expect({ ...read, price: read.price && Number(read.price) }).toMatchObject({
        ...row,
        ...(row.price && { price: Number(row.price) }),
      });
    });

    // What SQLite stores as it is, and servers do not.
    test.each<[string, Partial<Limited>, string]>([
      ['a number of 33 bits', { count: 2 ** 31 }, 'a whole number of at most 32 bits'],
      ['a negative one', { count: -(2 ** 31) - 1 }, 'a whole number of at most 32 bits'],
      ['a longer text', { title: 'abcde' }, 'a string of at most 4 characters'],
      ['digits before the point', { price: '10000.5' }, 'a decimal number of at most 4 digits before the point'],
      ['a decimal with an exponent', { price: 1e21 as never }, 'a decimal number of at most 4 digits before the point'],
    ])('%s: kept, or refused by the name of the column before it is sent', async (_what, row, expected) => {
      const [field] = Object.keys(row) as [keyof Limited];
      const refused = { code: 'FW_ORM_VALUE', details: { model: 'Limited', field, expected } };
      const { id } = await rows().create({ title: 'set' } as Limited);
      const own = rows().where({ column: 'id', op: 'eq', value: id });
      const writes = [
        () => rows().create(row as Limited),
        () => rows().createBatch([row, row] as Limited[]),
        () => own.updateAll({ column: field, value: row[field] }),
      ];
      for (const write of writes) {
        if (keepsAll) await write();
        else await expect((async () => write())()).rejects.toMatchObject(refused);
      }
    });

    test.each<[string, Partial<Limited>]>([
      ['a bigint of 65 bits', { big: 2n ** 63n }],
      ['half of a character', { title: 'a\ud83d' }],
      ['an exponent of nine digits', { price: '1e999999999' }],
    ])('%s is refused', async (_what, row) => {
      const [field] = Object.keys(row);
      await expect(rows().create(row as Limited)).rejects.toMatchObject({
        code: 'FW_ORM_VALUE',
        details: { model: 'Limited', field },
      });
    });

    test('a moment for a column of days is kept as it is, or refused', async () => {
      const day = new Date('2024-05-06T23:30:00Z');
      const calls = [
        () => rows().create({ day } as Limited),
        () => rows().createBatch([{ day }, { day }] as Limited[]),
        () => rows().updateAll({ column: 'day', value: day }),
      ];
      for (const call of calls) {
        if (keepsAll) await call();
        else
          await expect((async () => call())()).rejects.toMatchObject({
            code: 'FW_ORM_VALUE',
            message: expect.stringContaining('Limited.day: expected a day: the column holds days'),
          });
      }
      if (keepsAll) expect((await rows().where({ column: 'day', op: 'eq', value: day }).first()).day).toEqual(day);
    });

    test('the character 0 comes back as it was, or is refused', async () => {
      const outcome = await rows()
        .create({ title: 'a\0b' } as Limited)
        .then(
          async ({ id }) => (await rows().where({ column: 'id', op: 'eq', value: id }).first()).title,
          (error: { readonly code?: string; readonly details?: { readonly field?: string } }) =>
            `${error.code} ${error.details?.field}`,
        );
      expect(['FW_ORM_VALUE title', 'a\0b']).toContain(outcome);
    });

    test('digits behind the scale are rounded, or kept', async () => {
      const { id } = await rows().create({ price: '1.236' } as Limited);
      const { price } = await rows().where({ column: 'id', op: 'eq', value: id }).first();
      expect(price).toBe(keepsAll ? '1.236' : '1.24');
    });

    test('a condition compares with a longer text or decimal, and finds nothing', async () => {
      expect(await rows().where(limited.title.eq('longer than any')).find()).toEqual([]);
      expect(await rows().where(limited.price.gt('1000000000')).count()).toBe(keepsAll ? 4 : 0);
    });

    test('a condition with a longer number finds nothing, or is refused by the name of the column', async () => {
      const outcome = await Promise.resolve()
        .then(() =>
          rows()
            .where(limited.count.eq(2 ** 40))
            .find(),
        )
        .catch((error: { readonly code?: string; readonly details?: { readonly field?: string } }) => {
          return `${error.code} ${error.details?.field}`;
        });
      expect(['FW_ORM_VALUE count', []]).toContainEqual(outcome);
    });

    test('keys past 53 bits are those of the rows', async () => {
      const last = 9_007_199_254_740_992n;
      const inserted = `INSERT INTO limited (id, title) VALUES (${last}, 'last')`;
      await db.sqlDB().script(habits.countFrom?.('limited', last + 1n) ?? inserted);
      const one = await rows().create({ title: 'one' } as Limited);
      expect(one.id).toBe(last + 1n);
      const batch = ['two', 'four', 'six'].map((title) => ({ title }) as Limited);
      await rows().createBatch(batch);
      expect(batch.map(({ id }) => id)).toEqual([last + 2n, last + 3n, last + 4n]);
      const read = await rows().where({ column: 'title', op: 'in', value: ['one', 'two', 'four', 'six'] }).orderBy({ column: 'id' }).find(); // prettier-ignore
      expect(read.map(({ id, title }) => [id, title])).toEqual([one, ...batch].map(({ id, title }) => [id, title]));
    });
  });
}
