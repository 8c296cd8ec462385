import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  abs,
  add,
  and,
  avg,
  caseWhen,
  ceil,
  coalesce,
  concat,
  count,
  countAll,
  dateAdd,
  datePart,
  dateTrunc,
  db as column,
  divide,
  floor,
  jsonAt,
  jsonBoolean,
  jsonNumber,
  jsonString,
  lower,
  max,
  model,
  modulo,
  multiply,
  nullIf,
  or,
  replace,
  substring,
  subtract,
  sum,
  table,
  textLength,
  toDouble,
  trim,
  upper,
  value,
  type Database,
  type Decimal,
  type Int,
  type ValueExpression,
} from '../index.js';
import type { Subject } from './subject.js';
import { columnsOf, registerDeclared } from './model-columns.js';
import { withTables } from './with-tables.js';

@table('sales')
class Sale {
  @column('id,pk,type=int') id!: Int;
  @column('shop,type=string') shop!: string;
  @column('note,type=text,nullable') note!: string | null;
  @column('pieces,type=int') pieces!: Int;
  @column('returned,type=int,nullable') returned!: Int | null;
  @column('big,type=bigint') big!: bigint;
  @column('ratio,type=float') ratio!: number;
  @column('price,type=decimal,precision=12,scale=2') price!: Decimal;
  @column('sold_at,type=date') soldAt!: Date;
  @column('paid,type=boolean') paid!: boolean;
  @column('extra,type=json,nullable') extra!: unknown;
}

registerDeclared(Sale);
const sale = columnsOf(Sale);

const SHOPS = ['North', 'south', ' East '];
const EXTRAS = [
  null,
  { size: 'L', count: 3, gift: true, tags: ['a', 'b'], deep: { 'a b': 'x' } },
  { size: 7, count: '3', gift: 'true', tags: [], deep: null },
  { size: null, count: 1.5, gift: false, tags: [{ name: 'z' }] },
];
interface Extra {
  readonly size?: unknown;
  readonly count?: unknown;
  readonly gift?: unknown;
  readonly tags?: readonly unknown[];
  readonly deep?: Readonly<Record<string, string>> | null;
}

const SALES: readonly Sale[] = Array.from({ length: 24 }, (_, at) => ({
  id: at + 1,
  shop: SHOPS[at % 3] as string,
  note: at % 4 === 0 ? null : `note ${at}%`,
  pieces: (at * 7) % 11,
  returned: at % 3 === 0 ? null : at % 5,
  big: 2n ** 53n + BigInt(at),
  ratio: at / 8 - 1,
  price: `${at}.${at % 2 === 0 ? '50' : '25'}`,
  soldAt: new Date(Date.UTC(2023, 10 + (at % 5), 28 + (at % 4), at, 59, 58, 500)),
  paid: at % 2 === 0,
  extra: EXTRAS[at % 4],
}));

/** What the database makes of an expression of a row, and what JavaScript does. */
interface Case {
  readonly sql: ValueExpression<number | null, unknown>;
  readonly of: (row: Sale) => number | null;
}

const both = (a: number | null, b: number | null, of: (a: number, b: number) => number | null) =>
  a === null || b === null ? null : of(a, b);

// Whole numbers stay far from where a double, or 64 bits, would end.
const leaves = fc.oneof(
  fc.constantFrom<Case>(
    { sql: add(sale.pieces, 0), of: (row) => row.pieces },
    { sql: add(sale.returned, 0), of: (row) => row.returned },
    { sql: coalesce(sale.returned, sale.pieces), of: (row) => row.returned ?? row.pieces },
    { sql: textLength(sale.note), of: (row) => row.note?.length ?? null },
    { sql: datePart('month', sale.soldAt), of: (row) => row.soldAt.getUTCMonth() + 1 },
  ),
  fc.integer({ min: -9, max: 9 }).map((plain): Case => ({ sql: value(plain), of: () => plain })),
);

