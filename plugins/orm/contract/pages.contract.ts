import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  db as column,
  model,
  or,
  selectExpr,
  table,
  withPlugins,
  type Database,
  type Int,
  type OrmPlugin,
} from '../index.js';
import type { Subject } from './subject.js';
import { columnsOf, registerDeclared } from './model-columns.js';
import { withTables } from './with-tables.js';

@table('cards')
class Card {
  @column('id,pk,type=int') id!: Int;
  @column('suit,index,type=string') suit!: string;
  @column('face,type=int,nullable') face!: Int | null;
  @column('owner_id,type=int') ownerId!: Int;
}

@table('owners')
class Owner {
  @column('id,pk,type=int') id!: Int;
  @column('code,unique,type=string') code!: string;
}

const MODELS = [Card, Owner];
registerDeclared(...MODELS);

const card = columnsOf(Card);
const owner = columnsOf(Owner);

const COUNT = 40;
const SUITS = ['clubs', 'hearts'];
// Written in another order than that of the key, so that a database that returns rows in physical order fails.
const CARDS = Array.from({ length: COUNT }, (_, at) => {
  const id = ((at * 17) % COUNT) + 1;
  return { id, suit: SUITS[id % 2] as string, face: id % 3 === 0 ? null : id % 3, ownerId: (id % 4) + 1 };
});

/** Pages of rows of which many have equal values, in whatever way the first of them is asked for; and objects as conditions. */
export function pagesContract({ name, dialect, create }: Subject): void {
  describe(`pages on ${name}`, () => {
    let db: Database;
    let statements = 0;
    const counter: OrmPlugin = { name: () => 'counter', beforeExecute: () => void statements++ };

    withTables(create, dialect, MODELS, (opened) => (db = opened), withPlugins(counter));

    beforeAll(async () => {
      await model(db, Owner).createBatch([1, 2, 3, 4].map((id) => ({ id, code: `o${id}` })));
      await model(db, Card).createBatch(CARDS);
    });

    const ids = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);
    const cards = () => model(db, Card);
    const bySuit = (desc: boolean) =>
      [...CARDS].sort((a, b) => (a.suit < b.suit ? -1 : a.suit > b.suit ? 1 : a.id - b.id) * (desc ? -1 : 1));
    const orders = [
      ['by key', cards, [...CARDS].sort((a, b) => a.id - b.id)],
      ['ascending', () => cards().orderBy(card.suit.asc()), bySuit(false)],
      ['descending', () => cards().orderBy(card.suit.desc()), bySuit(true)],
      [
        'beside another table',
        () => cards().innerJoin(Owner, 'o', owner.id.of('o').eq(card.ownerId)).orderBy(card.suit.asc()),
        bySuit(false),
      ],
    ] as const;

    test.each(orders)(
      '%s: a first page without a cursor is followed by the others',
      async (_order, query, expected) => {
        for (const size of [1, 3, 7]) {
          const seen: Card[] = await query().limit(size).find();
          while (seen.length < COUNT) {
            const page: Card[] = await query().after(query().cursorOf(seen.at(-1) as Card)).limit(size).find(); // prettier-ignore
            expect(page.length).toBeGreaterThan(0);
            seen.push(...page);
          }
          expect(ids(seen)).toEqual(ids(expected));
        }
      },
    );

    test.each(orders)('%s: pages by number, and undefined as the first cursor', async (_order, query, expected) => {
      const seen: Card[] = [];
      for (let page = 1; seen.length < COUNT; page++) seen.push(...(await query().page(page, 7).find()));
      expect(ids(seen)).toEqual(ids(expected));
      expect(ids(await query().after(undefined).limit(3).find())).toEqual(ids(expected.slice(0, 3)));
      expect(
        ids(
          await query()
            .offset(COUNT - 2)
            .find(),
        ),
      ).toEqual(ids(expected.slice(-2)));
      if (query !== cards) expect((await query().first()).id).toBe(expected[0]?.id);
    });

    test('what the key does not tell apart is asked for as it is', async () => {
      const suits = cards().select('suit').distinct().orderBy(card.suit.asc());
      expect(await suits.page(2, 1).find()).toEqual([{ suit: 'hearts' }]);
      const groups = cards().select('suit').groupBy('suit').orderBy(card.suit.desc());
      expect(await groups.limit(1).find()).toEqual([{ suit: 'hearts' }]);
      const counted = await cards().select(selectExpr('COUNT(*)', 'n')).limit(1).find();
      expect(counted.map(({ n }) => Number(n))).toEqual([COUNT]);
    });

    test('the only row is one of two at most, and none within a limit of 0', async () => {
      expect((await cards().where({ id: 7 }).only()).id).toBe(7);
      await expect(cards().only()).rejects.toMatchObject({ code: 'FW_ORM_SEVERAL_ROWS' });
      await expect(cards().where({ id: 7 }).limit(0).only()).rejects.toMatchObject({ code: 'FW_ORM_NO_ROWS' });
    });

    test('an object asks for equal values, and null for null', async () => {
      const found = await cards().where({ suit: 'hearts', face: null }).orderBy(card.id.asc()).find();
      const expected = CARDS.filter(({ suit, face }) => suit === 'hearts' && face === null);
      expect(ids(found)).toEqual(ids(expected).sort((a, b) => a - b));
      expect(await cards().where({ ownerId: 2 }).where(card.face.isNotNull()).count()).toBe(
        CARDS.filter(({ ownerId, face }) => ownerId === 2 && face !== null).length,
      );
      expect(await cards().where({}).count()).toBe(COUNT);
      expect(await cards().where({ id: 7 }).updateAll(card.face.set(1))).toBe(1);
    });

    test('an object of what is no column, or of no value, is refused before anything is sent', async () => {
      statements = 0;
      const details = expect.objectContaining({ model: 'Card', field: 'face' });
      expect(() => cards().where({ face: undefined })).toThrow(
        expect.objectContaining({ code: 'FW_ORM_VALUE', details }),
      );
      expect(() => cards().where({ faec: 1 } as never)).toThrow(
        expect.objectContaining({ code: 'FW_ORM_UNKNOWN_COLUMN' }),
      );
      for (const value of [{ gt: '' }, { column: 'id', op: 'neq', value: 0 }, ['clubs'], 1])
        await expect(
          cards()
            .where({ suit: value } as never)
            .find(),
        ).rejects.toMatchObject({ code: 'FW_ORM_VALUE' });
      expect(() => cards().where([] as never)).toThrow(expect.objectContaining({ code: 'FW_ORM_EXPRESSION' }));
      expect(statements).toBe(0);
    });

    test('what can match no row is not asked for', async () => {
      statements = 0;
      const none = cards().where(or());
      expect([await none.exists(), await none.count(), await none.find()]).toEqual([false, 0, []]);
      expect(await none.limit(3).count()).toBe(0);
      await expect(none.first()).rejects.toMatchObject({ code: 'FW_ORM_NO_ROWS' });
      await expect(none.only()).rejects.toMatchObject({ code: 'FW_ORM_NO_ROWS' });
      expect(await cards().where(card.id.isNull()).exists()).toBe(false);
      expect(statements).toBe(0);
      expect(await cards().where({ id: 7 }).exists()).toBe(true);
      expect(statements).toBe(1);
    });
  });
}
