import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  coalesce,
  columnOf,
  dateTrunc,
  jsonObject,
  max,
  model,
  raw,
  registerModel,
  softDelete,
  value,
  withPlugins,
  type ColumnDefinition,
  type Database,
  type HasMany,
  type ModelInfo,
} from '../index.js';
import type { Subject } from './subject.js';
import { here, temporalIsHere, type Temporal } from './temporal-here.js';
import { withTables } from './with-tables.js';

class Trip {
  id!: number;
  day!: Temporal.PlainDate;
  leaves!: Temporal.PlainTime;
  seenAt!: Temporal.Instant;
  localAt!: Temporal.PlainDateTime | null;
  lasts!: Temporal.Duration | null;
  madeAt!: Temporal.Instant;
  goneAt!: Temporal.Instant | null;
}

class Holiday {
  day!: Temporal.PlainDate;
  word!: string;
  trips!: HasMany<Trip>;
}

const columns: readonly ColumnDefinition[] = [
  { property: 'id', column: 'id', kind: 'int', primaryKey: true },
  { property: 'day', column: 'day', kind: 'plainDate', temporal: 'PlainDate' },
  { property: 'leaves', column: 'leaves', kind: 'plainTime', temporal: 'PlainTime' },
  { property: 'seenAt', column: 'seen_at', kind: 'date', temporal: 'Instant', index: true },
  { property: 'localAt', column: 'local_at', kind: 'date', temporal: 'PlainDateTime', nullable: true },
  { property: 'lasts', column: 'lasts', kind: 'interval', temporal: 'Duration', nullable: true },
  { property: 'madeAt', column: 'made_at', kind: 'date', temporal: 'Instant', filledOn: 'create', default: 'now' },
  { property: 'goneAt', column: 'gone_at', kind: 'date', temporal: 'Instant', nullable: true },
];
const trip = registerModel(Trip, { name: 'Trip', table: 'temporal_trips', columns });
registerModel(Holiday, {
  name: 'Holiday',
  table: 'temporal_holidays',
  columns: [
    { property: 'day', column: 'day', kind: 'plainDate', temporal: 'PlainDate', primaryKey: true },
    { property: 'word', column: 'word', kind: 'string' },
  ],
  relations: [{ property: 'trips', kind: 'hasMany', target: () => Trip, fk: 'day', references: 'day' }],
});

// Rows of the same table, read by a scanner as code generation writes it: by kind.
class Scanned extends Trip {}
registerModel(Scanned, {
  name: 'Scanned',
  table: 'temporal_trips',
  columns,
  scanner:
    ({ int, plainDate, plainTime, date, interval }) =>
    (row) => {
      const made = new Scanned();
      made.id = int(row[0]);
      made.day = plainDate(row[1]);
      made.leaves = plainTime(row[2]);
      made.seenAt = date(row[3]);
      made.localAt = row[4] === null ? (null as never) : date(row[4]);
      made.lasts = row[5] === null ? (null as never) : interval(row[5]);
      made.madeAt = date(row[6]);
      made.goneAt = row[7] === null ? (null as never) : date(row[7]);
      return made;
    },
});

const of = <Key extends keyof Trip & string>(property: Key) =>
  columnOf<Trip, Key, NonNullable<Trip[Key]>>(trip as ModelInfo<Trip>, property);
const [id, day, leaves, seenAt, lasts] = [of('id'), of('day'), of('leaves'), of('seenAt'), of('lasts')];

const shown = (row: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(row).map(([name, each]) => [name, typeof each === 'object' && each !== null ? String(each) : each])); // prettier-ignore

