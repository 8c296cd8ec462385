import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  add,
  and,
  coalesce,
  countAll,
  db as column,
  model,
  multiply,
  open,
  scalar,
  sum,
  table,
  tenant,
  tuple,
  withPlugins,
  type Database,
  type Int,
} from '../index.js';
import type { Subject } from './subject.js';
import { columnsOf, registerDeclared } from './model-columns.js';
import { withTables } from './with-tables.js';

@table('baskets')
class Basket {
  @column('id,pk,type=int') id!: Int;
  @column('buyer,type=string') buyer!: string;
  @column('total,type=int,nullable') total!: Int | null;
  @column('tenant,type=string') tenant!: string;
}

@table('basket_lines')
class Line {
  @column('basket_id,pk,type=int') basketId!: Int;
  @column('place,pk,type=int') place!: Int;
  @column('pieces,type=int') pieces!: Int;
  @column('tenant,type=string') tenant!: string;
}

const MODELS = [Basket, Line];
registerDeclared(...MODELS);

const basket = columnsOf(Basket);
const line = columnsOf(Line);

const BASKETS = [1, 2, 3, 4].map((id) => ({ id, buyer: `b${id}`, total: null, tenant: id === 4 ? 'other' : 'own' }));
const LINES = [
  { basketId: 1, place: 1, pieces: 5, tenant: 'own' },
  { basketId: 1, place: 2, pieces: 2, tenant: 'own' },
  { basketId: 2, place: 1, pieces: 7, tenant: 'own' },
  { basketId: 2, place: 2, pieces: 1, tenant: 'other' },
  { basketId: 4, place: 1, pieces: 9, tenant: 'other' },
];

