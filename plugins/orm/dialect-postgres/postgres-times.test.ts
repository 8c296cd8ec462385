import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeWith } from '../../../kernel/testing/required-service.js';
import { column } from '../contract/schema-pairs.js';
import type { ServerDatabase } from '../contract/index.js';
import { model, open, registerModel, type Database, type ModelClass } from '../core/index.js';
import { dayText, momentText, toDay, toMoment } from './postgres-times.js';
import { POSTGRES, postgresDatabase } from './testing/postgres-server.js';
import { postgres } from './index.js';

const FIRST = Date.UTC(-4712, 0, 1);
const LATEST = 8.64e15;

describe('moments and days', () => {
  test('come back from their text, whatever the year', () => {
    fc.assert(
      fc.property(fc.integer({ min: FIRST, max: LATEST }), (time) => {
        const at = new Date(time);
        expect(toMoment(momentText(at).replace('T', ' ')).getTime()).toBe(time);
        const day = at.toISOString().slice(0, -14);
        expect(toDay(dayText(day))).toBe(day);
      }),
    );
  });

  test.each([
    ['2024-05-06 07:08:09.123456+05:30', '2024-05-06T01:38:09.123Z'],
    ['2024-05-06 07:08:09-08', '2024-05-06T15:08:09.000Z'],
    ['0001-01-01 00:00:00+00 BC', '0000-01-01T00:00:00.000Z'],
  ])('%s is read by its offset and its era', (text, expected) => {
    expect(toMoment(text).toISOString()).toBe(expected);
  });
});

class Event {}
class Wrong {}

describeWith(POSTGRES, 'days and moments of PostgreSQL', (url) => {
  let made: ServerDatabase;
  let db: Database;
  let events: ModelClass<Record<string, unknown>>;
  let wrong: ModelClass<Record<string, unknown>>;
  beforeAll(async () => {
    made = await postgresDatabase(url);
    db = open(made.handle, postgres);
    await db.sqlDB().script(`CREATE TABLE events (id serial PRIMARY KEY, day date, at timestamptz, days date[]);
      INSERT INTO events (day, at, days) VALUES ('2024-01-14', '2024-01-14 10:00:00Z', '{2024-01-14,infinity,0044-03-15 BC}'), (NULL, 'infinity', NULL),
        ('infinity', NULL, NULL)`);
    const id = column('id', 'int', { primaryKey: true, autoincrement: true });
    const columns = [id, column('day', 'plainDate', { nullable: true }), column('at', 'date', { nullable: true })];
    const days = column('days', 'array', { nullable: true, element: 'plainDate' });
    events = registerModel(Event, { name: 'Event', table: 'events', columns: [...columns, days] }).target as never;
    const asDate = [id, column('day', 'date', { nullable: true })];
    wrong = registerModel(Wrong, { name: 'Wrong', table: 'events', columns: asDate }).target as never;
  });
  afterAll(() => made.drop());

  test('a day is read, written, compared and ordered as what it is', async () => {
    const [first] = await model(db, events).where({ column: 'day', op: 'eq', value: '2024-01-14' }).find();
    expect(first).toMatchObject({ day: '2024-01-14', days: ['2024-01-14', 'infinity', '-000043-03-15'] });
    const row = await model(db, events).create({ day: '+012024-02-29', at: new Date('-000043-03-15T00:00:00Z'), days: ['2024-02-29'] }); // prettier-ignore
    expect(await model(db, events).where({ column: 'id', op: 'eq', value: row['id'] }).first()).toMatchObject({
      day: '+012024-02-29',
      at: new Date('-000043-03-15T00:00:00Z'),
      days: ['2024-02-29'],
    });
    const sorted = await model(db, events).where({ column: 'day', op: 'isNotNull' }).orderBy({ column: 'day' }).select('day').find(); // prettier-ignore
    expect(sorted.map(({ day }) => day)).toEqual(['2024-01-14', '+012024-02-29', 'infinity']);
  });

  test.each(['2024-02-30', '2024-1-4', '14.01.2024', '', '0000-00-00', new Date()])(
    '%s is refused before it is sent',
    async (day) => {
      await expect(model(db, events).create({ day })).rejects.toMatchObject({ code: 'FW_ORM_VALUE' });
    },
  );

  test('what no Date holds is an error that says where it is and what to do', async () => {
    await expect(model(db, events).where({ column: 'id', op: 'eq', value: 2 }).first()).rejects.toMatchObject({
      code: 'FW_ORM_UNREADABLE',
      message: expect.stringMatching(/^Event\.at holds infinity, which is not a Date: .*string/),
    });
  });

  test('a Date on a column of days is an error that names the change', async () => {
    const message = expect.stringMatching(/^Wrong\.day holds 2024-01-14, which is not a Date: .*PlainDate/);
    await expect(model(db, wrong).find()).rejects.toMatchObject({ code: 'FW_ORM_UNREADABLE', message });
    await expect(model(db, wrong).select('day').find()).rejects.toMatchObject({ message });
  });
});
