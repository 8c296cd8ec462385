import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  add,
  caseWhen,
  coalesce,
  concat,
  cte,
  db as column,
  derived,
  excluded,
  lower,
  max,
  model,
  multiply,
  open,
  raw,
  scalar,
  softDelete,
  sum,
  table,
  tenant,
  upper,
  withPlugins,
  type Database,
  type Int,
  type OpenOptions,
} from '../index.js';
import { createMissingTables } from '../schema/index.js';
import type { Subject, TestDatabase } from './subject.js';
import { columnsOf, registerDeclared } from './model-columns.js';
import { withTables } from './with-tables.js';

@table('w_goods')
class Good {
  @column('id,pk,type=int') id!: Int;
  @column('sku,unique,type=string,size=20') sku!: string;
  @column('pieces,type=int') pieces!: Int;
  @column('price,type=int') price!: Int;
  @column('shelf_id,type=int,nullable') shelfId!: Int | null;
  @column('gone_at,type=date,nullable') goneAt!: Date | null;
  @column('owner,type=string,size=10,default=own') owner!: string;
}

@table('w_shelves')
class Shelf {
  @column('id,pk,type=int') id!: Int;
  @column('factor,type=int') factor!: Int;
  @column('room,type=string,size=10') room!: string;
  @column('gone_at,type=date,nullable') goneAt!: Date | null;
  @column('owner,type=string,size=10,default=own') owner!: string;
}

@table('w_copies')
class Copy {
  @column('id,pk,autoincrement,type=int') id!: Int;
  @column('sku,type=string,size=20') sku!: string;
  @column('pieces,type=int') pieces!: Int;
  @column('state,type=string,size=10') state = 'new';
  @column('made_at,filled=create') madeAt!: Date;
}

@table('w_parts')
class Part {
  @column('good_id,pk,type=int') goodId!: Int;
  @column('place,pk,type=int') place!: Int;
  @column('n,type=int') n!: Int;
}

@table('w_noted')
class Noted {
  @column('id,pk,type=int') id!: Int;
  @column('note,type=json') note!: unknown;
}

@table('w_desks', { indexes: [{ columns: ['room'], unique: true, where: "left_it = 'no'" }] })
class Desk {
  @column('id,pk,type=int') id!: Int;
  @column('room,type=string,size=10') room!: string;
  @column('holder,type=string,size=10') holder!: string;
  @column('left_it,type=string,size=3') left!: string;
}

const MODELS = [Good, Shelf, Copy, Part, Noted];
registerDeclared(...MODELS, Desk);

const good = columnsOf(Good);
const shelf = columnsOf(Shelf);
const part = columnsOf(Part);

interface Row {
  readonly id: number;
  readonly sku: string;
  readonly pieces: number;
  readonly price: number;
  readonly shelfId: number | null;
}

const GOODS: readonly Row[] = Array.from({ length: 9 }, (_, at) => ({
  id: at + 1,
  sku: `s${at + 1}`,
  pieces: (at * 7) % 5,
  price: at * 10,
  shelfId: at % 4 === 0 ? null : (at % 4) + 10,
}));
const SHELVES = [11, 12, 13].map((id) => ({ id, factor: id - 9, room: id === 13 ? 'cellar' : 'hall' }));

const byId = <Item extends { readonly id: number }>(rows: readonly Item[]): Item[] =>
  [...rows].sort((a, b) => a.id - b.id);