/** Properties that are classes of Temporal: exact, and the same on every way in and out. */
export function temporalContract({ name, dialect, create }: Subject): void {
  describe(`values of Temporal on ${name}`, () => {
    if (!temporalIsHere) {
      test('they need Node 26, or the package temporal-polyfill', () => expect(temporalIsHere).toBe(false));
      return;
    }
    let db: Database;
    const trips = () => model(db, Trip).orderBy(id.asc());
    // With as many digits as every database keeps.
    const given = (key: number, micro: number) => ({
      id: key,
      day: here().PlainDate.from('2024-02-29').add({ days: key }),
      leaves: here().PlainTime.from(`07:08:09.${String(micro).padStart(6, '0')}`),
      seenAt: here().Instant.from(`2024-05-06T07:08:09.${String(micro).padStart(6, '0')}Z`),
      localAt: here().PlainDateTime.from(`2024-05-06T23:08:09.${String(micro).padStart(6, '0')}`),
      lasts: here().Duration.from('P1Y2M3DT36H5M6.000007S'),
      goneAt: null,
    });
    const [first, second, third] = [given(1, 1), given(2, 2), given(3, 3)];

    withTables(create, dialect, [Trip, Holiday], (opened) => (db = opened), withPlugins(softDelete('gone_at')));

    beforeEach(async () => {
      await model(db, Trip).withDeleted('force').delete();
      await model(db, Holiday).delete();
    });

    test('every class comes back as it went in, to the microsecond', async () => {
      const made = await model(db, Trip).create(first as Trip);
      expect(made.madeAt).toBeInstanceOf(here().Instant);
      const read = await trips().first();
      expect(shown(read)).toEqual(shown({ ...first, madeAt: read.madeAt }));
      expect(read.madeAt.epochMilliseconds).toBe(made.madeAt.epochMilliseconds);
      expect(read.day).toBeInstanceOf(here().PlainDate);
      expect(read.leaves).toBeInstanceOf(here().PlainTime);
      expect(read.seenAt).toBeInstanceOf(here().Instant);
      expect(read.localAt).toBeInstanceOf(here().PlainDateTime);
      expect(read.lasts).toBeInstanceOf(here().Duration);
      expect(shown(await model(db, Scanned).first())).toEqual(shown(read));
      expect(JSON.parse(JSON.stringify(read))).toMatchObject({
        day: '2024-03-01',
        leaves: '07:08:09.000001',
        seenAt: '2024-05-06T07:08:09.000001Z',
        localAt: '2024-05-06T23:08:09.000001',
        lasts: 'P1Y2M3DT36H5M6.000007S',
      });
    });

    test('spans below zero, of nothing, and of weeks', async () => {
      for (const [written, expected] of [
        ['-P1DT2H0.25S', '-P1DT2H0.25S'],
        ['PT0S', 'PT0S'],
        ['-PT0.000001S', '-PT0.000001S'],
        ['PT90M', 'PT90M'],
        ['P2W', 'P14D'],
      ] as const) {
        // prettier-ignore
        await model(db, Trip).withDeleted('force').delete();
        await model(db, Trip).create({ ...first, lasts: here().Duration.from(written) } as Trip);
        const span = (await trips().first()).lasts;
        const reference = here().PlainDateTime.from('2024-01-01');
        expect(span?.total({ unit: 'microseconds', relativeTo: reference })).toBe(
          here().Duration.from(expected).total({ unit: 'microseconds', relativeTo: reference }),
        );
      }
    });

    test('batches, updates, saves and upserts write them', async () => {
      await model(db, Trip).createBatch([first, second, third] as Trip[]);
      expect((await trips().find()).map(({ seenAt: at }) => String(at))).toEqual([first, second, third].map(({ seenAt: at }) => String(at))); // prettier-ignore
      const [row] = await trips().find();
      await model(db, Trip).save(Object.assign(row as Trip, { day: third.day }));
      await model(db, Trip)
        .where(id.eq(2))
        .updateAll(leaves.set(third.leaves), lasts.set(here().Duration.from('PT1M')));
      await model(db, Trip).upsert({ ...third, seenAt: first.seenAt } as Trip, { conflict: ['id'] });
      const after = await trips().find();
      expect(String(after[0]?.day)).toBe(String(third.day));
      expect(String(after[1]?.leaves)).toBe(String(third.leaves));
      expect(String(after[1]?.lasts)).toBe('PT1M');
      expect(String(after[2]?.seenAt)).toBe(String(first.seenAt));
    });

    test('comparisons, lists and orders tell microseconds apart', async () => {
      await model(db, Trip).createBatch([third, first, second] as Trip[]);
      const ids = async (...conditions: Parameters<ReturnType<typeof trips>['where']>) =>
        (await trips().where(...conditions).find()).map((row) => row.id).join(''); // prettier-ignore
      expect(await ids(seenAt.eq(second.seenAt))).toBe('2');
      expect(await ids({ seenAt: second.seenAt } as never)).toBe('2');
      expect(await ids(seenAt.gt(first.seenAt))).toBe('23');
      expect(await ids(seenAt.lte(second.seenAt))).toBe('12');
      expect(await ids(seenAt.between(first.seenAt, second.seenAt))).toBe('12');
      expect(await ids(day.in([first.day, third.day]))).toBe('13');
      expect(await ids(day.lt(second.day))).toBe('1');
      expect(await ids(leaves.gte(second.leaves))).toBe('23');
      expect(await ids(of('localAt').eq(third.localAt))).toBe('3');
      expect(await ids(lasts.eq(first.lasts))).toBe('123');
      expect(await ids(value(second.day).eq(day))).toBe('2');
      expect(await ids(raw('day = :day', { day: second.day }))).toBe('2');
      const latest = await model(db, Trip).orderBy(seenAt.desc()).find();
      expect(latest.map((row) => row.id)).toEqual([3, 2, 1]);
      const [edges] = await model(db, Trip)
        .select(seenAt.min().as('least'), seenAt.max().as('most'), max(day).as('day'), leaves.min().as('time'))
        .find();
      expect(shown(edges ?? {})).toEqual(shown({ least: first.seenAt, most: third.seenAt, day: third.day, time: first.leaves })); // prettier-ignore
      expect(edges?.most).toBeInstanceOf(here().Instant);
    });

    test('the least and the greatest of two classes of one kind are each of its own', async () => {
      await model(db, Trip).create(first as Trip);
      const [moment] = await model(db, Trip).select(max(seenAt).as('it')).find();
      const [local] = await model(db, Trip)
        .select(max(of('localAt')).as('it'))
        .find();
      expect(moment?.it).toBeInstanceOf(here().Instant);
      expect(local?.it).toBeInstanceOf(here().PlainDateTime);
    });

    test('what a database makes of moments is of their class, and in JSON a text', async () => {
      await model(db, Trip).create(first as Trip);
      const months = () =>
        model(db, Trip)
          .select(dateTrunc('month', of('localAt')).as('month'))
          .find();
      // What is kept to the nanosecond is no text that the functions of SQLite take.
      if (dialect.columnDecoder) await expect(months()).rejects.toMatchObject({ code: 'FW_ORM_UNSUPPORTED' });
      else expect(String((await months())[0]?.month)).toBe('2024-05-01T00:00:00');
      const facts = () => model(db, Trip).select(jsonObject({ day, leaves }).as('facts')).find();
      expect((await facts())[0]?.facts.day).toBe(String(first.day));
    });

    test('spans are ordered by their length, or not at all', async () => {
      const spans = ['PT30M', 'PT2H', 'P1D'].map((text) => here().Duration.from(text));
      await model(db, Trip).createBatch(spans.map((span, at) => ({ ...given(at + 1, 1), lasts: span })) as Trip[]);
      const asked = [
        () => model(db, Trip).orderBy(lasts.asc()).find(),
        () =>
          trips()
            .where(lasts.gte(spans[0] as Temporal.Duration))
            .find(),
        () =>
          trips()
            .where(lasts.between(spans[0] as Temporal.Duration, spans[2] as Temporal.Duration))
            .find(),
      ];
      for (const ask of asked) {
        if (dialect.isoDuration) expect((await ask()).map((row) => row.id)).toEqual([1, 2, 3]);
        else await expect(ask()).rejects.toMatchObject({ code: 'FW_ORM_UNSUPPORTED' });
      }
      const edge = () => model(db, Trip).select(lasts.max().as('it')).find();
      if (dialect.isoDuration) expect(String((await edge())[0]?.it)).toBe('P1D');
      else await expect(edge()).rejects.toMatchObject({ code: 'FW_ORM_UNSUPPORTED' });
    });

    test('what is finer than the column is cut off, in conditions too', async () => {
      const late = here().PlainTime.from('23:59:59.999999999');
      await model(db, Trip).create({ ...first, leaves: late, seenAt: first.seenAt.add({ nanoseconds: 999 }) } as Trip);
      const row = await trips().first();
      expect(row.leaves.toString({ fractionalSecondDigits: 6 })).toBe('23:59:59.999999');
      expect(row.seenAt.toString({ fractionalSecondDigits: 6 })).toBe('2024-05-06T07:08:09.000001Z');
      expect(await trips().where(leaves.eq(late)).count()).toBe(1);
      expect(
        await trips()
          .where(seenAt.eq(first.seenAt.add({ nanoseconds: 999 })))
          .count(),
      ).toBe(1);
    });

    test('cursors go through rows that differ by a microsecond', async () => {
      await model(db, Trip).createBatch([third, first, second] as Trip[]);
      for (const order of [seenAt, of('localAt'), leaves, day]) {
        const pages = model(db, Trip).orderBy(order.asc()).limit(1);
        const seen: number[] = [];
        for (let [row] = await pages.find(); row; [row] = await pages.after(pages.cursorOf(row)).find())
          seen.push(row.id);
        expect(seen).toEqual([1, 2, 3]);
      }
    });

    test('selections, expressions, derived rows and preloads give them', async () => {
      await model(db, Trip).createBatch([first, second] as Trip[]);
      await model(db, Holiday).createBatch([{ day: first.day, word: 'a' }] as Holiday[]);
      const [chosen] = await trips().select('day', 'seenAt', coalesce(day, first.day).as('either')).find();
      expect(shown(chosen ?? {})).toEqual(shown({ day: first.day, seenAt: first.seenAt, either: first.day }));
      expect(chosen?.either).toBeInstanceOf(here().PlainDate);
      const [held] = await model(db, Holiday).preload('trips').find();
      expect(held?.trips.map((row) => String(row.seenAt))).toEqual([String(first.seenAt)]);
      const all = await model(db, Trip)
        .select('day')
        .union(model(db, Holiday).select('day') as never)
        .find();
      expect(all.every((row) => row.day instanceof here().PlainDate)).toBe(true);
    });

    test('a soft delete and what the ORM fills are moments of the class', async () => {
      await model(db, Trip).create(first as Trip);
      await model(db, Trip).where(id.eq(1)).delete();
      const gone = await trips().withDeleted('only').only();
      expect(gone.goneAt).toBeInstanceOf(here().Instant);
      expect(gone.goneAt?.epochMilliseconds).toBeGreaterThanOrEqual(gone.madeAt.epochMilliseconds);
    });

    test('what is none of the class is refused before it is sent', async () => {
      const refused = async (change: object, sentence: RegExp) =>
        expect(model(db, Trip).create({ ...first, ...change } as Trip)).rejects.toMatchObject({ code: 'FW_ORM_VALUE', message: expect.stringMatching(sentence) }); // prettier-ignore
      await refused({ day: '2024-02-29' }, /Trip\.day: expected a Temporal\.PlainDate, got a string/);
      await refused({ day: first.localAt }, /got a Temporal\.PlainDateTime/);
      await refused({ seenAt: new Date() }, /Trip\.seenAt: expected a Temporal\.Instant, got a Date/);
      await refused({ seenAt: first.seenAt.toZonedDateTimeISO('UTC') }, /got a Temporal\.ZonedDateTime/);
      await refused({ day: first.day.withCalendar('gregory') }, /of the calendar gregory/);
      await refused({ day: { [Symbol.toStringTag]: 'Temporal.PlainDate', toString: () => "1' OR 1" } }, /Trip\.day/);
      await expect(trips().where(raw('day = :at', { at: first.seenAt.toZonedDateTimeISO('UTC') })).find()).rejects.toMatchObject({ code: 'FW_ORM_VALUE' }); // prettier-ignore
    });
  });
}
