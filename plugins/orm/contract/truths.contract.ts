import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  and,
  add,
  coalesce,
  countAll,
  db as column,
  exists,
  holds,
  max,
  model,
  not,
  or,
  scalar,
  table,
  value,
  type Column,
  type Condition,
  type Database,
  type Decimal,
  type Int,
  type PlainValue,
  type Uuid,
} from '../index.js';
import type { Subject } from './subject.js';
import { columnsOf, registerDeclared } from './model-columns.js';
import { withTables } from './with-tables.js';

@table('pairs')
class Pair {
  @column('id,pk,type=int') id!: Int;
  @column('low,type=int,nullable') low!: Int | null;
  @column('high,type=int,nullable') high!: Int | null;
  @column('big,type=bigint,nullable') big!: bigint | null;
  @column('big_too,type=bigint,nullable') bigToo!: bigint | null;
  @column('ratio,type=float,nullable') ratio!: number | null;
  @column('ratio_too,type=float,nullable') ratioToo!: number | null;
  @column('price,type=decimal,precision=12,scale=2,nullable') price!: Decimal | null;
  @column('price_too,type=decimal,precision=12,scale=2,nullable') priceToo!: Decimal | null;
  @column('name,type=string,nullable') name!: string | null;
  @column('name_too,type=string,nullable') nameToo!: string | null;
  @column('ref,type=uuid,nullable') ref!: Uuid | null;
  @column('ref_too,type=uuid,nullable') refToo!: Uuid | null;
  @column('at,type=date,nullable') at!: Date | null;
  @column('at_too,type=date,nullable') atToo!: Date | null;
  @column('flag,type=boolean,nullable') flag!: boolean | null;
  @column('flag_too,type=boolean,nullable') flagToo!: boolean | null;
}

registerDeclared(Pair);
const pair = columnsOf(Pair);

// Two values of each kind, the lesser first.
const VALUES = {
  low: [1, 2],
  big: [2n ** 60n, 2n ** 60n + 1n],
  ratio: [0.25, 0.5],
  price: ['1.50', '10.25'],
  name: ['a%', 'b'],
  ref: ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'],
  at: [new Date('2024-02-29T23:59:59.999Z'), new Date('2024-03-01T00:00:00.000Z')],
  flag: [false, true],
} as const;
type Sample<Value> = Column<Pair, Kind, Value>;
type Kind = keyof typeof VALUES;
const KINDS = Object.keys(VALUES) as Kind[];
const secondOf = (kind: Kind) => (kind === 'low' ? 'high' : `${kind}Too`) as Kind;

// Every two of null and the values, in rows 1 to 9.
const PLACES = [null, 0, 1].flatMap((one) => [null, 0, 1].map((two) => [one, two] as const));
const heldIn = (kind: Kind, place: number | null) => (place === null ? null : VALUES[kind][place as 0 | 1]);
const ROWS = PLACES.map(([one, two], at) => ({
  id: at + 1,
  ...Object.fromEntries(KINDS.flatMap((kind) => [[kind, heldIn(kind, one)], [secondOf(kind), heldIn(kind, two)]])), // prettier-ignore
}));
const idsWhere = (test_: (one: number | null, two: number | null) => boolean) =>
  PLACES.flatMap(([one, two], at) => (test_(one, two) ? [at + 1] : []));

