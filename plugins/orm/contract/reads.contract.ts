import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  and,
  countAll,
  db as column,
  escapeLike,
  exists,
  manyToMany,
  model,
  not,
  notExists,
  open,
  or,
  raw,
  selectExpr,
  softDelete,
  table,
  tenant,
  transaction,
  withPlugins,
  type Condition,
  type Query,
  type Database,
  type Int,
  type ManyToMany,
  type Operator,
} from '../index.js';
import type { Subject, TestDatabase } from './subject.js';
import { columnsOf, registerDeclared } from './model-columns.js';
import { withTables } from './with-tables.js';

@table('owners')
class Owner {
  @column('id,pk,type=int') id!: Int;
  @column('code,unique,type=string') code!: string;
  @column('boss_id,type=int,nullable') bossId!: Int | null;
  @column('tenant,type=string') tenant!: string;
  @column('deleted_at,type=date,nullable') deletedAt!: Date | null;
}

@table('items')
class Item {
  @column('id,pk,type=int') id!: Int;
  @column('owner_id,index,type=int,nullable') ownerId!: Int | null;
  @column('name,type=string') name!: string;
  @column('qty,type=int') qty!: Int;
  @column('weight,type=int') weight!: Int;
  @column('big,type=bigint') big!: bigint;
  @column('tenant,type=string') tenant!: string;
  @column('deleted_at,type=date,nullable') deletedAt!: Date | null;
  @column('extra,type=json,nullable') extra!: unknown;
  @column('unit_price,type=decimal,nullable') price!: string | null;
  @manyToMany(() => Label, { join: 'item_labels', joinFk: 'item_id', joinRefFk: 'label_id' })
  labels?: ManyToMany<Label>;
}

@table('labels')
class Label {
  @column('id,pk,type=int') id!: Int;
}

@table('item_labels')
class ItemLabel {
  @column('item_id,pk,type=int') itemId!: Int;
  @column('label_id,pk,type=int') labelId!: Int;
  @column('deleted_at,type=date,nullable') deletedAt!: Date | null;
}

const MODELS = [Owner, Item, Label, ItemLabel];
// Known as generated models are: the link of a relation is found by its table.
registerDeclared(...MODELS);

const owner = columnsOf(Owner);
const item = columnsOf(Item);

const label = columnsOf(Label);

const DELETED = new Date('2024-05-06T07:08:09Z');
const onOwner = owner.id.of('o').eq(item.ownerId);