/** Queries in the place of a value, wherever one may stand, and tuples. */
export function subselectsContract({ name, dialect, create, habits = {} }: Subject): void {
  describe(`sub-selects on ${name}`, () => {
    let db: Database;
    let owned: Database;

    withTables(create, dialect, MODELS, (opened, made) => {
      db = opened;
      owned = open(made.handle, dialect, withPlugins(tenant('tenant', () => 'own')));
    });

    beforeAll(async () => {
      await model(db, Basket).createBatch(BASKETS);
      await model(db, Line).createBatch(LINES);
    });

    const its = (on: Database) => model(on, Line).where(line.basketId.eq(basket.id));
    const pieces = (on: Database) => scalar(its(on).select(sum(line.pieces).as('n')));
    const sumOf = (id: number, lines = LINES) => {
      const own = lines.filter(({ basketId }) => basketId === id);
      return own.length === 0 ? null : own.reduce((all, { pieces: n }) => all + n, 0);
    };

    test('are values of each row in select, order, where and arithmetic', async () => {
      const found = await model(db, Basket)
        .select('id', pieces(db).as('pieces'), scalar(its(db).select(countAll())).as('lines'))
        .select(coalesce(multiply(pieces(db), 2), 0).as('twice'))
        .orderBy(pieces(db).desc('last'))
        .find();
      expect(found).toEqual(
        [4, 2, 1, 3].map((id) => ({
          id,
          pieces: sumOf(id),
          lines: LINES.filter(({ basketId }) => basketId === id).length,
          twice: (sumOf(id) ?? 0) * 2,
        })),
      );
      const many = model(db, Basket).where(pieces(db).gt(7)).orderBy(basket.id.asc());
      expect((await many.find()).map(({ id }) => id)).toEqual([2, 4]);
      expect(await many.count()).toBe(2);
    });

    test('give the value of the first row, and null without any', async () => {
      const last = scalar(its(db).select('pieces').orderBy(line.place.desc()));
      const found = await model(db, Basket).select('id', last.as('last')).orderBy(basket.id.asc()).find();
      expect(found.map(({ last: n }) => n)).toEqual([2, 1, null, 9]);
      const none = scalar(its(db).select('pieces').limit(0));
      expect(await model(db, Basket).where(none.isNotNull()).count()).toBe(0);
      expect(() => model(db, Basket).select(scalar(its(db)).as('n')).shape).not.toThrow();
      await expect(
        model(db, Basket)
          .select(scalar(its(db)).as('n'))
          .find(),
      ).rejects.toMatchObject({
        code: 'FW_ORM_QUERY_FORM',
      });
    });

    test('are assigned', async () => {
      expect(await model(db, Basket).updateAll(basket.total.set(add(coalesce(pieces(db), 0), 1)))).toBe(4);
      const totals = (await model(db, Basket).orderBy(basket.id.asc()).find()).map(({ total }) => total);
      expect(totals).toEqual([1, 2, 3, 4].map((id) => (sumOf(id) ?? 0) + 1));
    });

    test('see only the rows that plugins let them see', async () => {
      const own = LINES.filter((each) => each.tenant === 'own');
      const query = model(owned, Basket).select('id', pieces(owned).as('pieces')).orderBy(pieces(owned).desc('last'));
      expect(await query.find()).toEqual([1, 2, 3].map((id) => ({ id, pieces: sumOf(id, own) })));
      expect(await model(owned, Basket).where(pieces(owned).gte(7)).count()).toBe(2);
      await model(owned, Basket)
        .where(basket.id.eq(2))
        .updateAll(basket.total.set(pieces(owned)));
      expect((await model(db, Basket).where({ id: 2 }).first()).total).toBe(7);
      const grouped = model(owned, Basket).select(pieces(owned).as('n'), countAll()).groupBy(pieces(owned));
      expect(await grouped.where(basket.id.eq(1)).find()).toEqual([{ n: 7, count: 1 }]);
    });

    test('what is computed is among the values of a query', async () => {
      const big = (on: Database) => model(on, Line).where(line.pieces.gt(4)).select(add(line.basketId, 1).as('next'));
      const wanted = LINES.filter((each) => each.pieces > 4).map(({ basketId }) => basketId + 1);
      const next = add(basket.id, 1);
      const ids = async (query: { find(): Promise<readonly { id: number }[]> }) =>
        (await query.find()).map(({ id }) => id).sort((a, b) => a - b);
      const of = (on: Database) => model(on, Basket).select('id').where(basket.id.gte(1));
      const held = BASKETS.map(({ id }) => id);
      expect(await ids(of(db).where(next.in(big(db))))).toEqual(held.filter((id) => wanted.includes(id + 1)));
      expect(await ids(of(db).where(and(next.notIn(big(db)), basket.id.lt(9))))).toEqual(
        held.filter((id) => !wanted.includes(id + 1)),
      );
      // Columns of the query around it, and values on both sides of the text.
      const same = model(db, Line)
        .where(and(line.basketId.eq(basket.id), line.pieces.gt(4)))
        .select('basketId');
      expect(await ids(of(db).where(multiply(basket.id, 1).in(same)))).toEqual(
        held.filter((id) => LINES.some((each) => each.basketId === id && each.pieces > 4)),
      );
      const own = LINES.filter((each) => each.tenant === 'own' && each.pieces > 4).map(({ basketId }) => basketId + 1);
      const mine = BASKETS.filter((each) => each.tenant === 'own').map(({ id }) => id);
      expect(await ids(of(owned).where(next.in(big(owned))))).toEqual(mine.filter((id) => own.includes(id + 1)));
      await expect(
        of(db)
          // @ts-expect-error whole rows are no values
          .where(next.in(model(db, Line)))
          .find(),
      ).rejects.toMatchObject({ code: 'FW_ORM_QUERY_FORM' });
      expect(() => next.in('1,2' as never)).toThrow(expect.objectContaining({ code: 'FW_ORM_EXPRESSION' }));
    });

    test('tuples are in lists and in queries', async () => {
      const key = tuple(line.basketId, line.place);
      const listed = model(db, Line).where(key.in([[1, 2], [2, 1], [9, 9]])).orderBy(line.basketId.asc()); // prettier-ignore
      expect((await listed.find()).map(({ pieces: n }) => n)).toEqual([2, 7]);
      expect(await model(db, Line).where(key.notIn([[1, 2], [2, 1], [9, 9]])).count()).toBe(3); // prettier-ignore
      const big = model(db, Line).select('basketId', 'place').where(line.pieces.gt(4));
      const inQuery = model(db, Line).where(key.in(big)).count();
      if (habits.refuses?.includes('tuples in a query'))
        await expect(inQuery).rejects.toMatchObject({ code: 'FW_ORM_UNSUPPORTED' }); // prettier-ignore
      else expect(await inQuery).toBe(3);
      const refused = (list: unknown, code: string) =>
        expect(() => model(db, Line).where(key.in(list as never))).toThrow(expect.objectContaining({ code }));
      refused([], 'FW_ORM_EMPTY_LIST');
      refused([[1]], 'FW_ORM_VALUE');
      refused([[1, null]], 'FW_ORM_VALUE');
      refused([[1, 2], 3], 'FW_ORM_VALUE');
      await expect(model(db, Line).where(key.in([[1, 'x']] as never)).find()).rejects.toMatchObject({ code: 'FW_ORM_VALUE' }); // prettier-ignore
    });
  });
}
