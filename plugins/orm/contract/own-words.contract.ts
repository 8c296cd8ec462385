import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  arrayContained,
  arrayContains,
  arrayHas,
  arrayOverlaps,
  countAll,
  cte,
  from,
  jsonAt,
  jsonNumber,
  jsonString,
  model,
  percentileCont,
  percentileDisc,
  registerModel,
  type Condition,
  type Database,
} from '../index.js';
import type { Subject } from './subject.js';
import { columnsOf } from './model-columns.js';
import { withTables } from './with-tables.js';

class Tagged {
  id!: number;
  tags!: string[] | null;
  more!: string[] | null;
  counts!: number[] | null;
  longs!: bigint[] | null;
  word!: string | null;
  size!: number | null;
  meta!: unknown;
}

registerModel(Tagged, {
  name: 'Tagged',
  table: 'tagged',
  columns: [
    { property: 'id', column: 'id', kind: 'int', primaryKey: true },
    { property: 'tags', column: 'tags', kind: 'array', element: 'string', nullable: true },
    { property: 'more', column: 'more', kind: 'array', element: 'string', nullable: true },
    { property: 'counts', column: 'counts', kind: 'array', element: 'int', nullable: true },
    { property: 'longs', column: 'longs', kind: 'array', element: 'bigint', nullable: true },
    { property: 'word', column: 'word', kind: 'string', nullable: true },
    { property: 'size', column: 'size', kind: 'int', nullable: true },
    { property: 'meta', column: 'meta', kind: 'json', nullable: true },
  ],
});
const tagged = columnsOf(Tagged);

const ROWS = [
  { id: 1, tags: ['a', 'b'], more: ['a'], counts: [1, 2], longs: [2n ** 60n], word: 'a', size: 4, meta: { list: [1, 'x', { last: true }] } },
  { id: 2, tags: ['b', '"{,}'], more: ['z'], counts: [2], longs: [], word: '"{,}', size: 1, meta: { list: ['only'] } },
  { id: 3, tags: [], more: [], counts: [], longs: [], word: 'c', size: 2, meta: { list: [] } },
  { id: 4, tags: null, more: null, counts: null, longs: null, word: null, size: null, meta: ['root', 7] },
]; // prettier-ignore