const { tree } = fc.letrec<{ tree: Case; leaf: Case; node: Case }>((tie) => ({
  tree: fc.oneof({ maxDepth: 4, depthSize: 'small' }, tie('leaf'), tie('node')),
  leaf: leaves,
  node: fc
    .tuple(fc.constantFrom('add', 'subtract', 'multiply', 'modulo', 'abs', 'case', 'nullIf'), tie('tree'), tie('tree'))
    .map(([name, a, b]): Case => {
      switch (name) {
        case 'add':
          return { sql: add(a.sql, b.sql), of: (row) => both(a.of(row), b.of(row), (x, y) => x + y) };
        case 'subtract':
          return { sql: subtract(a.sql, b.sql), of: (row) => both(a.of(row), b.of(row), (x, y) => x - y) };
        case 'multiply':
          return { sql: multiply(a.sql, b.sql), of: (row) => both(a.of(row), b.of(row), (x, y) => x * y) };
        case 'modulo':
          return {
            sql: modulo(a.sql, b.sql),
            of: (row) => both(a.of(row), b.of(row), (x, y) => (y === 0 ? null : x % y)),
          };
        case 'abs':
          return { sql: abs(a.sql), of: (row) => both(a.of(row), 0, Math.abs) };
        case 'nullIf':
          return { sql: nullIf(a.sql, 3), of: (row) => (a.of(row) === 3 ? null : a.of(row)) };
        default:
          return {
            sql: caseWhen(a.sql.gt(b.sql), a.sql).when(b.sql.isNull(), 1).otherwise(b.sql),
            of: (row) => {
              const [x, y] = [a.of(row), b.of(row)];
              return x !== null && y !== null && x > y ? x : y === null ? 1 : y;
            },
          };
      }
    }),
}));

const beginning = (at: Date, unit: 'year' | 'month' | 'day' | 'hour' | 'minute'): Date => {
  const keep = ['year', 'month', 'day', 'hour', 'minute'].indexOf(unit) + 1;
  const all = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes()];
  const [year = 0, month = 0, day = 1, hour = 0, minute = 0] = all.slice(0, keep);
  return new Date(Date.UTC(year, month, day, hour, minute));
};

