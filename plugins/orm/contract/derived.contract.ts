import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  add,
  coalesce,
  concat,
  countAll,
  cte,
  db as column,
  derived,
  exists,
  from,
  model,
  modulo,
  multiply,
  open,
  over,
  recursive,
  rowNumber,
  scalar,
  sum,
  table,
  tenant,
  upper,
  value,
  withPlugins,
  type Database,
  type Decimal,
  type Int,
} from '../index.js';
import type { Subject } from './subject.js';
import { columnsOf, registerDeclared } from './model-columns.js';
import { withTables } from './with-tables.js';

@table('d_folders')
class Folder {
  @column('id,pk,type=int') id!: Int;
  @column('parent_id,type=int,nullable') parentId!: Int | null;
  @column('label,type=string,size=20') label!: string;
  @column('size,type=int') size!: Int;
  @column('price,type=decimal,precision=12,scale=3') price!: Decimal;
  @column('made_at,type=date') madeAt!: Date;
  @column('owner,type=string,size=10') owner!: string;
}

registerDeclared(Folder);
const folder = columnsOf(Folder);

// A binary tree: the parent of folder n is folder n/2.
const FOLDERS = Array.from({ length: 14 }, (_, at) => {
  const id = at + 1;
  const parentId = id === 1 ? null : Math.floor(id / 2);
  const madeAt = new Date(Date.UTC(2024, 0, 1 + (id % 3)));
  return {
    id,
    parentId,
    label: `f${id % 4}`,
    size: (id * 5) % 7,
    price: '1.500',
    madeAt,
    owner: id === 3 ? 'else' : 'own',
  };
});
const childrenOf = (id: number | null, rows = FOLDERS) => rows.filter(({ parentId }) => parentId === id);
const below = (id: number): number[] => [id, ...childrenOf(id).flatMap((each) => below(each.id))];
const inOrder = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);