/** Writes of sets of rows: the same as those of JavaScript's lists. */
export function setWritesContract({ name, dialect, create, habits = {} }: Subject): void {
  describe(`writes of sets on ${name}`, () => {
    let db: Database;
    let made: TestDatabase;

    withTables(create, dialect, MODELS, (opened, its) => ([db, made] = [opened, its]));

    beforeEach(async () => {
      for (const each of MODELS) await model(db, each as new () => object).delete();
      await model(db, Shelf).createBatch(SHELVES);
      await model(db, Good).createBatch(GOODS as never);
    });

    const goods = async (): Promise<Row[]> =>
      model(db, Good).select('id', 'sku', 'pieces', 'price', 'shelfId').orderBy(good.id.asc()).find();
    const opened = (...options: OpenOptions[]) => open(made.handle, dialect, ...options);

    test('an update gives the rows as they are behind it, a delete as they were', async () => {
      const updated = await model(db, Good)
        .where(good.price.gt(40))
        .returning('id', multiply(good.pieces, 2).as('twice'))
        .updateAll(good.pieces.set(add(good.pieces, 1)), { timeout: 60_000 });
      const wanted = GOODS.filter(({ price }) => price > 40);
      expect(byId(updated)).toEqual(wanted.map(({ id, pieces }) => ({ id, twice: (pieces + 1) * 2 })));
      const whole = await model(db, Good).where({ id: 2 }).returning().updateAll(good.price.increment(5));
      expect(whole).toEqual([expect.objectContaining({ id: 2, price: 15, goneAt: null })]);
      expect(whole[0]).toBeInstanceOf(Good);
      // Where the condition holds no more behind the update.
      expect(await model(db, Good).where({ price: 15 }).returning('id').updateAll(good.price.set(0))).toEqual([
        { id: 2 },
      ]);
      const deleted = await model(db, Good).where(good.id.lte(2)).returning('id', 'sku').delete();
      expect(byId(deleted)).toEqual([{ id: 1, sku: 's1' }, { id: 2, sku: 's2' }]); // prettier-ignore
      expect(await model(db, Good).where(good.id.lte(2)).returning().delete()).toEqual([]);
      expect(await model(db, Good).count()).toBe(7);
      await model(db, Part).createBatch([1, 2, 3].map((place) => ({ goodId: 3, place, n: place })));
      const parts = await model(db, Part).where(part.n.gt(1)).returning('place', 'n').updateAll(part.n.set(multiply(part.n, 10))); // prettier-ignore
      expect(parts.sort((a, b) => a.place - b.place)).toEqual([{ place: 2, n: 20 }, { place: 3, n: 30 }]); // prettier-ignore
    });

    test('what is returned is of the rows that were written, each by itself', async () => {
      const refused = async (items: readonly unknown[], problem: string) =>
        expect(
          model(db, Good)
            .returning(...(items as ['id']))
            .delete(),
        ).rejects.toMatchObject({
          code: 'FW_ORM_QUERY_FORM',
          details: { problem: expect.stringContaining(problem) },
        });
      await expect(model(db, Good).returning(shelf.room as never).delete()).rejects.toMatchObject({ code: 'FW_ORM_COLUMN_OUT_OF_REACH' }); // prettier-ignore
      await refused([sum(good.pieces).as('n')], 'each row');
      await expect(model(db, Good).limit(1).returning().delete()).rejects.toMatchObject({ code: 'FW_ORM_QUERY_FORM' });
      await expect(model(db, Good).returning().updateAll()).rejects.toMatchObject({ code: 'FW_ORM_NOTHING_TO_SET' });
      expect(await model(db, Good).count()).toBe(9);
    });

    test('rows of other tables decide which are written, and what is', async () => {
      const inCellar = model(db, Good).innerJoin(Shelf, 's', shelf.id.of('s').eq(good.shelfId)).where(shelf.room.of('s').eq('cellar')); // prettier-ignore
      expect(await inCellar.updateAll(good.price.set(1))).toBe(2);
      const shelved = model(db, Good).innerJoin(Shelf, 's', shelf.id.of('s').eq(good.shelfId));
      await shelved.updateAll(good.pieces.set(multiply(good.pieces, shelf.factor.of('s'))), good.price.increment(2));
      const factor = (id: number | null) => SHELVES.find((each) => each.id === id)?.factor;
      const expected = GOODS.map((each) => {
        const by = factor(each.shelfId);
        const price = each.shelfId === 13 ? 1 : each.price;
        return by === undefined ? each : { ...each, pieces: each.pieces * by, price: price + 2 };
      });
      expect(await goods()).toEqual(expected);
      // A column in the place of a value, of the row itself and of a joined one.
      await shelved.updateAll(good.pieces.set(shelf.factor.of('s')));
      await model(db, Good).updateAll(good.price.set(good.id));
      const copied = expected.map((each) => ({ ...each, pieces: factor(each.shelfId) ?? each.pieces, price: each.id }));
      expect(await goods()).toEqual(copied);
      const few = await shelved.where(shelf.factor.of('s').lt(4)).returning('id').updateAll(good.price.set(0));
      expect(byId(few).map(({ id }) => id)).toEqual(expected.filter(({ shelfId }) => (factor(shelfId) ?? 9) < 4).map(({ id }) => id)); // prettier-ignore
      expect(byId(await inCellar.returning('id').delete())).toEqual([{ id: 4 }, { id: 8 }]);
      expect(await shelved.delete()).toBe(4);
      expect((await goods()).map(({ id }) => id)).toEqual([1, 5, 9]);
    });

    test('a write gives what joined rows hold beside what it wrote', async () => {
      const shelved = model(db, Good).innerJoin(Shelf, 's', shelf.id.of('s').eq(good.shelfId));
      const roomOf = (id: number | null) => SHELVES.find((each) => each.id === id)?.room ?? '';
      const held = GOODS.filter(({ shelfId }) => SHELVES.some(({ id }) => id === shelfId));
      // The join is as it was, also where the update changes what it is by.
      const updated = await shelved
        .returning(
          'id',
          good.pieces,
          shelf.room.of('s'),
          shelf.id.of('s').as('shelf'),
          upper(shelf.room.of('s')).as('loud'),
        )
        .updateAll(good.pieces.increment(1), good.shelfId.set(null));
      const wanted = held.map(({ id, pieces, shelfId }) => ({ id, pieces: pieces + 1, room: roomOf(shelfId), shelf: shelfId, loud: roomOf(shelfId).toUpperCase() })); // prettier-ignore
      expect(byId(updated)).toEqual(wanted);
      for (const each of held) await model(db, Good).where({ id: each.id }).updateAll(good.shelfId.set(each.shelfId));

      // A row of the same table, which may be written too, is as it was.
      const next = model(db, Good).innerJoin(Good, 'next', good.id.of('next').eq(good.shelfId));
      await model(db, Good).updateAll(good.shelfId.set(add(good.id, 1)));
      const twins = await next.returning('id', good.price, good.price.of('next').as('nextPrice')).updateAll(good.price.set(0)); // prettier-ignore
      expect(byId(twins)).toEqual(GOODS.slice(0, -1).map(({ id }, at) => ({ id, price: 0, nextPrice: GOODS[at + 1]?.price }))); // prettier-ignore
      for (const each of GOODS) await model(db, Good).where({ id: each.id }).updateAll(good.shelfId.set(each.shelfId));

      const both = shelved.returning('id', multiply(good.pieces, shelf.factor.of('s')).as('n'));
      if (habits.refuses?.includes('returned value of two tables'))
        await expect(both.delete()).rejects.toMatchObject({ code: 'FW_ORM_UNSUPPORTED' });
      else expect(await both.updateAll(good.pieces.increment(0))).toHaveLength(held.length);
      const several = model(db, Good)
        .innerJoin(Part, 'p', part.goodId.of('p').eq(good.id))
        .returning('id', part.n.of('p'));
      await expect(several.delete()).rejects.toMatchObject({ details: { problem: expect.stringContaining('several rows') } }); // prettier-ignore

      const deleted = await shelved.returning(shelf.id.of('s'), good.sku).delete();
      expect(deleted.sort((a, b) => (a.sku < b.sku ? -1 : 1))).toEqual(held.map(({ sku, shelfId }) => ({ sku, id: shelfId }))); // prettier-ignore
      expect(await model(db, Good).count()).toBe(GOODS.length - held.length);
    });

    test('rows of queries decide it too, under a name or without', async () => {
      await model(db, Part).createBatch(GOODS.flatMap(({ id }) => [1, 2].map((place) => ({ goodId: id, place, n: id * place })))); // prettier-ignore
      const query = model(db, Part).where(part.n.gt(4)).select('goodId', sum(part.n).as('n')).groupBy('goodId');
      const sumOf = (id: number) => [id, id * 2].filter((n) => n > 4).reduce((all, n) => all + n, 0);
      const expected = GOODS.map((each) => ({ ...each, price: sumOf(each.id) || each.price }));
      for (const sums of [derived('sums', query), cte('sums', query)]) {
        await model(db, Good).innerJoin(sums, sums.columns.goodId.eq(good.id)).updateAll(good.price.set(add(sums.columns.n, 0) as never)); // prettier-ignore
        expect(await goods()).toEqual(expected);
      }
      const big = cte('big', model(db, Part).where(part.n.gte(16)).select('goodId').distinct());
      expect(await model(db, Good).innerJoin(big, big.columns.goodId.eq(good.id)).delete()).toBe(2);
      await model(db, Good)
        .where(good.id.in(model(db, Part).where(part.n.eq(1)).select('goodId')))
        .delete();
      expect((await goods()).map(({ id }) => id)).toEqual([2, 3, 4, 5, 6, 7]);
    });

    test('the first rows in an order are written where a query picks their keys', async () => {
      const goods = () => model(db, Good);
      const before = await goods().orderBy(good.price.desc(), good.id.asc()).find();
      const two = goods().orderBy(good.price.desc(), good.id.asc()).limit(2).select('id');
      expect(await goods().where(good.id.in(two)).updateAll(good.pieces.set(77))).toBe(2);
      const ids = before.slice(0, 2).map(({ id }) => id);
      const written = await goods().where(good.pieces.eq(77)).find();
      expect(written.map(({ id }) => id).sort()).toEqual(ids.sort());
      expect(await goods().where(good.id.in(two)).delete()).toBe(2);
      expect(await goods().where(good.id.in(ids)).count()).toBe(0);
    });

    test('a value of several rows of a join is refused, and so is what no write takes', async () => {
      const refused = async (write: Promise<unknown>, problem: string) =>
        expect(write).rejects.toMatchObject({ details: { problem: expect.stringContaining(problem) } });
      const parts = model(db, Good).innerJoin(Part, 'p', part.goodId.of('p').eq(good.id));
      await refused(parts.updateAll(good.price.set(add(part.n.of('p'), 1))), 'several rows');
      const one = model(db, Good).innerJoin(Part, 'p', part.goodId.of('p').eq(good.id)).where(good.id.eq(1));
      await refused(one.updateAll(good.price.set(add(part.n.of('p'), 1))), 'several rows');
      expect(await parts.updateAll(good.price.set(1))).toBe(0);
      await refused(model(db, Good).leftJoin(Shelf, 's', shelf.id.of('s').eq(good.shelfId)).delete(), 'inner joins');
      await refused(model(db, Good).as('g').delete(), 'name of its own');
    });

    test('columns that are computed of each other are read as they were', async () => {
      await model(db, Good).where({ id: 3 }).updateAll(good.price.set(add(good.price, 1)), good.pieces.set(add(good.price, 0))); // prettier-ignore
      expect((await goods())[2]).toMatchObject({ price: 21, pieces: 20 });
      const swap = model(db, Good).where({ id: 3 }).updateAll(good.price.set(add(good.pieces, 0)), good.pieces.set(add(good.price, 0))); // prettier-ignore
      if (habits.refuses?.includes('swap of columns'))
        await expect(swap).rejects.toMatchObject({ code: 'FW_ORM_UNSUPPORTED' });
      else {
        await swap;
        expect((await goods())[2]).toMatchObject({ price: 20, pieces: 21 });
      }
    });

    test('plugins hide rows of the joined tables and of those that are returned', async () => {
      const soft = opened(withPlugins(softDelete('gone_at')));
      await model(soft, Shelf).where({ id: 13 }).delete();
      const shelved = model(soft, Good).innerJoin(Shelf, 's', shelf.id.of('s').eq(good.shelfId));
      expect(byId(await shelved.returning('id').updateAll(good.price.set(7))).map(({ id }) => id)).toEqual([
        2, 3, 6, 7,
      ]);
      const marked = await shelved.where(good.id.lt(4)).returning('id', 'goneAt').delete();
      expect(byId(marked)).toEqual([2, 3].map((id) => ({ id, goneAt: expect.any(Date) })));
      expect(await model(db, Good).count()).toBe(9);
      const own = opened(withPlugins(tenant('owner', () => 'else')));
      expect(await model(own, Good).returning().delete()).toEqual([]);
      await expect(model(own, Good).createFrom(model(own, Good).select('id', 'sku', 'pieces', 'price', 'shelfId', 'owner'))).rejects.toMatchObject({ code: 'FW_ORM_TENANT_FOREIGN' }); // prettier-ignore
    });

    test('a new row has what the database computes', async () => {
      const copies = model(db, Copy);
      const { pieces } = columnsOf(Copy);
      const all = scalar(model(db, Good).select(sum(good.pieces).as('all')));
      const [{ all: total }] = (await model(db, Good).select(sum(good.pieces).as('all')).find()) as [{ all: number }];
      const one = await copies.create({ sku: concat('s', lower('ONE')), pieces: all as never });
      expect(one).toMatchObject({ id: 1, sku: 'sone', pieces: total, state: 'new', madeAt: expect.any(Date) });
      expect(one).toBeInstanceOf(Copy);
      // Of the table that it is written to, with parameters on both sides of values of the row.
      const next = add(scalar(model(db, Copy).where(pieces.gt(1)).select(max(pieces).as('most'))) as never, 5);
      const two = await copies.create({
        pieces: next as never,
        sku: 's2',
        state: caseWhen(all.gt(2), 'many').otherwise('few'),
      });
      expect(two).toMatchObject({ id: 2, sku: 's2', pieces: total + 5, state: 'many' });
      expect(await copies.where({ id: 2 }).first()).toEqual(two);
      expect(await copies.create({ sku: lower('X'), pieces: add(1, 2) })).toMatchObject({ sku: 'x', pieces: 3 });
      expect(await copies.create({ sku: lower('Y'), pieces: add(3, 4) })).toMatchObject({ sku: 'y', pieces: 7 });
      const own = opened(withPlugins(tenant('owner', () => 'else')));
      const none = coalesce(scalar(model(own, Good).select(sum(good.pieces).as('all'))), 0);
      expect(await model(own, Copy).create({ sku: 'none', pieces: none })).toMatchObject({ pieces: 0 });
      const checked = opened({ validate: true });
      expect(await model(checked, Copy).create({ sku: lower('V'), pieces: add(1, 1) })).toMatchObject({
        sku: 'v',
        pieces: 2,
      });

      const refused = (run: () => Promise<unknown>, code: string) => expect(run()).rejects.toMatchObject({ code });
      await refused(() => copies.create({ sku: 'a', pieces: add(pieces, 1) as never }), 'FW_ORM_QUERY_FORM');
      await refused(() => copies.createBatch([{ sku: 'a', pieces: add(1, 1) as never }]), 'FW_ORM_VALUE');
      await refused(() => copies.upsertBatch([{ sku: 'a', pieces: add(1, 1) as never }]), 'FW_ORM_VALUE');
      await refused(() => model(db, Good).create({ id: add(1, 1), sku: 'a', pieces: 1, price: 1 }), 'FW_ORM_VALUE');
      expect(await copies.count()).toBe(6);
    });

    test('an upsert finds a row by an index of some rows, as the model declares it', async () => {
      const [made] = await Promise.allSettled([createMissingTables(db, [Desk])]);
      if (made.status === 'rejected') return expect(made.reason).toMatchObject({ code: 'FW_MIGRATE_UNSUPPORTED' });
      const desks = model(db, Desk);
      await desks.createBatch([
        { id: 1, room: 'a', holder: 'ada', left: 'yes' },
        { id: 2, room: 'a', holder: 'bob', left: 'no' },
      ]);
      const rows = ['a', 'b'].map((room, at) => ({ id: 10 + at, room, holder: 'cy', left: 'no' }));
      await desks.upsertBatch(rows, { conflict: 'room', update: ['holder'] });
      await desks.upsert({ id: 20, room: 'b', holder: 'di', left: 'no' }, { conflict: 'room', update: ['holder'] });
      await desks.upsert({ id: 21, room: 'b', holder: 'eve', left: 'no' }, { conflict: 'room', update: 'none' });
      const held = await desks.orderBy({ column: 'id' }).select('id', 'holder').find();
      expect(held).toEqual([{ id: 1, holder: 'ada' }, { id: 2, holder: 'cy' }, { id: 11, holder: 'di' }]); // prettier-ignore
      return undefined;
    });

    test('a write names the column of another table that it is given, and writes nothing', async () => {
      const refused = (run: () => Promise<unknown>, code: string, names: string) =>
        expect((async () => run())()).rejects.toMatchObject({ code, message: expect.stringContaining(names) });
      const before = await goods();
      const row = { id: 1, sku: 's1', pieces: 5, price: 1, shelfId: null };
      const factor = shelf.factor as never;
      const more = add(shelf.factor, 1) as never;
      const [out, form, wrong] = ['FW_ORM_COLUMN_OUT_OF_REACH', 'FW_ORM_QUERY_FORM', 'FW_ORM_VALUE'];
      const { create, createBatch, upsert, upsertBatch, update } = {
        create: (given: object) => () => model(db, Good).create(given as never),
        createBatch: (given: object) => () => model(db, Good).createBatch([given as never]),
        upsert: (given: object) => () => model(db, Good).upsert(given as never, { conflict: 'sku' }),
        upsertBatch: (options: object) => () => model(db, Good).upsertBatch([row], { conflict: 'sku', ...options }),
        update: (given: object) => () => model(db, Good).update(given as never),
      };
      const lent = scalar(model(db, Shelf).select(shelf.factor).where(shelf.id.eq(good.shelfId)) as never) as never;
      for (const value of [factor, more]) {
        await refused(create({ ...row, id: 30, price: value }), form, '"factor"');
        await refused(createBatch({ ...row, id: 30, price: value }), wrong, '.price');
        await refused(upsert({ ...row, price: value }), wrong, '.price');
        await refused(update({ ...row, price: value }), wrong, '.price');
        await refused(update({ ...row, price: value }), wrong, 'column.set(...)');
        await refused(upsertBatch({ set: [good.price.set(value)] }), out, '.factor');
      }
      await refused(create({ ...row, id: 30, price: lent }), form, '"shelfId"');
      await refused(upsertBatch({ set: [shelf.factor.set(1)] }), out, '.factor');
      await refused(upsertBatch({ set: [good.price.set(excluded(shelf.factor) as never)] }), out, 'excluded.factor');
      await refused(upsertBatch({ set: [good.price.set(good.price.of('b') as never)] }), out, 'b.price');
      if (habits.conditionalUpsert !== false) {
        await refused(upsertBatch({ where: shelf.factor.gt(1) }), out, '.factor');
        await refused(upsertBatch({ where: excluded(shelf.factor).gt(1) }), out, 'excluded.factor');
      }
      await refused(
        () => model(db, Good).upsert(row, { conflict: 'sku', set: [] } as never),
        'FW_ORM_OPTIONS',
        '"set"',
      );
      await refused(upsertBatch({ timeout: 5 }), 'FW_ORM_OPTIONS', '"timeout"');
      // What a column of JSON holds is data, whatever it is given.
      const json = model(db, Noted);
      for (const note of [shelf.room, lower(shelf.room), shelf.room.eq('hall')]) {
        await refused(() => json.createBatch([{ id: 1, note: note as never }]), wrong, '.note');
        await refused(() => json.update({ id: 1, note: note as never }), wrong, '.note');
      }
      expect(await goods()).toEqual(before);
      expect(await json.count()).toBe(0);
    });

    test('an update of joined rows writes no column of the other table, nor one of itself for it', async () => {
      const before = await goods();
      const joined = model(db, Good).innerJoin(Good, 'b', good.id.of('b').eq(good.shelfId));
      const assignments = [
        () => good.pieces.of('b').set(77),
        () => good.pieces.of('b').set(add(good.pieces, 1) as never),
        () => good.pieces.of('b').increment(1),
        () => good.pieces.of('b').setRaw(raw('1')),
      ];
      for (const assignment of assignments) {
        const run = async () => joined.updateAll(assignment() as never);
        await expect(run()).rejects.toMatchObject({
          code: 'FW_ORM_QUERY_FORM',
          message: expect.stringContaining('"b.pieces"'),
        });
      }
      expect(await goods()).toEqual(before);
      expect(
        await model(db, Good)
          .where({ id: 2 })
          .updateAll(good.price.of('w_goods').set(8) as never),
      ).toBe(1);
      expect(await model(db, Good).where({ price: 8 }).count()).toBe(1);
    });

    test('a value comes from another row of the same table, which its key lets the join find', async () => {
      const joined = model(db, Good).innerJoin(Good, 'b', good.pieces.eq(good.id.of('b')));
      const some = GOODS.filter(({ pieces }) => pieces > 0);
      expect(await joined.updateAll(good.price.set(good.id.of('b') as never))).toBe(some.length);
      const wanted = GOODS.map((row) => (row.pieces > 0 ? { ...row, price: row.pieces } : row));
      expect(await goods()).toEqual(wanted);
      const many = model(db, Good).innerJoin(Good, 'b', good.id.eq(good.pieces.of('b')));
      const several = async () => many.updateAll(good.price.set(good.id.of('b') as never));
      await expect(several()).rejects.toMatchObject({ code: 'FW_ORM_QUERY_FORM' });
    });

    test('rows of a query are inserted', async () => {
      const few = model(db, Good).where(good.id.lt(4)).select('sku', multiply(good.pieces, 3).as('pieces'));
      expect(await model(db, Copy).createFrom(few as never)).toBe(3);
      const copies = await model(db, Copy).orderBy({ column: 'sku' }).find();
      expect(copies.map(({ sku, pieces, state }) => [sku, pieces, state])).toEqual([['s1', 0, 'new'], ['s2', 6, 'new'], ['s3', 12, 'new']]); // prettier-ignore
      expect(copies.every(({ madeAt }) => madeAt instanceof Date)).toBe(true);
      const last = model(db, Good).orderBy(good.price.desc()).limit(2).select('sku', 'pieces');
      const names = cte('last_goods', last);
      const rows = model(db, Good).innerJoin(names, names.columns.sku.eq(good.sku)).select('sku', 'pieces');
      expect([await model(db, Copy).createFrom(last as never), await model(db, Copy).createFrom(rows as never)]).toEqual([2, 2]); // prettier-ignore
      expect(await model(db, Copy).createFrom(last.union(few) as never).catch((error: { code: string }) => error.code)).toBe('FW_ORM_QUERY_FORM'); // prettier-ignore
      expect(await model(db, Copy).count()).toBe(7);
      const refused = async (select: unknown, code: string) =>
        expect(model(db, Copy).createFrom(select as never)).rejects.toMatchObject({ code });
      await refused(model(db, Good).select('sku'), 'FW_ORM_NULL_VALUE');
      await refused(model(db, Good).select('id', 'sku', 'pieces'), 'FW_ORM_READ_ONLY_COLUMN');
      await refused(model(db, Good).select(good.pieces.as('sku'), 'pieces'), 'FW_ORM_QUERY_FORM');
      await refused(model(db, Good).select('sku', 'pieces', 'price'), 'FW_ORM_UNKNOWN_COLUMN');
      await refused({ sql: 'SELECT 1' }, 'FW_ORM_EXPRESSION');
    });

    test('upserts of many rows compute of the row that is there and of the new one', async () => {
      const rows = [2, 3, 20, 21].map((id) => ({ id, sku: `s${id}`, pieces: 5, price: id, shelfId: null }));
      await model(db, Good).upsertBatch(rows, {
        conflict: 'sku',
        update: ['price'],
        set: [good.pieces.set(add(good.pieces, excluded(good.pieces)))],
      });
      const added = rows.filter(({ id }) => id > 9);
      const expected = [...GOODS.map((each) => (each.id === 2 || each.id === 3 ? { ...each, price: each.id, pieces: each.pieces + 5 } : each)), ...added]; // prettier-ignore
      expect(await goods()).toEqual(expected);
      const larger = caseWhen(excluded(good.pieces).gt(good.pieces), excluded(good.pieces)).otherwise(good.pieces);
      const next = [
        { ...GOODS[0], pieces: 3 },
        { ...GOODS[7], pieces: 0, price: 9999 },
        { ...GOODS[8], pieces: 99 },
      ];
      await model(db, Good).upsertBatch(next as never, {
        conflict: 'sku',
        update: 'none',
        set: [good.pieces.set(larger)],
      });
      expect((await goods()).map(({ pieces }) => pieces)).toEqual(
        expected.map(({ id, pieces }) => Math.max(pieces, next.find((each) => each.id === id)?.pieces ?? 0)),
      );
      const where = model(db, Good).upsertBatch(
        [
          { ...rows[0], price: 1000 },
          { ...rows[1], price: 1 },
        ] as never,
        {
          conflict: 'sku',
          where: excluded(good.price).gt(good.price),
        },
      );
      if (habits.conditionalUpsert === false) await expect(where).rejects.toMatchObject({ code: 'FW_ORM_UNSUPPORTED' });
      else {
        await where;
        expect((await goods()).filter(({ id }) => id === 2 || id === 3).map(({ price }) => price)).toEqual([1000, 3]);
      }
      const twice = model(db, Good).upsertBatch([rows[0], rows[0]] as never, { conflict: 'sku' });
      await expect(twice).rejects.toMatchObject({ code: 'FW_ORM_UPSERT_TWICE' });
      await expect(model(db, Good).updateAll(good.pieces.set(add(excluded(good.pieces), 1) as never))).rejects.toMatchObject({ code: 'FW_ORM_COLUMN_OUT_OF_REACH' }); // prettier-ignore
      await expect(model(db, Good).upsertBatch({ sql: 1 } as never)).rejects.toMatchObject({
        code: 'FW_ORM_EXPRESSION',
      });
    });

    test('random updates and deletes give what JavaScript does', async () => {
      let seed = 7;
      const next = (most: number) => ((seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31), seed % most);
      let held = GOODS.map((each) => ({ ...each }));
      for (let turn = 0; turn < 40; turn++) {
        const [low, high, by] = [next(9), next(9), next(4)];
        const hits = ({ pieces }: Row) => pieces >= low && pieces <= low + high;
        const query = model(db, Good).where(good.pieces.between(low, low + high));
        const hit = held.filter(hits);
        if (turn % 8 === 7) {
          expect(byId(await query.where(good.id.gt(6)).returning('id').delete()).map(({ id }) => id)).toEqual(hit.filter(({ id }) => id > 6).map(({ id }) => id)); // prettier-ignore
          held = held.filter((each) => !hits(each) || each.id <= 6);
          continue;
        }
        const given = await query.returning('id', 'pieces', 'price').updateAll(good.pieces.set(caseWhen(good.pieces.gt(6), by).otherwise(add(good.pieces, by))), good.price.increment(by)); // prettier-ignore
        held = held.map((each) => (hits(each) ? { ...each, pieces: each.pieces > 6 ? by : each.pieces + by, price: each.price + by } : each)); // prettier-ignore
        const ids = new Set(hit.map(({ id }) => id));
        expect(byId(given)).toEqual(held.filter(({ id }) => ids.has(id)).map(({ id, pieces, price }) => ({ id, pieces, price }))); // prettier-ignore
      }
      expect(await goods()).toEqual(held);
    });
  });
}