/** Values that the database computes: the same on every database as in JavaScript, or refused. */
export function expressionsContract({ name, dialect, create }: Subject): void {
  describe(`expressions on ${name}`, () => {
    let db: Database;

    withTables(create, dialect, [Sale], (opened) => (db = opened));

    beforeAll(async () => {
      await model(db, Sale).createBatch(SALES as never);
    });

    const sales = () => model(db, Sale);
    const ordered = () => sales().orderBy(sale.id.asc());
    const read = async <Value>(expression: ValueExpression<Value, unknown>) =>
      (await ordered().select('id', expression.as('it')).find()).map(({ it }) => it);
    const of = <Value>(make: (row: Sale) => Value) => SALES.map(make);

    test('of whole numbers are what JavaScript calculates', async () => {
      await fc.assert(
        fc.asyncProperty(tree, async ({ sql, of: make }) => {
          const expected = SALES.map((row) => [row.id, make(row)] as const);
          const found = await ordered().select('id', sql.as('it')).find();
          expect(found.map(({ id, it }) => [id, it === 0 ? 0 : it])).toEqual(
            expected.map(([id, it]) => [id, it === 0 ? 0 : it]),
          );
          const above = await ordered().where(sql.gt(2)).find();
          expect(above.map(({ id }) => id)).toEqual(
            expected.flatMap(([id, it]) => (it !== null && it > 2 ? [id] : [])),
          );
          const groups = await sales().select(sql.as('key'), countAll().as('n')).groupBy(sql).find();
          const counted = new Map<number | null, number>();
          for (const [, it] of expected) counted.set(it === 0 ? 0 : it, (counted.get(it === 0 ? 0 : it) ?? 0) + 1);
          expect(new Map(groups.map(({ key, n }) => [key === 0 ? 0 : key, n]))).toEqual(counted);
          const sorted = await sales().orderBy(sql.desc('last'), sale.id.asc()).find();
          const inOrder = [...expected].sort(
            ([a, x], [b, y]) => (x === null ? 1 : 0) - (y === null ? 1 : 0) || (y ?? 0) - (x ?? 0) || a - b,
          );
          expect(sorted.map(({ id }) => id)).toEqual(inOrder.map(([id]) => id));
        }),
        { numRuns: 30 },
      );
    }, 240_000);

    test('of exact numbers lose no digit, of fractions are doubles', async () => {
      expect(await read(add(sale.big, 1))).toEqual(of(({ big }) => big + 1n));
      expect(await read(multiply(sale.big, 3n))).toEqual(of(({ big }) => big * 3n));
      expect(await read(add(sale.pieces, sale.big))).toEqual(of(({ big, pieces }) => big + BigInt(pieces)));
      expect(await read(add(sale.price, '0.10'))).toEqual(of(({ price }) => String((Number(price) * 100 + 10) / 100)));
      expect(await read(multiply(sale.price, sale.pieces))).toEqual(
        of(({ price, pieces }) => String((Number(price) * 100 * pieces) / 100)),
      );
      expect(await read(multiply(sale.ratio, 0.1))).toEqual(of(({ ratio }) => ratio * 0.1));
      expect(await read(add(sale.pieces, 0.5))).toEqual(of(({ pieces }) => pieces + 0.5));
      expect(await read(divide(sale.pieces, sale.returned))).toEqual(
        of(({ pieces, returned }) => (returned === null || returned === 0 ? null : pieces / returned)),
      );
      expect(await read(divide(sale.price, 4))).toEqual(of(({ price }) => Number(price) / 4));
      expect(await read(floor(sale.ratio))).toEqual(of(({ ratio }) => Math.floor(ratio)));
      expect((await read(ceil(sale.ratio))).map((up) => Math.abs(up ?? NaN))).toEqual(
        of(({ ratio }) => Math.abs(Math.ceil(ratio))),
      );
      expect(await read(floor(sale.price))).toEqual(of(({ price }) => String(Math.floor(Number(price)))));
      expect(await read(add(toDouble(sale.price), sale.ratio))).toEqual(
        of(({ price, ratio }) => Number(price) + ratio),
      );
      const dear = await sales().where(add(sale.price, sale.price).eq('1')).find();
      expect(dear.map(({ price }) => Number(price))).toEqual([0.5]);
      expect(() => add(sale.ratio, sale.big)).toThrow(expect.objectContaining({ code: 'FW_ORM_VALUE' }));
      expect(() => add(sale.shop as never, 1)).toThrow(expect.objectContaining({ code: 'FW_ORM_VALUE' }));
      expect(() => modulo(sale.ratio, 2)).toThrow(expect.objectContaining({ code: 'FW_ORM_VALUE' }));
    });

    test('of texts', async () => {
      expect(await read(lower(sale.shop))).toEqual(of(({ shop }) => shop.toLowerCase()));
      expect(await read(upper(trim(sale.shop)))).toEqual(of(({ shop }) => shop.trim().toUpperCase()));
      expect(await read(concat(sale.shop, ' / ', sale.note))).toEqual(
        of(({ shop, note }) => (note === null ? null : `${shop} / ${note}`)),
      );
      expect(await read(substring(sale.shop, 2, 3))).toEqual(of(({ shop }) => shop.slice(1, 4)));
      expect(await read(replace(sale.shop, 'o', '0'))).toEqual(of(({ shop }) => shop.replaceAll('o', '0')));
      expect(await read(replace(sale.shop, '', 'x'))).toEqual(of(({ shop }) => shop));
      expect(await read(textLength(concat(sale.shop, 'é😀')))).toEqual(of(({ shop }) => shop.length + 2));
      const east = sales().where(and(trim(sale.shop).in(['East', 'West']), lower(sale.shop).like('%eas_ ')));
      expect(await east.count()).toBe(8);
      expect(
        await sales()
          .where(upper(sale.shop).notIn(['NORTH']))
          .count(),
      ).toBe(16);
      expect(await sales().where(concat(sale.shop, '%').like('%\\%')).count()).toBe(24);
      expect(() => lower(sale.pieces as never)).toThrow(expect.objectContaining({ code: 'FW_ORM_VALUE' }));
      expect(() => substring(sale.shop, 0, 1)).toThrow(expect.objectContaining({ code: 'FW_ORM_NUMBER' }));
    });

    test('of moments, in UTC', async () => {
      expect(await read(datePart('year', sale.soldAt))).toEqual(of(({ soldAt }) => soldAt.getUTCFullYear()));
      expect(await read(datePart('day', sale.soldAt))).toEqual(of(({ soldAt }) => soldAt.getUTCDate()));
      expect(await read(datePart('hour', sale.soldAt))).toEqual(of(({ soldAt }) => soldAt.getUTCHours()));
      expect(await read(datePart('second', sale.soldAt))).toEqual(of(() => 58));
      for (const unit of ['year', 'month', 'day', 'hour', 'minute'] as const)
        expect(await read(dateTrunc(unit, sale.soldAt))).toEqual(of(({ soldAt }) => beginning(soldAt, unit)));
      for (const [unit, length] of [
        ['second', 1],
        ['minute', 60],
        ['hour', 3600],
        ['day', 86_400],
      ] as const) {
        const later = (soldAt: Date, times: number) => new Date(soldAt.getTime() + times * length * 1000);
        expect(await read(dateAdd(sale.soldAt, 40, unit))).toEqual(of(({ soldAt }) => later(soldAt, 40)));
        expect(await read(dateAdd(sale.soldAt, subtract(0, sale.pieces), unit))).toEqual(
          of(({ soldAt, pieces }) => later(soldAt, -pieces)),
        );
      }
      const soon = dateAdd(sale.soldAt, 1, 'day');
      const limit = new Date(Date.UTC(2024, 0, 1));
      const found = await ordered().where(soon.lte(limit)).find();
      expect(found.map(({ id }) => id)).toEqual(
        SALES.filter(({ soldAt }) => soldAt.getTime() + 86_400_000 <= limit.getTime()).map(({ id }) => id),
      );
      const months = dateTrunc('month', sale.soldAt);
      const perMonth = await sales().select(months.as('month'), countAll().as('n')).groupBy(months).orderBy(months.asc()).find(); // prettier-ignore
      const expected = new Map<number, number>();
      for (const { soldAt } of SALES) {
        const at = beginning(soldAt, 'month').getTime();
        expected.set(at, (expected.get(at) ?? 0) + 1);
      }
      expect(perMonth.map(({ month, n }) => [month.getTime(), n])).toEqual([...expected].sort(([a], [b]) => a - b));
    });

    test('choose by conditions, and keep the type of what they choose', async () => {
      const size = caseWhen(sale.pieces.gt(7), 'large').when(and(sale.pieces.gt(3), sale.paid.eq(true)), 'medium').otherwise('small'); // prettier-ignore
      const made = ({ pieces, paid }: Sale) => (pieces > 7 ? 'large' : pieces > 3 && paid ? 'medium' : 'small');
      expect(await read(size)).toEqual(of(made));
      expect(await read(caseWhen(sale.paid.eq(true), sale.soldAt))).toEqual(
        of(({ paid, soldAt }) => (paid ? soldAt : null)),
      );
      expect(await read(caseWhen(sale.paid.eq(true), sale.price).otherwise('0'))).toEqual(
        of(({ paid, price }) => (paid ? String(Number(price)) : '0')),
      );
      expect(await read(caseWhen(sale.returned.isNull(), true).otherwise(false))).toEqual(
        of(({ returned }) => returned === null),
      );
      expect(await read(coalesce(sale.note, sale.shop))).toEqual(of(({ note, shop }) => note ?? shop));
      const perSize = await sales().select(size.as('size'), sum(sale.pieces).as('n')).groupBy(size).orderBy(size.asc()).find(); // prettier-ignore
      const total = (wanted: string) => SALES.filter((row) => made(row) === wanted).reduce((all, { pieces }) => all + pieces, 0); // prettier-ignore
      expect(perSize).toEqual(['large', 'medium', 'small'].map((each) => ({ size: each, n: total(each) })));
      expect(() => caseWhen(sale.paid.eq(true), 1).otherwise('no')).toThrow(
        expect.objectContaining({ code: 'FW_ORM_VALUE' }),
      );
    });

    test('of groups', async () => {
      const income = sum(multiply(sale.price, sale.pieces));
      const perShop = await sales()
        .select('shop', income.as('income'), avg(add(sale.pieces, 1)).as('mean'), max(lower(sale.note)).as('last'))
        .select(count(nullIf(sale.pieces, 0)).as('sold'), divide(sum(sale.pieces), countAll()).as('share'))
        .groupBy('shop')
        .having(income.gt('0'))
        .orderBy(income.desc())
        .find();
      const expected = SHOPS.map((shop) => {
        const own = SALES.filter((row) => row.shop === shop);
        const pieces = own.reduce((all, row) => all + row.pieces, 0);
        const notes = own.flatMap(({ note }) => note ?? []).sort();
        return {
          shop,
          income: String(own.reduce((all, { price, pieces: n }) => all + Number(price) * 100 * n, 0) / 100),
          mean: (pieces + own.length) / own.length,
          last: notes.at(-1) ?? null,
          sold: own.filter(({ pieces: n }) => n !== 0).length,
          share: pieces / own.length,
        };
      }).sort((a, b) => Number(b.income) - Number(a.income));
      const near = (number: number | null | undefined): unknown => expect.closeTo(number ?? NaN, 10);
      expect(perShop).toEqual(expected.map((row) => ({ ...row, mean: near(row.mean), share: near(row.share) })));
      await expect(sales().select('shop', add(sale.pieces, 1).as('n')).groupBy('shop').find()).rejects.toMatchObject({
        code: 'FW_ORM_QUERY_FORM',
        details: { problem: expect.stringContaining('pieces') },
      });
      const other = sales().select(add(sale.pieces, 1).as('n')).groupBy(add(sale.pieces, 2));
      await expect(other.find()).rejects.toMatchObject({ code: 'FW_ORM_QUERY_FORM' });
      const distinct = sales().select(modulo(sale.pieces, 2).as('odd')).distinct();
      expect(await distinct.orderBy(modulo(sale.pieces, 2).asc()).find()).toEqual([{ odd: 0 }, { odd: 1 }]);
      expect(await distinct.count()).toBe(2);
      expect(await sales().select(sum(sale.pieces).as('n')).where(sale.id.isNull()).find()).toEqual([{ n: null }]);
    });

    test('keep groups by what they are made by, whatever is selected', async () => {
      const odd = modulo(sale.pieces, 2);
      const counted = (rows: readonly Sale[]) => [{ n: rows.length }];
      const all = () => sales().select(countAll().as('n'));
      expect(await all().groupBy(odd).having(odd.eq(1)).find()).toEqual(counted(SALES.filter((row) => row.pieces % 2 === 1))); // prettier-ignore
      expect(await all().groupBy(odd).orderBy(odd.desc()).limit(1).find()).toEqual(counted(SALES.filter((row) => row.pieces % 2 === 1))); // prettier-ignore
      const [shop = ''] = SHOPS;
      expect(await all().groupBy('shop').having(upper(sale.shop).eq(shop.toUpperCase())).find()).toEqual(counted(SALES.filter((row) => row.shop === shop))); // prettier-ignore
      const byKey = all().groupBy('id').having(and(sale.pieces.eq(SALES[4]?.pieces ?? 0), add(sale.pieces, sale.id).lt(9))); // prettier-ignore
      expect(await byKey.find()).toEqual(SALES.filter(({ id, pieces }) => pieces === SALES[4]?.pieces && pieces + id < 9).map(() => ({ n: 1 }))); // prettier-ignore
      const most = Math.max(...SALES.map(({ pieces }) => pieces));
      const one = and(sale.pieces.eq(most), sale.pieces.max().eq(most), max(add(sale.pieces, 1)).eq(most + 1));
      expect(await all().groupBy('id').having(one).find()).toEqual(SALES.filter(({ pieces }) => pieces === most).map(() => ({ n: 1 }))); // prettier-ignore
      for (const loose of [sale.pieces.gt(1), add(sale.pieces, 1).gt(1), or(countAll().gt(1), sale.note.isNull())])
        await expect(
          (all().groupBy('shop').having(loose) as { find(): Promise<unknown> }).find(),
        ).rejects.toMatchObject({
          code: 'FW_ORM_QUERY_FORM',
          details: { problem: expect.stringMatching(/^groups are kept by "(pieces|note)"/) },
        });
    });

    test('of some rows, and of each value once', async () => {
      const where = and(sale.paid.eq(true), sale.pieces.gt(2));
      const perShop = await sales()
        .select('shop', sum(sale.pieces, { where }).as('paid'), count(value(1), { where }).as('rows'))
        .select(
          sum(sale.price, { distinct: true }).as('prices'),
          avg(sale.pieces, { distinct: true, where }).as('mean'),
        )
        .select(max(sale.pieces, { where: sale.paid.eq(false) }).as('most'))
        .groupBy('shop')
        .having(count(value(1), { where }).gt(0))
        .orderBy(sale.shop.asc())
        .find();
      const once = (numbers: readonly number[]) => [...new Set(numbers)];
      const total = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
      const expected = [...SHOPS].sort().map((shop) => {
        const own = SALES.filter((row) => row.shop === shop);
        const some = own.filter(({ paid, pieces }) => paid && pieces > 2).map(({ pieces }) => pieces);
        return {
          shop,
          paid: total(some),
          rows: some.length,
          prices: String(total(once(own.map(({ price }) => Math.round(Number(price) * 100)))) / 100),
          mean: expect.closeTo(total(once(some)) / once(some).length, 10),
          most: Math.max(...own.filter(({ paid }) => !paid).map(({ pieces }) => pieces)),
        };
      });
      expect(perShop).toEqual(expected);
    });

    test('at paths of JSON, by the type of what stands there', async () => {
      const extras = SALES.map(({ extra }) => extra as Record<string, unknown> | null);
      const ofType = <Value>(type: string, get: (extra: Extra) => unknown): (Value | null)[] =>
        extras.map((extra) => {
          const found = extra === null ? null : get(extra as never);
          return typeof found === type ? (found as Value) : null;
        });
      expect(await read(jsonString(sale.extra, 'size'))).toEqual(ofType('string', ({ size }) => size));
      expect(await read(jsonNumber(sale.extra, 'size'))).toEqual(ofType('number', ({ size }) => size));
      expect(await read(jsonNumber(sale.extra, 'count'))).toEqual(ofType('number', ({ count: n }) => n));
      expect(await read(jsonBoolean(sale.extra, 'gift'))).toEqual(ofType('boolean', ({ gift }) => gift));
      expect(await read(jsonString(sale.extra, 'tags', 1))).toEqual(ofType('string', ({ tags }) => tags?.[1]));
      expect(await read(jsonString(sale.extra, 'tags', 0, 'name'))).toEqual(
        ofType('string', ({ tags }) => (tags?.[0] as { readonly name?: string } | undefined)?.name),
      );
      expect(await read(jsonString(sale.extra, 'deep', 'a b'))).toEqual(ofType('string', ({ deep }) => deep?.['a b']));
      expect(await sales().where(jsonNumber(sale.extra, 'count').gte(2)).count()).toBe(6);
      const whole = (get: (extra: Extra) => unknown) =>
        extras.map((extra) => (extra === null ? null : (get(extra as never) ?? null)));
      expect(await read(jsonAt(sale.extra, 'size'))).toEqual(whole(({ size }) => size));
      expect(await read(jsonAt(sale.extra, 'count'))).toEqual(whole(({ count: n }) => n));
      expect(await read(jsonAt(sale.extra, 'gift'))).toEqual(whole(({ gift }) => gift));
      expect(await read(jsonAt(sale.extra, 'tags'))).toEqual(whole(({ tags }) => tags));
      expect(await read(jsonAt(sale.extra, 'tags', 0))).toEqual(whole(({ tags }) => tags?.[0]));
      expect(await read(jsonAt(sale.extra, 'deep'))).toEqual(whole(({ deep }) => deep));
      const inner = jsonAt(sale.extra, 'size');
      const refused = async (query: unknown) =>
        expect((async () => (query as () => { find(): Promise<unknown> })().find())()).rejects.toMatchObject({
          code: 'FW_ORM_QUERY_FORM',
        });
      await refused(() => sales().where(inner.eq('L')));
      await refused(() => sales().where(sale.shop.eq(inner as never)));
      await refused(() => sales().where(inner.in(['L'])));
      await refused(() => sales().where(inner.between('A', 'Z')));
      await refused(() => sales().orderBy(inner.asc()));
      await refused(() => sales().select(inner.as('size')).groupBy(inner));
      await refused(() => sales().select(inner.as('size')).distinct());
      expect(await sales().where(inner.isNull()).count()).toBe(extras.filter((extra) => extra === null).length);
      for (const step of ['a"b', 'a\\b', '', 0.5, null])
        expect(() => jsonString(sale.extra, step as never)).toThrow(expect.objectContaining({ code: 'FW_ORM_VALUE' }));
      expect(() => jsonString(sale.shop, 'a')).toThrow(expect.objectContaining({ code: 'FW_ORM_VALUE' }));
    });

    test('are compared with columns, and assigned', async () => {
      const equal = await ordered()
        .where(sale.pieces.eq(add(sale.returned, 4)))
        .find();
      expect(equal.map(({ id }) => id)).toEqual(
        SALES.flatMap(({ id, pieces, returned }) => (returned !== null && pieces === returned + 4 ? [id] : [])),
      );
      expect(await sales().where(add(sale.pieces, 1).between(2, 4)).count()).toBe(
        SALES.filter(({ pieces }) => pieces + 1 >= 2 && pieces + 1 <= 4).length,
      );
      const [first] = SALES as [Sale];
      const one = sales().where({ id: first.id });
      await one.updateAll(
        sale.pieces.set(add(multiply(sale.pieces, 2), 5)),
        sale.note.set(concat(sale.shop, '!')),
        sale.soldAt.set(dateAdd(sale.soldAt, 1, 'hour')),
        sale.price.set(caseWhen(sale.paid.eq(true), add(sale.price, '1')).otherwise(sale.price)),
      );
      const written = await one.first();
      expect([written.pieces, written.note, written.soldAt.getTime(), Number(written.price)]).toEqual([
        first.pieces * 2 + 5,
        `${first.shop}!`,
        first.soldAt.getTime() + 3_600_000,
        Number(first.price) + 1,
      ]);
      await one.delete();
      await model(db, Sale).create(first as never);
    });
  });
}