/** Results of queries on a real database, in cases where a wrong result would look plausible. */
export function readsContract({ name, dialect, create, habits = {} }: Subject): void {
  const hasFullJoin = habits.refuses?.includes('full join') !== true;

  describe(`reads on ${name}`, () => {
    let made: TestDatabase;
    let db: Database;

    withTables(create, dialect, MODELS, (opened, its) => ([db, made] = [opened, its]));

    const newOwner = (id: number, more: Partial<Owner> = {}) => {
      return { id, code: `o${id}`, bossId: null, tenant: 'a', deletedAt: null, ...more };
    };
    const newItem = (id: number, ownerId: number | null, more: Partial<Item> = {}) => {
      const plain = {
        id,
        ownerId,
        name: `i${id}`,
        qty: id,
        weight: -id,
        big: 1n,
        tenant: 'a',
        deletedAt: null,
        extra: null,
      };
      return { ...plain, ...more };
    };

    beforeEach(async () => {
      for (const each of [...MODELS].reverse()) await model<object>(db, each).delete();
      await model(db, Owner).createBatch([newOwner(1), newOwner(2, { bossId: 1 }), newOwner(3, { bossId: 1 })]);
      await model(db, Item).createBatch([newItem(1, 1), newItem(2, 1), newItem(3, 2), newItem(4, null)]);
    });

    const ids = (rows: readonly { readonly id: number | null }[]) => rows.map(({ id }) => id);
    const refused = { code: 'FW_ORM_QUERY_FORM' };

    test('a null test in a subquery is about the outer join of that subquery', async () => {
      const childless = model(db, Owner).select('id').leftJoin(Item, 'i', item.ownerId.of('i').eq(owner.id));
      const without = childless.where(item.id.of('i').isNull());
      expect(ids(await model(db, Owner).where(owner.id.in(without)).find())).toEqual([3]);
      const inner = childless.where(item.id.of('i').isNotNull());
      expect(await model(db, Owner).where(owner.id.in(inner)).count()).toBe(2);
    });

    test('a left join that multiplies rows is kept', async () => {
      const joined = model(db, Owner).leftJoin(Owner, 'p', owner.id.of('p').eq(owner.bossId.of('p')));
      expect(await joined.count()).toBe(3);
      await model(db, Owner).where(owner.id.eq(1)).updateAll(owner.bossId.set(1));
      await model(db, Owner).create(newOwner(4, { bossId: 4 }));
      expect(await joined.count()).toBe(8);
    });

    test('queries of different structure never share a plan', async () => {
      const own = model(db, Item).crossJoin(Item, 'e').select('id');
      const qualified = await own.where(item.qty.lt(item.weight.of('e'))).count();
      const plain = await own.where(item.qty.lte(item.weight)).count();
      expect([qualified, plain]).toEqual([0, 0]);
      const sql = async (query: typeof own) => (await db.planner.plan(query.shape, 'find')).sql;
      const texts = [own.where(item.qty.lt(item.weight.of('e'))), own.where(item.qty.lte(item.weight))].map(sql);
      expect(new Set(await Promise.all(texts)).size).toBe(2);
    });

    test('an aggregate over what is known to be nothing is the one over nothing', async () => {
      const none = model(db, Item).where(or());
      expect([await none.sum('qty'), await none.min('qty'), await none.count()]).toEqual([null, null, 0]);
      expect(await none.select(countAll()).find()).toEqual([{ count: 0 }]);
      const counted = none.select(countAll());
      expect(await model(db, Owner).where(exists(counted)).count()).toBe(3);
    });

    // Indexes, and an order that needs no sorting, are what a database makes joins of.
    test('an offset skips as many rows where a condition looks for others, in whatever form', async () => {
      await model(db, Label).create({ id: 9 });
      const its = model(db, Item).where(item.ownerId.eq(owner.id));
      const text = (inner: string) => raw(`${inner} (SELECT 1 FROM items i WHERE i.owner_id = owners.id)`);
      const conditions: readonly Condition[] = [
        exists(its),
        exists(its.where(exists(model(db, Label).where(label.id.gt(item.id))))),
        or(exists(its)),
        and(and(exists(its), owner.id.gt(0)), not(notExists(its))),
        text('EXISTS'),
        and(text('exists'), owner.tenant.eq('a')),
      ];
      for (const condition of conditions) {
        const all = model(db, Owner).where(condition).orderBy(owner.id.asc());
        for (const offset of [0, 1, 2]) {
          expect(ids(await all.offset(offset).find())).toEqual([1, 2].slice(offset));
          expect(ids(await all.limit(1).offset(offset).find())).toEqual([1, 2].slice(offset, offset + 1));
          expect(await all.offset(offset).count()).toBe(2 - offset);
          expect(await all.offset(offset).exists()).toBe(offset < 2);
        }
      }
    });

    test('a limit holds for first, exists and count; other aggregates refuse it', async () => {
      const none = model(db, Item).limit(0);
      expect([await none.exists(), await none.count(), await none.find()]).toEqual([false, 0, []]);
      await expect(none.first()).rejects.toMatchObject({ code: 'FW_ORM_NO_ROWS' });
      const owners = model(db, Item).select('ownerId').where(item.ownerId.isNotNull()).distinct();
      expect(await owners.orderBy(item.ownerId.asc()).offset(1).find()).toEqual([{ ownerId: 2 }]);
      expect([await owners.offset(1).exists(), await owners.offset(2).exists()]).toEqual([true, false]);
      expect(await model(db, Item).orderBy(item.name.asc()).sum('qty')).toBe(10);
      for (const query of [none, none.offset(1), model(db, Item).distinct(), model(db, Item).groupBy('name')])
        await expect(query.sum('qty')).rejects.toMatchObject(refused);
    });

    test('a column keeps its meaning in an order beside an alias of the same name', async () => {
      const rows = await model(db, Item).select(item.weight.as('qty'), 'id').orderBy(item.qty.desc()).find();
      expect(ids(rows)).toEqual([4, 3, 2, 1]);
    });

    test('a raw number is a number beside a column of 64 bits', async () => {
      const [row] = await model(db, Item).select('big', selectExpr('1 + 1', 'two')).limit(1).find();
      expect(row).toEqual({ big: 1n, two: habits.rawLongs ? expect.anything() : 2 });
      expect(Number(row?.two)).toBe(2);
    });

    describe('a pattern', () => {
      const NAMES = ['50% off', '50 off', 'a_b', 'axb', 'C:\\dir', 'C:dir', 'plain[x]', 'plainx'];
      const named = async (condition: Condition) =>
        (await model(db, Item).where(condition).orderBy(item.id.asc()).find()).map((row) => row.name);

      beforeEach(async () => {
        await model(db, Item).delete();
        await model(db, Item).createBatch(NAMES.map((text, at) => newItem(at + 1, null, { name: text })));
      });

      test.each([
        ['50\\%%', ['50% off']],
        ['50%', ['50% off', '50 off']],
        ['a\\_b', ['a_b']],
        ['a_b', ['a_b', 'axb']],
        ['\\a_\\b', ['a_b', 'axb']],
        ['C:\\\\%', ['C:\\dir']],
        ['%\\\\', []],
        ['plain[x]', ['plain[x]']],
        ['plain\\[x]', ['plain[x]']],
        ['plain_', ['plainx']],
      ])('of %s means the same on every database', async (pattern, found) => {
        expect(await named(item.name.like(pattern))).toEqual(found);
        expect(await named(item.name.ilike(pattern.toUpperCase()))).toEqual(found);
        expect(await named({ column: 'name', op: 'like', value: pattern })).toEqual(found);
      });

      test('of a given text has no wildcards', async () => {
        expect(await named(item.name.contains('%'))).toEqual(['50% off']);
        expect(await named(item.name.contains('_'))).toEqual(['a_b']);
        expect(await named(item.name.contains('\\'))).toEqual(['C:\\dir']);
        expect(await named(item.name.startsWith('50%'))).toEqual(['50% off']);
        expect(await named(item.name.endsWith('[x]'))).toEqual(['plain[x]']);
        expect(await named(item.name.ilike(`${escapeLike('A_')}%`))).toEqual(['a_b']);
        expect(await named(not(item.name.contains('')))).toEqual([]);
      });

      test('that is none is refused by the name of its column', async () => {
        const details = expect.objectContaining({ model: 'Item', field: 'name' });
        const refused = { code: 'FW_ORM_VALUE', details };
        for (const pattern of ['a\\', '\\', '\\\\\\', 1, null])
          await expect(named({ column: 'name', op: 'like', value: pattern })).rejects.toMatchObject(refused);
        expect(() => item.name.contains(1 as never)).toThrow(expect.objectContaining(refused));
        for (const column of ['qty', 'big', 'deletedAt'])
          await expect(named({ column, op: 'ilike', value: '1%' })).rejects.toMatchObject({
            code: 'FW_ORM_QUERY_FORM',
            details: { model: 'Item', problem: expect.stringContaining(column) },
          });
      });
    });

    test('a list with null is refused, because NOT IN of it finds nothing', () => {
      const details = expect.objectContaining({ model: 'Item', field: 'ownerId' });
      const refused = { code: 'FW_ORM_VALUE', details };
      for (const list of [[null], [1, null], [null, 1]])
        for (const condition of [item.ownerId.in(list as never), item.ownerId.notIn(list as never)])
          expect(() => model(db, Item).where(condition)).toThrow(expect.objectContaining(refused));
    });

    test('a query in the place of a value has one column, and may have an order and a limit', async () => {
      const last = model(db, Item).select('ownerId').where(item.ownerId.isNotNull()).orderBy(item.id.desc()).limit(1);
      expect(ids(await model(db, Owner).where(owner.id.in(last)).find())).toEqual([2]);
      expect(ids(await model(db, Owner).where(owner.id.eq(last)).find())).toEqual([2]);
      expect(await model(db, Owner).where(owner.id.notIn(last)).count()).toBe(2);
      for (const several of [model(db, Item), model(db, Item).select('id', 'ownerId')])
        await expect(
          model(db, Owner)
            .where(owner.id.in(several as never))
            .find(),
        ).rejects.toMatchObject(refused);
    });

    test('two selected items of one name are refused, and one that is there twice is not', async () => {
      const joined = model(db, Item).innerJoin(Owner, 'o', onOwner).orderBy(item.id.asc());
      for (const twice of [owner.id.of('o'), item.qty.as('id'), item.qty.max().as('id'), selectExpr('1', 'id')])
        await expect(
          joined
            .select('id')
            .select(twice as never)
            .find(),
        ).rejects.toMatchObject(refused);
      expect(
        await joined
          .select('id')
          .select('id' as never, owner.id.of('o').as('of'))
          .find(),
      ).toEqual([
        { id: 1, of: 1 },
        { id: 2, of: 1 },
        { id: 3, of: 2 },
      ]);
    });

    test('what is selected of groups has one value in each', async () => {
      const groups = model(db, Item).groupBy('ownerId');
      const ordered = groups.select('ownerId').orderBy(item.name.asc()) as unknown as Query<Item, unknown>;
      const wrong: readonly Query<Item, unknown>[] = [
        groups.select('ownerId', 'name'),
        model(db, Item).select('id', countAll()),
      ];
      for (const query of [groups as Query<Item, unknown>, ordered, ...wrong])
        await expect(query.find()).rejects.toMatchObject(refused);
      expect([await groups.count(), await groups.exists()]).toEqual([3, true]);
      expect(await model(db, Owner).where(exists(groups)).count()).toBe(3);
      expect(await model(db, Item).select(countAll()).orderBy(item.name.asc()).find()).toEqual([{ count: 4 }]);
      const byKey = model(db, Owner).leftJoin(Item, 'i', item.ownerId.of('i').eq(owner.id)).groupBy('id');
      const counted = byKey.select('code', item.id.of('i').count().as('n')).orderBy(owner.code.asc());
      expect((await counted.find()).map(({ code, n }) => [code, n])).toEqual([
        ['o1', 2],
        ['o2', 1],
        ['o3', 0],
      ]);
      await expect(model(db, Item).select(countAll()).lock('update').find()).rejects.toMatchObject(refused);
    });

    test('distinct rows are ordered by what is selected', async () => {
      const distinct = model(db, Item).select('tenant').distinct();
      await expect(distinct.orderBy(item.qty.asc()).find()).rejects.toMatchObject(refused);
      expect(await distinct.orderBy({ column: 'tenant' }).find()).toEqual([{ tenant: 'a' }]);
      const renamed = model(db, Item).select(item.ownerId.as('of')).where(item.ownerId.isNotNull()).distinct();
      expect(await renamed.orderBy(item.ownerId.desc()).find()).toEqual([{ of: 2 }, { of: 1 }]);
      expect(await renamed.orderBy({ column: 'of' }).find()).toEqual([{ of: 1 }, { of: 2 }]);
      expect(await model(db, Item).distinct().orderBy(item.qty.desc()).count()).toBe(4);
    });

    test('JSON is tested for null only, and makes no groups and no order', async () => {
      await model(db, Item)
        .where(item.id.eq(1))
        .updateAll({ column: 'extra', value: { a: 1, b: [2] } });
      const where = (op: Operator, value?: unknown) => model(db, Item).where({ column: 'extra', op, value });
      expect(ids(await where('isNotNull').find())).toEqual([1]);
      for (const [op, value] of [
        ['eq', { a: 1, b: [2] }],
        ['gt', 1],
        ['in', [{ a: 1 }]],
        ['between', [1, 2]],
      ] as const)
        await expect(where(op, value).find()).rejects.toMatchObject({
          code: 'FW_ORM_QUERY_FORM',
          details: { model: 'Item', problem: expect.stringContaining('extra') },
        });
      const extra = model(db, Item).select('extra');
      for (const query of [extra.distinct(), extra.groupBy('extra'), extra.orderBy({ column: 'extra' })])
        await expect(query.find()).rejects.toMatchObject(refused);
    });

    test('the plain name of a joined column is that column: its values are checked, sent and ordered as such', async () => {
      for (const [id, price] of [
        [1, '9.5'],
        [2, '10'],
        [3, '100'],
      ] as const)
        // prettier-ignore
        await model(db, Item).where(item.id.eq(id)).updateAll({ column: 'price', value: price });
      const joined = model(db, Owner).innerJoin(Item, 'i', item.ownerId.of('i').eq(owner.id)).select(item.id.of('i'));
      const where = (op: Operator, value: unknown) => joined.where({ column: 'i.price', op, value });
      expect(ids(await where('gt', '9.50').orderBy({ column: 'i.price', desc: true }).find())).toEqual([3, 2]);
      expect(ids(await where('in', ['9.50']).find())).toEqual([1]);
      const late = model(db, Owner).where({ column: 'i.unit_price', op: 'lt', value: '10.0' }).select(item.id.of('i'));
      expect(ids(await late.innerJoin(Item, 'i', item.ownerId.of('i').eq(owner.id)).find())).toEqual([1]);
      await expect(where('eq', new Date()).find()).rejects.toMatchObject({ code: 'FW_ORM_VALUE' });
      const outer = exists(model(db, Owner).where({ column: 'i.price', op: 'gt', value: '11' }));
      expect(ids(await joined.where(outer).find())).toEqual([3]);
    });

    test('a lock is of the rows that are there, also beside a left join', async () => {
      const start = model(db, Item).select('id', owner.code.of('o').as('code')).orderBy(item.id.asc()).lock('update');
      const rows = await transaction.run(db, null, null, (tx) => {
        const joined = model(tx, Item)
          .leftJoin(Owner, 'o', onOwner)
          .innerJoin(Item, 'same', item.id.of('same').eq(item.id));
        return joined.select('id', owner.code.of('o').as('code')).orderBy(item.id.asc()).lock('update').find();
      });
      expect(rows.map(({ id, code }) => [id, code])).toEqual([[1, 'o1'], [2, 'o1'], [3, 'o2'], [4, null]]); // prettier-ignore
      // PostgreSQL refuses it (https://www.postgresql.org/docs/current/sql-select.html, "The Locking Clause").
      const outcome = (right: Promise<readonly unknown[]>) =>
        right.then(
          ({ length }) => length,
          ({ code }: { readonly code?: string }) => code,
        );
      expect([4, 'FW_ORM_UNSUPPORTED']).toContain(await outcome(start.rightJoin(Owner, 'o', onOwner).find()));
    });

    test('writes take conditions only', async () => {
      const all = model(db, Item);
      for (const query of [all.having(countAll().gt(100)), all.distinct(), all.lock('update')]) {
        await expect(query.delete()).rejects.toMatchObject(refused);
        await expect(query.updateAll(item.qty.set(1))).rejects.toMatchObject(refused);
      }
      expect(await all.count()).toBe(4);
    });

    test('an empty list in a raw condition is refused before it is sent', () => {
      expect(() => model(db, Item).where(raw('id IN (:ids)', 'ids', []))).toThrow('the list :ids is empty');
    });

    describe('a cursor', () => {
      const walk = async (query: ReturnType<typeof pages>) => {
        const seen: number[] = [];
        let cursor: string | null = null;
        for (let page = 0; page < 9; page++) {
          const rows = await query.after(cursor).limit(1).find();
          if (rows.length === 0) return seen;
          seen.push(...rows.map(({ id }) => id));
          cursor = query.cursorOf(rows[0] as object);
        }
        throw new Error(`no end in sight: ${seen.join()}`);
      };
      const pages = () => model(db, Item).orderBy(item.weight.asc());

      test('walks over joins that find one row at most', async () => {
        expect(await walk(pages().leftJoin(Owner, 'o', onOwner))).toEqual([4, 3, 2, 1]);
        expect(await walk(pages().innerJoin(Owner, 'o', onOwner))).toEqual([3, 2, 1]);
      });

      test('is refused where rows of the model are not told apart by its key', async () => {
        const owners = model(db, Owner).orderBy(owner.code.asc());
        const several = owners.innerJoin(Item, 'i', item.ownerId.of('i').eq(owner.id));
        await expect(several.after(null).find()).rejects.toMatchObject(refused);
        await expect(owners.crossJoin('items', 'i').after(null).find()).rejects.toMatchObject(refused);
        expect(() => several.cursorOf(newOwner(1))).toThrow('the inner join of "i" may find several');
        const grouped = model(db, Item).select('ownerId').groupBy('ownerId').orderBy(item.ownerId.asc());
        await expect(grouped.after(null).find()).rejects.toMatchObject(refused);
      });

      test('is refused for an order that the row itself does not hold', async () => {
        const joined = model(db, Item).innerJoin(Owner, 'o', onOwner);
        for (const term of [owner.code.of('o').asc(), owner.bossId.of('o').desc()])
          await expect(joined.orderBy(term).after(null).find()).rejects.toMatchObject(refused);
        expect(() => model(db, Item).orderBy(item.qty.asc()).cursorOf({ id: 1 })).toThrow('needs "qty"');
        expect(() => pages().cursorOf({ weight: 1 })).toThrow('needs "id", which the row does not hold; select it too');
      });

      test('comes after the order that it belongs to', async () => {
        await expect(model(db, Item).after(null).orderBy(item.qty.asc()).find()).rejects.toMatchObject(refused);
        const first = model(db, Item).orderBy({ column: 'ownerId', nulls: 'first' });
        const last = model(db, Item).orderBy({ column: 'ownerId', nulls: 'last' });
        expect(() => last.after(first.cursorOf(newItem(1, 1)))).toThrow('orm: invalid cursor');
      });

      test('that a client has changed is a bad cursor, whatever it holds', () => {
        const forged = (k: readonly unknown[]) =>
          Buffer.from(JSON.stringify({ v: 1, o: 'weight+,id+', k })).toString('base64url');
        expect(() => pages().after(forged([1, 1]))).not.toThrow();
        for (const values of [['x', 1], [1, null], [1, { d: 1 }], [1]])
          expect(() => pages().after(forged(values))).toThrow(expect.objectContaining({ code: 'FW_ORM_CURSOR' }));
      });
    });

    test('a row that a right join does not find is null in every column', async () => {
      const rows = await model(db, Item).rightJoin(Owner, 'o', onOwner).where(owner.id.of('o').eq(3)).find();
      expect(rows).toEqual([expect.objectContaining({ id: null, big: null, name: null })]);
    });

    describe('rows that a plugin hides', () => {
      const softly = () => open(made.handle, dialect, withPlugins(softDelete('deleted_at')));
      const tenantA = () => open(made.handle, dialect, withPlugins(tenant('tenant', () => 'a')));
      const foreign = { deletedAt: DELETED, tenant: 'b' };

      beforeEach(async () => {
        await model(db, Owner).createBatch([newOwner(8, foreign), newOwner(9)]);
        // 5: hidden itself; 6: of a hidden owner; 7: hidden, of a live owner that has no other.
        await model(db, Item).createBatch([newItem(5, 3, foreign), newItem(6, 8), newItem(7, 9, foreign)]);
      });

      const pairs = async (hiding: Database, kind: 'left' | 'right' | 'full' | 'inner' | 'cross') => {
        const start = model(hiding, Item).select('id', owner.id.of('o').as('owner'));
        const joined = {
          left: () => start.leftJoin(Owner, 'o', onOwner),
          right: () => start.rightJoin(Owner, 'o', onOwner),
          full: () => start.fullJoin(Owner, 'o', onOwner),
          inner: () => start.innerJoin(Owner, 'o', onOwner),
          cross: () => start.crossJoin(Owner, 'o'),
        }[kind]();
        const rows = await joined.find();
        expect(await joined.count()).toBe(rows.length);
        return rows.map(({ id, owner: of }) => `${id}-${of}`).sort();
      };

      const INNER = ['1-1', '2-1', '3-2'];
      const LEFT = ['4-null', '6-null'];
      const RIGHT = ['null-3', 'null-9'];

      for (const [plugin, hiding] of [
        ['soft delete', softly],
        ['tenant', tenantA],
      ] as const) {
        test(`take part in no join: ${plugin}`, async () => {
          expect(await pairs(hiding(), 'inner')).toEqual(INNER);
          expect(await pairs(hiding(), 'left')).toEqual([...INNER, ...LEFT].sort());
          expect(await pairs(hiding(), 'right')).toEqual([...INNER, ...RIGHT].sort());
          const crossed = await pairs(hiding(), 'cross');
          expect(crossed).toHaveLength(5 * 4);
          expect(crossed.filter((pair) => /^[57]-|-8$/.test(pair))).toEqual([]);
        });

        test(`nor in a full join: ${plugin}`, async () => {
          const full = pairs(hiding(), 'full');
          if (hasFullJoin) expect(await full).toEqual([...INNER, ...LEFT, ...RIGHT].sort());
          else await expect(full).rejects.toMatchObject({ code: 'FW_ORM_UNSUPPORTED' });
        });
      }

      test('hide the links of a relation too', async () => {
        await model(db, Label).createBatch([{ id: 1 }, { id: 2 }]);
        const link = (labelId: number, deletedAt: Date | null) => ({ itemId: 1, labelId, deletedAt });
        await model(db, ItemLabel).createBatch([link(1, null), link(2, DELETED)]);
        const loaded = await model(softly(), Item).where(item.id.eq(1)).preload('labels').first();
        expect(ids(loaded.labels)).toEqual([1]);
      });
    });
  });
}