/** Queries in the place of tables: the same as those of JavaScript's lists. */
export function derivedContract({ name, dialect, create, habits = {} }: Subject): void {
  describe(`queries as tables on ${name}`, () => {
    let db: Database;
    let owned: Database;

    withTables(create, dialect, [Folder], (opened, made) => {
      db = opened;
      owned = open(made.handle, dialect, withPlugins(tenant('owner', () => 'own')));
    });

    beforeAll(async () => {
      await model(db, Folder).createBatch(FOLDERS as never);
    });

    const sums = (on = db) =>
      model(on, Folder).where(folder.parentId.isNotNull()).select('parentId', sum(folder.size).as('held'), countAll().as('n')).groupBy('parentId'); // prettier-ignore
    const wanted = FOLDERS.filter(({ id }) => childrenOf(id).length > 0).map(({ id }) => ({
      id,
      held: childrenOf(id).reduce((all, each) => all + each.size, 0),
      n: childrenOf(id).length,
    }));

    test('are joined, and their columns compared, ordered and selected', async () => {
      for (const held of [derived('held', sums()), cte('held', sums())]) {
        const { parentId, held: size, n } = held.columns;
        const joined = model(db, Folder).innerJoin(held, parentId.eq(folder.id)).select('id', size, n);
        expect(await joined.orderBy(folder.id.asc()).find()).toEqual(wanted);
        expect(await joined.where(size.gt(5)).orderBy(size.desc(), folder.id.asc()).find()).toEqual(
          wanted.filter((each) => each.held > 5).sort((a, b) => b.held - a.held || a.id - b.id),
        );
        expect(await joined.where(n.eq(1)).count()).toBe(wanted.filter((each) => each.n === 1).length);
        const all = await model(db, Folder).leftJoin(held, parentId.eq(folder.id)).select('id', n).orderBy(folder.id.asc()).find(); // prettier-ignore
        expect(all).toEqual(FOLDERS.map(({ id }) => ({ id, n: wanted.find((each) => each.id === id)?.n ?? null })));
        const twice = model(db, Folder)
          .innerJoin(held, parentId.eq(folder.id))
          .where(exists(from(db, held).where(n.gt(5))));
        expect(await twice.count()).toBe(0);
      }
    });

    test('are queried themselves, with the types of what they select', async () => {
      const priced = derived(
        'priced',
        model(db, Folder).select('id', 'madeAt', multiply(folder.price, 2).as('twice'), 'label'),
      );
      const { twice, label, id } = priced.columns;
      const found = await from(db, priced).where(twice.gte('3')).where(label.in(['f1', 'f2'])).orderBy(id.desc()).page(1, 2).find(); // prettier-ignore
      expect(found).toEqual([
        { id: 14, madeAt: FOLDERS[13]?.madeAt, twice: '3', label: 'f2' },
        { id: 13, madeAt: FOLDERS[12]?.madeAt, twice: '3', label: 'f1' },
      ]);
      expect(await from(db, priced).select(label, countAll()).groupBy(label).orderBy(label.asc()).first()).toEqual({ label: 'f0', count: 3 }); // prettier-ignore
      expect([await from(db, priced).count(), await from(db, priced).where(label.eq('none')).exists()]).toEqual([14, false]); // prettier-ignore
      const top = derived('top', model(db, Folder).orderBy(folder.size.desc()).limit(3));
      const sizes = [...FOLDERS].sort((a, b) => b.size - a.size || b.id - a.id).slice(0, 3);
      expect(await from(db, top).orderBy(top.columns.size.desc(), top.columns.id.desc()).find()).toEqual(sizes);
      const combined = derived('both', model(db, Folder).select('id').where({ id: 1 }).unionAll(model(db, Folder).select('id').where({ id: 2 }))); // prettier-ignore
      expect(await from(db, combined).orderBy(combined.columns.id.asc()).find()).toEqual([{ id: 1 }, { id: 2 }]);
      await expect(from(db, priced).orderBy(id.asc()).after(null).find()).rejects.toMatchObject({ code: 'FW_ORM_QUERY_FORM' }); // prettier-ignore
      await expect(from(db, priced).delete()).rejects.toMatchObject({ code: 'FW_ORM_QUERY_FORM' });
    });

    test('lead to further rows', async () => {
      const tree = (root: number, options?: { distinct: boolean }) =>
        recursive('tree', model(db, Folder).where(folder.id.eq(root)).select('id', 'parentId'), (rows) =>
          model(db, Folder).innerJoin(rows, rows.columns.id.eq(folder.parentId)).select('id', 'parentId'), options); // prettier-ignore
      for (const root of [1, 3, 14]) {
        const rows = tree(root);
        const found = await from(db, rows).orderBy(rows.columns.id.asc()).find();
        expect(found.map(({ id }) => id)).toEqual(inOrder(below(root)));
        expect(
          await model(db, Folder)
            .where(folder.id.in(from(db, rows).select('id')))
            .count(),
        ).toBe(below(root).length);
      }
      const joined = tree(2, { distinct: true });
      expect(await model(db, Folder).innerJoin(joined, joined.columns.id.eq(folder.id)).sum('size')).toBe(
        FOLDERS.filter(({ id }) => below(2).includes(id)).reduce((all, { size }) => all + size, 0),
      );
      const up = recursive('up', model(db, Folder).where({ id: 13 }).select('id', 'parentId', add(folder.size, 0).as('depth')), (rows) =>
        model(db, Folder).innerJoin(rows, rows.columns.parentId.eq(folder.id)).select('id', 'parentId', add(rows.columns.depth, 1).as('depth'))); // prettier-ignore
      const start = FOLDERS[12]?.size ?? 0;
      expect(await from(db, up).select('id', 'depth').orderBy(up.columns.depth.asc()).find()).toEqual([13, 6, 3, 1].map((id, at) => ({ id, depth: start + at }))); // prettier-ignore
      expect(() => recursive('bad', model(db, Folder).select('id'), () => model(db, Folder).select('label') as never)).toThrow(expect.objectContaining({ code: 'FW_ORM_QUERY_FORM' })); // prettier-ignore
      expect(() => recursive('bad', model(db, Folder).select('id').limit(1), () => model(db, Folder).select('id'))).toThrow(expect.objectContaining({ code: 'FW_ORM_QUERY_FORM' })); // prettier-ignore
    });

    test('hold what the step makes, whatever they begin with', async () => {
      const words = 'a word and another one, '.repeat(50);
      const way = recursive(
        'way',
        model(db, Folder)
          .where({ id: 1 })
          .select('id', 'label', 'size', 'price', value('').as('path'), value(0).as('depth')),
        (rows) =>
          model(db, Folder)
            .innerJoin(rows, rows.columns.id.eq(folder.parentId))
            .select('id', concat(rows.columns.label, '/', folder.label).as('label'))
            .select(add(rows.columns.size, folder.size).as('size'), add(rows.columns.price, folder.price).as('price'))
            .select(concat(rows.columns.path, words).as('path'), add(rows.columns.depth, 1).as('depth')),
      );
      const made = (id: number): { label: string; size: number; depth: number } => {
        const { label = '', size = 0 } = FOLDERS[id - 1] ?? {};
        if (id === 1) return { label, size, depth: 0 };
        const above = made(Math.floor(id / 2));
        return { label: `${above.label}/${label}`, size: above.size + size, depth: above.depth + 1 };
      };
      const found = await from(db, way).orderBy(way.columns.id.asc()).find();
      expect(found.map(({ price, ...row }) => ({ ...row, price: Number(price) }))).toEqual(
        FOLDERS.map(({ id }) => {
          const { depth, ...row } = made(id);
          return { id, ...row, price: 1.5 * (depth + 1), path: words.repeat(depth), depth };
        }),
      );
    });

    test('of one name and other columns are told apart, wherever they are named', async () => {
      const up = (word: 'size' | 'label') =>
        recursive('way', model(db, Folder).where({ id: 13 }).select('id', 'parentId', word), (rows) =>
          model(db, Folder).innerJoin(rows, rows.columns.parentId.eq(folder.id)).select('id', 'parentId', word)); // prettier-ignore
      for (const word of ['size', 'label'] as const) {
        const rows = up(word);
        expect(await from(db, rows).orderBy(rows.columns.id.asc()).select(rows.columns[word]).find()).toEqual([1, 3, 6, 13].map((id) => ({ [word]: FOLDERS[id - 1]?.[word] }))); // prettier-ignore
      }
      const sized = derived('its', model(db, Folder).select('id', folder.size.as('held')));
      const made = derived('its', model(db, Folder).select('id', folder.madeAt.as('held')));
      const day = FOLDERS[1]?.madeAt as Date;
      // The condition stands before the join, and so where no query in the place of a table is known yet.
      const small = model(db, Folder).where(sized.columns.held.lt(3)).innerJoin(sized, sized.columns.id.eq(folder.id));
      const late = model(db, Folder).where(made.columns.held.lt(day)).innerJoin(made, made.columns.id.eq(folder.id));
      expect([await small.count(), await late.count()]).toEqual([
        FOLDERS.filter(({ size }) => size < 3).length,
        FOLDERS.filter(({ madeAt }) => madeAt < day).length,
      ]);
      const least = model(db, Folder).where(coalesce(sized.columns.held, 0).lt(1)).innerJoin(sized, sized.columns.id.eq(folder.id)); // prettier-ignore
      const first = model(db, Folder).where(coalesce(made.columns.held, day).lt(day)).innerJoin(made, made.columns.id.eq(folder.id)); // prettier-ignore
      expect([await least.count(), await first.count()]).toEqual([2, await late.count()]);
    });

    test('of one name are one query', async () => {
      const small = (size: number) => cte('small', model(db, Folder).where(folder.size.lt(size)).select('id'));
      const [one, same, other] = [small(3), small(3), small(4)];
      const query = model(db, Folder).innerJoin(one, one.columns.id.eq(folder.id));
      expect(await query.where(folder.id.in(from(db, same).select('id'))).count()).toBe(FOLDERS.filter(({ size }) => size < 3).length); // prettier-ignore
      await expect(query.where(folder.id.in(from(db, other).select('id'))).count()).rejects.toMatchObject({ code: 'FW_ORM_QUERY_FORM' }); // prettier-ignore
      expect(() => derived('a"b', model(db, Folder).select('id'))).toThrow(expect.objectContaining({ code: 'FW_ORM_IDENTIFIER' })); // prettier-ignore
    });

    test('distinctOn takes the first row of each', async () => {
      const first = (rows: typeof FOLDERS) => [
        ...new Map([...rows].reverse().map((each) => [each.label, each])).values(),
      ];
      const bySize = [...FOLDERS].sort((a, b) => b.size - a.size || b.id - a.id);
      const expected = first(bySize).sort((a, b) => (a.label < b.label ? -1 : 1));
      const query = model(db, Folder).distinctOn('label').orderBy(folder.size.desc());
      expect(await query.find()).toEqual(expected);
      expect((await query.find())[0]).toBeInstanceOf(Folder);
      expect(await query.select(folder.label.as('by'), 'id').orderBy(folder.label.desc()).find()).toEqual([...expected].reverse().map(({ label, id }) => ({ by: label, id }))); // prettier-ignore
      expect([await query.count(), await query.limit(2).count(), (await query.page(2, 1).first()).id]).toEqual([4, 2, expected[1]?.id]); // prettier-ignore
      const picked = derived('picked', query.select('id', 'label'));
      expect((await from(db, picked).orderBy(picked.columns.label.asc()).find()).map(({ id }) => id)).toEqual(expected.map(({ id }) => id)); // prettier-ignore
      await expect(query.distinct().find()).rejects.toMatchObject({ code: 'FW_ORM_QUERY_FORM' });
      await expect(query.lock('update').find()).rejects.toMatchObject({ code: 'FW_ORM_QUERY_FORM' });
    });

    test('distinctOn takes the first row of each computed value, with parameters in it and without', async () => {
      const remainder = modulo(folder.id, 3);
      const firsts = (of: (each: (typeof FOLDERS)[number]) => number | string) => {
        const seen = new Map<number | string, (typeof FOLDERS)[number]>();
        for (const each of [...FOLDERS].sort((a, b) => b.size - a.size || b.id - a.id)) if (!seen.has(of(each))) seen.set(of(each), each); // prettier-ignore
        return [...seen].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { id }]) => id);
      };
      const ids = async (query: { find(): Promise<readonly { readonly id: number }[]> }) => (await query.find()).map(({ id }) => id); // prettier-ignore
      const byRemainder = model(db, Folder).distinctOn(remainder).orderBy(folder.size.desc());
      expect(await ids(byRemainder)).toEqual(firsts(({ id }) => id % 3));
      expect(await ids(byRemainder.orderBy(remainder.desc()))).toEqual(firsts(({ id }) => id % 3).reverse());
      expect(await ids(model(db, Folder).distinctOn(upper(folder.label)).orderBy(folder.size.desc()).select('id'))).toEqual(firsts(({ label }) => label.toUpperCase())); // prettier-ignore
      const mixed = model(db, Folder).distinctOn('label', remainder).orderBy(multiply(folder.size, -1).asc());
      expect(await ids(mixed)).toEqual(firsts(({ id, label }) => `${label} ${id % 3}`));
      expect([await byRemainder.count(), await mixed.count()]).toEqual([3, new Set(FOLDERS.map(({ id }) => id % 12)).size]); // prettier-ignore
      const picked = derived('picked', byRemainder.select('id', remainder.as('rest')));
      expect(await from(db, picked).orderBy(picked.columns.rest.asc()).find()).toEqual(firsts(({ id }) => id % 3).map((id) => ({ id, rest: id % 3 }))); // prettier-ignore
      const place = over(rowNumber(), { orderBy: [folder.id.asc()] });
      await expect(model(db, Folder).distinctOn(place).find()).rejects.toMatchObject({ code: 'FW_ORM_EXPRESSION' });
      await expect(byRemainder.orderBy(place.asc()).find()).rejects.toMatchObject({ code: 'FW_ORM_QUERY_FORM' });
      await expect(byRemainder.orderBy(modulo(folder.id, 4).desc()).find()).rejects.toMatchObject({ code: 'FW_ORM_QUERY_FORM' }); // prettier-ignore
    });

    test('distinctOn of a joined column keeps the join that nothing else names', async () => {
      const parents = model(db, Folder).leftJoin(Folder, 'p', folder.id.of('p').eq(folder.parentId));
      const labels = new Set(FOLDERS.map(({ parentId }) => FOLDERS.find(({ id }) => id === parentId)?.label ?? null));
      const query = parents.distinctOn(folder.label.of('p')).select('id');
      expect([await query.count(), (await query.find()).length]).toEqual([labels.size, labels.size]);
    });

    test('a query of the same table has a name of its own', async () => {
      const children = model(db, Folder)
        .as('child')
        .where(folder.parentId.eq(folder.id.of('d_folders')));
      const counted = await model(db, Folder).select('id', scalar(children.select(countAll())).as('n')).orderBy(folder.id.asc()).find(); // prettier-ignore
      expect(counted).toEqual(FOLDERS.map(({ id }) => ({ id, n: childrenOf(id).length })));
      expect(
        await model(db, Folder)
          .where(exists(children.where(folder.size.gt(4))))
          .count(),
      ).toBe(FOLDERS.filter(({ id }) => childrenOf(id).some(({ size }) => size > 4)).length);
      const renamed = model(db, Folder).as('f').where(folder.id.of('f').lte(2)).orderBy(folder.id.desc());
      expect((await renamed.find()).map(({ id }) => id)).toEqual([2, 1]);
      expect(await renamed.lock('update').count()).toBe(2);
    });

    test('a union with a limit within a query names columns of the one around it, or is refused', async () => {
      const own = model(db, Folder)
        .as('c')
        .where(folder.parentId.eq(folder.id.of('d_folders')))
        .select('size');
      const most = scalar(own.unionAll(own).orderBy(folder.size.desc()).limit(1));
      const found = model(db, Folder).select('id', most.as('most')).orderBy(folder.id.asc()).find();
      if (habits.refuses?.includes('limited union of an outer column'))
        await expect(found).rejects.toMatchObject({ code: 'FW_ORM_UNSUPPORTED' });
      else
        expect(await found).toEqual(FOLDERS.map(({ id }) => ({ id, most: childrenOf(id).length === 0 ? null : Math.max(...childrenOf(id).map(({ size }) => size)) }))); // prettier-ignore
    });

    test('see only the rows that plugins let them see', async () => {
      const own = FOLDERS.filter(({ owner }) => owner === 'own');
      const held = cte('held', sums(owned));
      const found = await from(owned, held).orderBy(held.columns.parentId.asc()).find();
      const parents = [...new Set(own.flatMap(({ parentId }) => parentId ?? []))];
      expect(found.map(({ n }) => n)).toEqual(inOrder(parents).map((id) => childrenOf(id, own).length));
      const rows = recursive('rows', model(owned, Folder).where({ id: 1 }).select('id'), (so) =>
        model(owned, Folder).innerJoin(so, so.columns.id.eq(folder.parentId)).select('id'),
      );
      expect(await from(owned, rows).count()).toBe(1 + below(2).length);
      const joined = model(owned, Folder).innerJoin(rows, rows.columns.id.eq(folder.id));
      expect(await joined.count()).toBe(1 + below(2).length);
    });
  });
}
