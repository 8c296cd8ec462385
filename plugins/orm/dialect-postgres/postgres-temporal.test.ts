import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeWith } from '../../../kernel/testing/required-service.js';
import type { ServerDatabase } from '../contract/index.js';
import { here } from '../contract/temporal-here.js';
import { columnOf, model, open, registerModel, type Database, type ModelInfo } from '../core/index.js';
import { intervalText, isoInterval } from './postgres-times.js';
import { POSTGRES, postgresDatabase } from './testing/postgres-server.js';
import { postgres } from './index.js';

describe('spans of time', () => {
  test.each([
    ['1 year 2 mons 3 days 04:05:06.7', 'P1Y2M3DT04H05M06.7S'],
    ['-1 years -2 mons -3 days -04:05:06', '-P1Y2M3DT04H05M06S'],
    ['00:00:00', 'P0Y0M0DT00H00M00S'],
    ['-00:00:00.5', '-P0Y0M0DT00H00M00.5S'],
    ['40 days', 'P0Y0M40DT0H0M0S'],
    ['1 day -02:00:00', undefined],
    ['1 year -3 days', undefined],
    ['infinity', undefined],
    ['', undefined],
  ])('%s is %s in ISO 8601', (text, expected) => {
    expect(isoInterval(text)).toBe(expected);
  });

  test('one below zero has its sign at each part, and text of another form is as it is', () => {
    expect(intervalText('-P1Y2M3DT4H5M6.7S')).toBe('P-1Y-2M-3DT-4H-5M-6.7S');
    expect(['P1D', '1 day ago', '-1 day'].map(intervalText)).toEqual(['P1D', '1 day ago', '-1 day']);
  });
});

class Event {
  id!: number;
  day!: object | null;
  time!: object | null;
  at!: object | null;
  local!: object | null;
  span!: object | null;
}
const event = registerModel(Event, {
  name: 'Event',
  table: 'temporal_events',
  columns: [
    { property: 'id', column: 'id', kind: 'int', primaryKey: true },
    { property: 'day', column: 'day', kind: 'plainDate', temporal: 'PlainDate', nullable: true },
    { property: 'time', column: 'time', kind: 'plainTime', temporal: 'PlainTime', nullable: true },
    { property: 'at', column: 'at', kind: 'date', temporal: 'Instant', nullable: true },
    { property: 'local', column: 'local', kind: 'date', temporal: 'PlainDateTime', nullable: true },
    { property: 'span', column: 'span', kind: 'interval', temporal: 'Duration', nullable: true },
  ],
});
const id = columnOf<Event, 'id', number>(event as ModelInfo<Event>, 'id');

describeWith(POSTGRES, 'what PostgreSQL has and Temporal', (url) => {
  let made: ServerDatabase;
  let db: Database;

  beforeAll(async () => {
    made = await postgresDatabase(url);
    db = open(made.handle, postgres);
    await db
      .sqlDB()
      .script(
        'CREATE TABLE temporal_events (id int PRIMARY KEY, day date, time time, at timestamptz, local timestamp, span interval)',
      );
  });
  afterAll(async () => {
    await db.close();
    await made.drop();
  });

  const stored = async (column: string, literal: string) => {
    await db
      .sqlDB()
      .script(`DELETE FROM temporal_events; INSERT INTO temporal_events (id, ${column}) VALUES (1, '${literal}')`);
    return model(db, Event).first();
  };

  test.each([
    [
      'day',
      'infinity',
      /Event\.day holds infinity, which is not a Temporal\.PlainDate: declare the property as PlainDate/,
    ],
    ['day', '5874897-12-31', /which is not a Temporal\.PlainDate/],
    ['time', '24:00:00', /Event\.time holds 24:00:00, which is not a Temporal\.PlainTime/],
    ['at', '-infinity', /Event\.at holds -infinity, which is not a Temporal\.Instant: declare the property as string/],
    ['at', '294276-12-31 23:59:59Z', /which is not a Temporal\.Instant/],
    ['local', 'infinity', /which is not a Temporal\.PlainDateTime/],
    [
      'span',
      '1 day -02:00:00',
      /Event\.span holds 1 day -02:00:00, which is not a Temporal\.Duration: .* Interval of fw\/orm/,
    ],
  ])('%s of %s is an error that says so', async (column, literal, sentence) => {
    await expect(stored(column, literal)).rejects.toMatchObject({
      code: 'FW_ORM_UNREADABLE',
      message: expect.stringMatching(sentence),
    });
    await expect(
      model(db, Event)
        .select(column as 'day')
        .find(),
    ).rejects.toMatchObject({ code: 'FW_ORM_UNREADABLE' });
  });

  test.each([
    ['day', '0044-03-15 BC', '-000043-03-15'],
    ['day', '12024-05-06', '+012024-05-06'],
    ['at', '0044-03-15 07:08:09.000001+00 BC', '-000043-03-15T07:08:09.000001Z'],
    ['at', '1969-12-31 23:59:59.999999+00', '1969-12-31T23:59:59.999999Z'],
    ['local', '2024-05-06 07:08:09.000001', '2024-05-06T07:08:09.000001'],
    ['span', '1 year 14 mons 40 days 36:00:00.000001', 'P2Y2M40DT36H0.000001S'],
  ])('%s of %s is %s, and is written back as it was', async (column, literal, expected) => {
    const row = await stored(column, literal);
    expect(String(row[column as 'day'])).toBe(expected);
    const same = `SELECT count(*)::int FROM temporal_events WHERE ${column} = '${literal}'`;
    await model(db, Event).save(row);
    expect(await db.sqlDB().query(same, [])).toEqual([[1]]);
  });

  test('a span that the server has no room for is refused', async () => {
    const span = here().Duration.from({ years: 200_000_000 });
    await expect(model(db, Event).create({ id: 9, span } as Event)).rejects.toMatchObject({
      code: expect.stringMatching(/^FW_ORM_VALUE/),
    });
    const at = here().Instant.from('-010000-01-01T00:00:00Z');
    await expect(model(db, Event).create({ id: 9, at } as Event)).rejects.toMatchObject({ code: 'FW_ORM_VALUE' });
  });

  test('any moment comes back to the microsecond', async () => {
    const microseconds = fc.bigInt({ min: -62_000_000_000_000_000n, max: 8_640_000_000_000_000_000n });
    await fc.assert(
      fc.asyncProperty(microseconds, async (count) => {
        const at = new (here().Instant)(count * 1000n);
        await model(db, Event).upsert({ id: 1, at } as Event, { conflict: ['id'] });
        const read = await model(db, Event).where(id.eq(1)).first();
        expect(String(read.at)).toBe(String(at));
      }),
      { numRuns: 50 },
    );
  });
});