/** What not every database has: the same where there is one, else refused. */
export function ownWordsContract({ name, dialect, create, habits: { refuses = [] } = {} }: Subject): void {
  describe(`what not every database has, on ${name}`, () => {
    let db: Database;

    withTables(create, dialect, [Tagged], (opened) => (db = opened));

    beforeAll(async () => {
      await model(db, Tagged).createBatch(ROWS as never);
    });

    const idsOf = async (condition: Condition) =>
      (await model(db, Tagged).select('id').where(condition).orderBy(tagged.id.asc()).find()).map(({ id }) => id);
    const unsupported = { code: 'FW_ORM_UNSUPPORTED' };

    test('arrays are compared with lists, with each other, and with an element', async () => {
      if (refuses.includes('array operators')) {
        const conditions = [arrayContains(tagged.tags, []), arrayContained(tagged.tags, []), arrayOverlaps(tagged.tags, []), arrayHas(tagged.tags, 'a')]; // prettier-ignore
        for (const condition of conditions) await expect(idsOf(condition)).rejects.toMatchObject(unsupported);
        return;
      }
      expect(await idsOf(arrayContains(tagged.tags, ['b']))).toEqual([1, 2]);
      expect(await idsOf(arrayContains(tagged.tags, ['"{,}', 'b']))).toEqual([2]);
      expect(await idsOf(arrayContains(tagged.tags, []))).toEqual([1, 2, 3]);
      expect(await idsOf(arrayContains(tagged.tags, tagged.more))).toEqual([1, 3]);
      expect(await idsOf(arrayContained(tagged.counts, [1, 2, 3]))).toEqual([1, 2, 3]);
      expect(await idsOf(arrayContained(tagged.more, tagged.tags))).toEqual([1, 3]);
      expect(await idsOf(arrayOverlaps(tagged.counts, [1, 9]))).toEqual([1]);
      expect(await idsOf(arrayHas(tagged.longs, 2n ** 60n))).toEqual([1]);
      expect(await idsOf(arrayHas(tagged.counts, 2))).toEqual([1, 2]);
      expect(await idsOf(arrayHas(tagged.tags, tagged.word))).toEqual([1, 2]);
      const outer = model(db, Tagged).leftJoin(Tagged, 'other', tagged.id.of('other').eq(tagged.id));
      expect(await outer.where(arrayOverlaps(tagged.tags, tagged.more.of('other'))).count()).toBe(1);
    });

    test('what is no array, and null, is refused before the database is asked', async () => {
      const refused = async (make: () => Condition) =>
        expect((async () => idsOf(make()))()).rejects.toMatchObject({ code: 'FW_ORM_VALUE' });
      await refused(() => arrayContains(tagged.tags, [null as never]));
      await refused(() => arrayContains(tagged.tags, 'a' as never));
      await refused(() => arrayHas(tagged.tags, null as never));
      await refused(() => arrayHas(tagged.tags, ['a'] as never));
      await refused(() => arrayHas(tagged.word as never, 'a' as never));
      if (!refuses.includes('array operators')) await refused(() => arrayHas(tagged.counts, 'a' as never));
    });

    test('percentiles are of all values, of those that meet a condition, and of groups', async () => {
      const halves = model(db, Tagged).select(
        percentileCont(tagged.size, 0.5).as('half'),
        percentileDisc(tagged.size, 0.5).as('one'),
        percentileCont(tagged.size, 1, { where: tagged.size.lt(4) }).as('most'),
        percentileDisc(tagged.word, 0).as('word'),
      );
      expect(() => percentileCont(tagged.size, 1.5)).toThrow(expect.objectContaining({ code: 'FW_ORM_VALUE' }));
      expect(() => model(db, Tagged).select(percentileDisc(tagged.meta, 0).as('none') as never)).toThrow(expect.objectContaining({ code: 'FW_ORM_QUERY_FORM' })); // prettier-ignore
      if (refuses.includes('percentiles')) return expect(halves.find()).rejects.toMatchObject(unsupported);
      expect(await halves.find()).toEqual([{ half: 2, one: 2, most: 2, word: expect.any(String) }]);
      const groups = model(db, Tagged)
        .select('size', percentileCont(tagged.id, 0.25).as('low'), countAll())
        .groupBy('size');
      expect(await groups.having(percentileCont(tagged.id, 0).gt(3)).find()).toEqual([{ size: null, low: 4, count: 1 }]); // prettier-ignore
    });

    test('places of JSON are counted from the end', async () => {
      const last = jsonString(tagged.meta, 'list', -1);
      const found = model(db, Tagged)
        .select('id', last.as('last'), jsonString(tagged.meta, 'list', -2).as('before'), jsonNumber(tagged.meta, -1).as('root'), jsonAt(tagged.meta, 'list', -1, 'last').as('deep'))
        .orderBy(tagged.id.asc()); // prettier-ignore
      if (refuses.includes('places of JSON from the end'))
        return expect(found.find()).rejects.toMatchObject(unsupported);
      expect(await found.find()).toEqual([
        { id: 1, last: null, before: 'x', root: null, deep: true },
        { id: 2, last: 'only', before: null, root: null, deep: null },
        { id: 3, last: null, before: null, root: null, deep: null },
        { id: 4, last: null, before: null, root: 7, deep: null },
      ]);
      expect(await idsOf(last.eq('only'))).toEqual([2]);
    });

    test('a named query is computed by itself or not, with the same rows', async () => {
      for (const materialized of [undefined, true, false]) {
        const few = cte('few', model(db, Tagged).where(tagged.id.lt(4)).select('id', 'word'), materialized === undefined ? {} : { materialized }); // prettier-ignore
        expect(await from(db, few).where(few.columns.word.eq('c')).find()).toEqual([{ id: 3, word: 'c' }]);
      }
      const query = model(db, Tagged).select('id');
      expect(() => cte('few', query, { materialized: 'no' as never })).toThrow(expect.objectContaining({ code: 'FW_ORM_OPTIONS' })); // prettier-ignore
    });
  });
}
