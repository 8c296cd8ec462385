import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  add,
  avg,
  count,
  countAll,
  db as column,
  denseRank,
  lag,
  lead,
  model,
  multiply,
  over,
  rank,
  rowNumber,
  subtract,
  sum,
  table,
  type Database,
  type Decimal,
  type Int,
} from '../index.js';
import type { Subject } from './subject.js';
import { columnsOf, registerDeclared } from './model-columns.js';
import { withTables } from './with-tables.js';

@table('readings')
class Reading {
  @column('id,pk,type=int') id!: Int;
  @column('meter,type=string') meter!: string;
  @column('level,type=int,nullable') level!: Int | null;
  @column('cost,type=decimal,precision=12,scale=2') cost!: Decimal;
}

registerDeclared(Reading);
const reading = columnsOf(Reading);

const READINGS: readonly Reading[] = Array.from({ length: 20 }, (_, at) => ({
  id: at + 1,
  meter: `m${at % 3}`,
  level: at % 7 === 0 ? null : (at * 5) % 4,
  cost: `${at % 5}.10` as Decimal,
}));

/** Functions over the rows that belong to each row: the same as those that JavaScript looks at. */
export function windowsContract({ name, dialect, create }: Subject): void {
  describe(`windows on ${name}`, () => {
    let db: Database;

    withTables(create, dialect, [Reading], (opened) => (db = opened));

    beforeAll(async () => {
      await model(db, Reading).createBatch(READINGS as never);
    });

    const ordered = () => model(db, Reading).orderBy(reading.id.asc());
    const ofMeter = (row: Reading) => READINGS.filter(({ meter }) => meter === row.meter);
    const meters = { partitionBy: [reading.meter] };

    test('places, and the rows before and behind', async () => {
      const byId = { ...meters, orderBy: [reading.id.asc()] };
      const byLevel = { ...meters, orderBy: [reading.level.desc('last')] };
      const found = await ordered()
        .select('id', over(rowNumber(), byId).as('place'), over(rank(), byLevel).as('rank'))
        .select(over(denseRank(), byLevel).as('dense'), over(lag(reading.level), byId).as('before'))
        .select(over(lead(add(reading.level, 1)), byId).as('behind'))
        .find();
      const high = ({ level }: Reading) => level ?? -1;
      expect(found).toEqual(
        READINGS.map((row) => {
          const own = ofMeter(row);
          const at = own.indexOf(row);
          const above = own.filter((other) => high(other) > high(row)).map(high);
          const behind = own[at + 1]?.level ?? null;
          return {
            id: row.id,
            place: at + 1,
            rank: above.length + 1,
            dense: new Set(above).size + 1,
            before: own[at - 1]?.level ?? null,
            behind: behind === null ? null : behind + 1,
          };
        }),
      );
    });

    test('aggregates of all rows that belong together, and of those up to each', async () => {
      const running = { ...meters, orderBy: [reading.id.asc()] };
      const found = await ordered()
        .select('id', over(sum(reading.level), meters).as('total'), over(countAll()).as('all'))
        .select(
          over(sum(multiply(reading.cost, 2)), running).as('spent'),
          over(count(reading.level), running).as('known'),
        )
        .select(subtract(over(reading.level.max(), meters), reading.level).as('below'))
        .find();
      const plus = (rows: readonly Reading[]) => rows.reduce((all, { level }) => all + (level ?? 0), 0);
      const cents = (rows: readonly Reading[]) =>
        rows.reduce((all, { cost }) => all + Math.round(Number(cost) * 100), 0);
      expect(found).toEqual(
        READINGS.map((row) => {
          const own = ofMeter(row);
          const until = own.slice(0, own.indexOf(row) + 1);
          const most = Math.max(...own.map(({ level }) => level ?? -1));
          return {
            id: row.id,
            total: plus(own),
            all: READINGS.length,
            spent: String((cents(until) * 2) / 100),
            known: until.filter(({ level }) => level !== null).length,
            below: row.level === null ? null : most - row.level,
          };
        }),
      );
    });

    test('each in its own order, beside one that is of all rows and one that begins others', async () => {
      const byId = { orderBy: [reading.id.asc()] };
      const byCost = { ...meters, orderBy: [reading.cost.desc(), reading.id.asc()] };
      const found = await ordered()
        .select('id', over(countAll()).as('all'), over(lag(reading.id), byId).as('before'))
        .select(over(sum(reading.id), { ...meters, ...byId }).as('running'), over(rowNumber(), byCost).as('dearest'))
        .select(over(sum(reading.id), meters).as('total'))
        .find();
      const plus = (rows: readonly Reading[]) => rows.reduce((all, { id }) => all + id, 0);
      expect(found).toEqual(
        READINGS.map((row) => {
          const own = ofMeter(row);
          const dearer = own.filter(({ id, cost }) => cost > row.cost || (cost === row.cost && id < row.id));
          return {
            id: row.id,
            all: READINGS.length,
            before: row.id === 1 ? null : row.id - 1,
            running: plus(own.slice(0, own.indexOf(row) + 1)),
            dearest: dearer.length + 1,
            total: plus(own),
          };
        }),
      );
    });

    test('each in its own order, beside one that is of all rows and the first rows of each', async () => {
      const found = await model(db, Reading)
        .select('meter', over(countAll()).as('all'), over(rowNumber(), { orderBy: [reading.id.desc()] }).as('place'))
        .distinctOn('meter')
        .orderBy(reading.cost.desc(), reading.id.desc())
        .find();
      const first = (meter: string) => READINGS.filter((row) => row.meter === meter && row.cost === '4.10').at(-1);
      expect(found).toEqual(
        ['m0', 'm1', 'm2'].map((meter) => ({ meter, all: 20, place: 21 - (first(meter)?.id ?? 0) })),
      );
    });

    test('order rows', async () => {
      const place = over(rowNumber(), { ...meters, orderBy: [add(reading.id, 0).desc()] });
      const found = await model(db, Reading).orderBy(place.asc(), reading.meter.asc()).limit(3).find();
      const last = (meter: string) => READINGS.filter((row) => row.meter === meter).at(-1)?.id;
      expect(found.map(({ id }) => id)).toEqual(['m0', 'm1', 'm2'].map(last));
    });

    test('stand where rows are, and nowhere else', async () => {
      const place = over(rowNumber(), { orderBy: [reading.id.asc()] });
      const readings = () => model(db, Reading);
      const form = { code: 'FW_ORM_QUERY_FORM' };
      await expect(readings().where(place.lte(3)).find()).rejects.toMatchObject({ code: 'FW_ORM_EXPRESSION' });
      await expect(readings().select(countAll()).groupBy(place).find()).rejects.toMatchObject({
        code: 'FW_ORM_EXPRESSION',
      });
      const grouped = readings().select('meter', place.as('n')).groupBy('meter');
      await expect(grouped.find()).rejects.toMatchObject(form);
      // @ts-expect-error what is counted together has no "id" for an order
      await expect(readings().select(place.as('n'), countAll()).find()).rejects.toMatchObject(form);
      await expect(readings().select(place.as('n')).lock('update').find()).rejects.toMatchObject(form);
      await expect(
        readings()
          .select(over(sum(avg(reading.level))).as('n'))
          .find(),
      ).rejects.toMatchObject(form);
      const distinct = over(count(reading.level, { distinct: true }));
      await expect(readings().select(distinct.as('n')).find()).rejects.toMatchObject(form);
      expect(() => readings().select(over(rank()).as('n'))).toThrow(expect.objectContaining(form));
      expect(await readings().select(place.as('n')).count()).toBe(READINGS.length);
    });
  });
}