/** Conditions to which null is a value, conditions as values, and values compared with columns: the same on every database. */
export function truthsContract({ name, dialect, create }: Subject): void {
  describe(`truths on ${name}`, () => {
    let db: Database;

    withTables(create, dialect, [Pair], (opened) => (db = opened));

    beforeAll(async () => {
      await model(db, Pair).createBatch(ROWS as never);
    });

    const idsOf = async (condition: Condition) =>
      (await model(db, Pair).select('id').where(condition).orderBy(pair.id.asc()).find()).map(({ id }) => id);

    test.each(KINDS)('null is a value like any other beside columns of the kind of %s', async (kind) => {
      const [one, two] = [pair[kind] as Sample<unknown>, pair[secondOf(kind)] as Sample<unknown>];
      const different = idsWhere((left, right) => left !== right);
      const alike = idsWhere((left, right) => left === right);
      expect(await idsOf(one.isDistinctFrom(two))).toEqual(different);
      expect(await idsOf(one.isNotDistinctFrom(two))).toEqual(alike);
      expect(await idsOf(not(one.isDistinctFrom(two)))).toEqual(alike);
      expect(await idsOf(coalesce(one, one).isDistinctFrom(two))).toEqual(different);
      const given = VALUES[kind][1];
      expect(await idsOf(one.isDistinctFrom(given))).toEqual(idsWhere((left) => left !== 1));
      expect(await idsOf(not(one.isDistinctFrom(given)))).toEqual(idsWhere((left) => left === 1));
      expect(await idsOf(one.isNotDistinctFrom(null))).toEqual(idsWhere((left) => left === null));
      expect(await idsOf(one.isDistinctFrom(null))).toEqual(idsWhere((left) => left !== null));
    });

    test.each(KINDS)('a value stands before columns of the kind of %s', async (kind) => {
      // One type for all kinds: what is asked is the same.
      const [one, two] = [pair[kind], pair[secondOf(kind)]] as [Sample<string | null>, Sample<string | null>];
      const [lesser, greater] = VALUES[kind].map((each) => value(each as string)) as [
        PlainValue<string>,
        PlainValue<string>,
      ];
      expect(await idsOf(lesser.eq(one))).toEqual(idsWhere((left) => left === 0));
      expect(await idsOf(lesser.neq(coalesce(one, one)))).toEqual(idsWhere((left) => left === 1));
      expect(await idsOf(one.eq(lesser))).toEqual(idsWhere((left) => left === 0));
      expect(await idsOf(greater.isDistinctFrom(one))).toEqual(idsWhere((left) => left !== 1));
      expect(await idsOf(greater.in([one, two]))).toEqual(idsWhere((left, right) => left === 1 || right === 1));
      expect(await idsOf(greater.notIn([one, two]))).toEqual(idsWhere((left, right) => left === 0 && right === 0));
      const last = model(db, Pair).where(pair.id.eq(9));
      expect(await idsOf(greater.in(last.select(coalesce(one, one).as('each'))))).toHaveLength(9);
      if (kind === 'flag') return;
      expect(await idsOf(lesser.lt(one))).toEqual(idsWhere((left) => left === 1));
      expect(await idsOf(greater.gt(coalesce(one, one)))).toEqual(idsWhere((left) => left === 0));
      expect(await idsOf(lesser.between(one, two))).toEqual(idsWhere((left, right) => left === 0 && right !== null));
    });

    test('a condition is a value: true, false, or null where it is unknown', async () => {
      const rows = await model(db, Pair)
        .select(
          'id',
          holds(pair.low.lt(pair.high)).as('less'),
          holds(pair.name.like('a\\%')).as('like'),
          holds(pair.low.in([2, 3])).as('member'),
          holds(pair.low.isNotDistinctFrom(pair.high)).as('alike'),
          holds(or(pair.low.isNull(), pair.high.gt(1))).as('either'),
          holds(not(pair.flag.eq(true))).as('unset'),
          holds(
            exists(
              model(db, Pair)
                .as('next')
                .where(pair.id.gt(pair.id.of('pairs'))),
            ),
          ).as('another'),
        )
        .orderBy(pair.id.asc())
        .find();
      const unless = <Result>(unknown: boolean, result: Result) => (unknown ? null : result);
      expect(rows).toEqual(
        PLACES.map(([one, two], at) => ({
          id: at + 1,
          less: unless(one === null || two === null, (one ?? 0) < (two ?? 0)),
          like: unless(one === null, one === 0),
          member: unless(one === null, one === 1),
          alike: one === two,
          either: one === null || two === 1 ? true : unless(two === null, false),
          unset: unless(one === null, one === 0),
          another: at < 8,
        })),
      );
    });

    test('such a value is compared, ordered and grouped by, and assigned', async () => {
      const less = holds(pair.low.lt(pair.high));
      expect(await idsOf(less.eq(true))).toEqual(idsWhere((one, two) => one === 0 && two === 1));
      expect(await idsOf(coalesce(less, false).eq(false))).toEqual(idsWhere((one, two) => one !== 0 || two !== 1));
      const groups = await model(db, Pair)
        .select(less.as('less'), countAll())
        .groupBy(less)
        .orderBy(less.asc('first'))
        .find();
      expect(groups).toEqual([
        { less: null, count: 5 },
        { less: false, count: 3 },
        { less: true, count: 1 },
      ]);
      const most = holds(or(pair.low.lt(pair.high), pair.id.lt(0)));
      const few = model(db, Pair).select(countAll()).groupBy(most).having(most.eq(true));
      expect(await few.orderBy(most.asc()).find()).toEqual([{ count: 1 }]);
      const [found] = await model(db, Pair)
        .select(holds(max(pair.low).gt(1)).as('some'), holds(countAll().gt(9)).as('more'))
        .find();
      expect(found).toEqual({ some: true, more: false });
      await model(db, Pair)
        .where({ id: 6 })
        .updateAll(pair.flag.set(coalesce(less, false)));
      expect(await model(db, Pair).where({ id: 6 }).select('flag').first()).toEqual({ flag: true });
      await model(db, Pair).where({ id: 6 }).updateAll(pair.flag.set(false));
    });

    test('a column of a condition that is selected beside groups is refused, since they have several of it', async () => {
      const selected = holds(pair.high.gt(1)).as('high') as never;
      const refused = model(db, Pair).select('low', selected, countAll()).groupBy('low') as unknown as { find(): Promise<unknown> }; // prettier-ignore
      await expect(refused.find()).rejects.toMatchObject({ code: 'FW_ORM_QUERY_FORM' });
    });

    test('a row that a left join does not find is distinct from every value', async () => {
      const other = pair.low.of('other');
      const rows = await model(db, Pair)
        .leftJoin(Pair, 'other', and(pair.id.of('other').eq(add(pair.id, 1)), other.isNotNull()))
        .where(other.isDistinctFrom(1))
        .orderBy(pair.id.asc())
        .select('id')
        .find();
      expect(rows.map(({ id }) => id)).toEqual([1, 2, 6, 7, 8, 9]);
    });

    test('null is equal to the value of a query that finds none', async () => {
      const none = model(db, Pair).select('low').where({ id: 99 });
      expect(await idsOf(pair.low.isNotDistinctFrom(scalar(none)))).toEqual(idsWhere((one) => one === null));
      expect(await idsOf(pair.low.isDistinctFrom(none))).toEqual(idsWhere((one) => one !== null));
    });
  });
}
