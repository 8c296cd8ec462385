import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  columnOf,
  type ModelInfo,
  model,
  not,
  open,
  readTimeFormat,
  registerModel,
  timeFormatText,
  type Database,
} from '../index.js';
import { createMissingTables } from '../schema/index.js';
import { openSqlite, sqlite } from './index.js';
import { timeCodec } from './sqlite-times.js';

/** Formats, what their unit is in milliseconds, and how others write a time in them: SQL of its milliseconds since 1970. */
const three = `substr(printf('%03d', ((ms % 1000) + 1000) % 1000), 1)`;
const seconds = (pattern: string) => `strftime('${pattern}', (ms - (((ms % 1000) + 1000) % 1000)) / 1000, 'unixepoch')`;
const trimmed = `CASE WHEN ms % 1000 = 0 THEN '' ELSE '.' || rtrim(${three}, '0') END`;
const FORMATS: readonly (readonly [string, number, string])[] = [
  ['YYYY-MM-DD', 86_400_000, seconds('%Y-%m-%d')],
  ['YYYY-MM-DD hh:mm', 60_000, seconds('%Y-%m-%d %H:%M')],
  ['YYYY-MM-DD hh:mm:ss', 1000, seconds('%Y-%m-%d %H:%M:%S')],
  ['YYYY-MM-DDThh:mm:ssZ', 1000, seconds('%Y-%m-%dT%H:%M:%SZ')],
  ['YYYY-MM-DD hh:mm:ss.S', 100, `${seconds('%Y-%m-%d %H:%M:%S')} || '.' || substr(${three}, 1, 1)`],
  ['YYYY-MM-DD hh:mm:ss.SSS', 1, `${seconds('%Y-%m-%d %H:%M:%S')} || '.' || ${three}`],
  ['YYYY-MM-DD hh:mm:ss.SSS +00:00', 1, `${seconds('%Y-%m-%d %H:%M:%S')} || '.' || ${three} || ' +00:00'`],
  ['YYYY-MM-DDThh:mm:ss.SSS+00:00', 1, `${seconds('%Y-%m-%dT%H:%M:%S')} || '.' || ${three} || '+00:00'`],
  [
    'YYYY-MM-DD hh:mm:ss.SSSSSS',
    1,
    `${seconds('%Y-%m-%d %H:%M:%S')} || '.' || ${three} || printf('%03d', abs(ms * 7) % 1000)`,
  ],
  ['YYYY-MM-DD hh:mm:ss[.SSSSSS]', 1, `${seconds('%Y-%m-%d %H:%M:%S')} || ${trimmed}`],
  ['YYYY-MM-DDThh:mm:ss[.SSS]Z', 1, `${seconds('%Y-%m-%dT%H:%M:%S')} || ${trimmed} || 'Z'`],
  [
    'YYYY-MM-DDThh:mm:ss[.SSSSSSSSS]+hh:mm',
    1,
    `strftime('%Y-%m-%dT%H:%M:%S', (ms - (((ms % 1000) + 1000) % 1000)) / 1000 + (abs(ms) % 3 - 1) * 5400, 'unixepoch') || ${trimmed}
      || CASE abs(ms) % 3 WHEN 0 THEN '-01:30' WHEN 1 THEN 'Z' ELSE '+01:30' END`,
  ],
  ['unix', 1000, '(ms - (((ms % 1000) + 1000) % 1000)) / 1000'],
  ['unixreal', 1, 'ms / 1000.0'],
  ['unixms', 1, 'ms'],
  ['julian', 1, '2440587.5 + ms / 86400000.0'],
];

interface Event {
  id: number;
  at: Date;
  until: Date | null;
}

describe.each(FORMATS)('times of SQLite as %s', (format, unit, written) => {
  class Happening {
    id!: number;
    at!: Date;
    until!: Date | null;
  }
  const info: ModelInfo = registerModel(Happening, {
    name: 'Happening',
    table: 'happenings',
    columns: [
      { property: 'id', column: 'id', kind: 'int', primaryKey: true },
      { property: 'at', column: 'at', kind: 'date', format },
      { property: 'until', column: 'until', kind: 'date', nullable: true },
    ],
    scanner:
      ({ int, date }) =>
      (row) =>
        Object.assign(new Happening(), {
          id: int(row[0]),
          at: date(row[1]),
          until: row[2] === null ? null : date(row[2]),
        }),
  }) as unknown as ModelInfo;
  const at = columnOf<Happening, 'at', Date>(info as never, 'at');
  const until = columnOf<Happening, 'until', Date | null>(info as never, 'until');
  const id = columnOf<Happening, 'id', number>(info as never, 'id');
  let db: Database;

  beforeAll(async () => {
    db = open(await openSqlite(':memory:'), sqlite);
    await createMissingTables(db, [Happening]);
  });
  afterAll(() => db.close());

  const floor = (date: Date) => new Date(Math.floor(date.getTime() / unit) * unit);
  // Close to each other, so that there are ties and neighbours; around units, and before 1970.
  const time = fc
    .tuple(
      fc.constantFrom(-86_400_000 * 365, 0, 951_782_400_000, 1_609_545_600_000, 4_102_444_800_000),
      fc.constantFrom(0, 1, -1, unit, -unit, unit - 1, 499, 500, 999, 43_200_000, 86_399_999),
    )
    .map(([day, more]) => new Date(day + more));
  const times = fc.array(time, { minLength: 1, maxLength: 8 });

  const others = async (dates: readonly Date[]) => {
    await model(db, Happening).delete();
    for (const [index, date] of dates.entries()) {
      const sql = `INSERT INTO happenings (id, at, until) SELECT ?, ${written}, NULL FROM (SELECT CAST(? AS INTEGER) AS ms)`;
      await db.sqlDB().execute(sql, [index + 1, date.getTime()]);
    }
  };
  const ours = async (dates: readonly Date[]) => {
    await model(db, Happening).delete();
    await model(db, Happening).createBatch(dates.map((date, index) => ({ id: index + 1, at: date, until: null })));
  };
  const ids = (rows: readonly { readonly id: number }[]) => rows.map((row) => row.id).sort((a, b) => a - b);
  const both = async (check: (write: typeof ours) => Promise<void>) => {
    for (const write of [others, ours]) await check(write);
  };

  test('are read as others wrote them, and as we did', async () => {
    await both((write) =>
      fc.assert(
        fc.asyncProperty(times, async (dates) => {
          await write(dates);
          const rows = await model(db, Happening).orderBy(id.asc()).find();
          expect(rows.map((row) => row.at)).toEqual(dates.map(floor));
        }),
        { numRuns: 25 },
      ),
    );
  });

  test('are compared as times, whatever is asked for', async () => {
    await both((write) =>
      fc.assert(
        fc.asyncProperty(times, time, time, async (dates, one, other) => {
          await write(dates);
          const [low, high] = one <= other ? [one, other] : [other, one];
          const found = async (...conditions: Parameters<ReturnType<typeof model<Happening>>['where']>[]) =>
            ids(await conditions.reduce((query, [each]) => query.where(each), model(db, Happening)).find());
          const expected = (holds: (date: Date) => boolean) =>
            dates.flatMap((date, index) => (holds(floor(date)) ? [index + 1] : []));
          expect(await found([at.eq(one)])).toEqual(expected((date) => +date === +one));
          expect(await found([at.neq(one)])).toEqual(expected((date) => +date !== +one));
          expect(await found([at.lt(one)])).toEqual(expected((date) => date < one));
          expect(await found([at.lte(one)])).toEqual(expected((date) => date <= one));
          expect(await found([at.gt(one)])).toEqual(expected((date) => date > one));
          expect(await found([at.gte(one)])).toEqual(expected((date) => date >= one));
          expect(await found([at.between(low, high)])).toEqual(expected((date) => date >= low && date <= high));
          expect(await found([at.in([one, other])])).toEqual(expected((date) => +date === +one || +date === +other));
          expect(await found([not(at.in([one, floor(other)]))])).toEqual(
            expected((date) => +date !== +one && +date !== +floor(other)),
          );
          expect(await found([{ column: 'at', op: 'gte', value: one } as never])).toEqual(
            expected((date) => date >= one),
          );
        }),
        { numRuns: 40 },
      ),
    );
  });

  test('are paged through by cursors in both directions, each row once', async () => {
    await both((write) =>
      fc.assert(
        fc.asyncProperty(times, fc.boolean(), fc.integer({ min: 1, max: 3 }), async (dates, desc, size) => {
          await write(dates);
          const order = desc ? [at.desc(), id.desc()] : [at.asc(), id.asc()];
          const query = model(db, Happening)
            .orderBy(...order)
            .limit(size);
          const seen: number[] = [];
          let page = await query.find();
          while (page.length > 0 && seen.length <= dates.length) {
            seen.push(...page.map((row) => row.id));
            page = await query.after(query.cursorOf(page.at(-1) as Happening)).find();
          }
          const sign = desc ? -1 : 1;
          const expected = dates
            .map((date, index) => ({ id: index + 1, at: +floor(date) }))
            .sort((a, b) => sign * (a.at - b.at || a.id - b.id));
          expect(seen).toEqual(expected.map((each) => each.id));
        }),
        { numRuns: 40 },
      ),
    );
  });

  test('have a least and a greatest, are distinct, and are compared with times of another format', async () => {
    await both((write) =>
      fc.assert(
        fc.asyncProperty(times, time, async (dates, one) => {
          await write(dates);
          const stored = dates.map((date) => +floor(date));
          expect(await model(db, Happening).min('at' as never)).toEqual(new Date(Math.min(...stored)));
          expect(await model(db, Happening).max('at' as never)).toEqual(new Date(Math.max(...stored)));
          const distinct = await model(db, Happening).select('at').distinct().find();
          expect(distinct.map((row) => +(row as Event).at).sort()).toEqual([...new Set(stored)].sort());
          await model(db, Happening).updateAll(until.set(one));
          expect(
            await model(db, Happening)
              .where(at.lt(until as never))
              .count(),
          ).toBe(stored.filter((each) => each < +one).length);
          expect(
            await model(db, Happening)
              .where(until.eq(at as never))
              .count(),
          ).toBe(stored.filter((each) => each === +one).length);
        }),
        { numRuns: 25 },
      ),
    );
  });

  test('are written in the same form by update, updateAll, upsert and a default', async () => {
    await others([new Date(1_609_545_600_000)]);
    const forms = async () =>
      (await db.sqlDB().query(`SELECT typeof(at) t, count(*) n FROM happenings GROUP BY 1`, [])) as unknown[];
    const changed = new Date(1_709_211_723_456);
    await model(db, Happening).update({ id: 1, at: changed });
    expect((await model(db, Happening).first()).at).toEqual(floor(changed));
    await model(db, Happening).updateAll(at.set(new Date(changed.getTime() + 86_400_000)));
    await model(db, Happening).upsert({ id: 1, at: changed, until: null });
    await model(db, Happening).upsert({ id: 2, at: changed, until: null });
    expect(
      (
        await model(db, Happening)
          .where(at.eq(floor(changed)))
          .find()
      ).length,
    ).toBe(2);
    expect(await forms()).toHaveLength(1);
    const column = info.column('at');
    await db.sqlDB().script(`CREATE TABLE defaults (now, day)`);
    await db
      .sqlDB()
      .script(
        `INSERT INTO defaults SELECT ${sqlite.schema.defaultValue(column, 'now')}, ${sqlite.schema.defaultValue(column, '2024-02-29')}`,
      );
    const [[now, day]] = (await db.sqlDB().query('SELECT now, day FROM defaults', [])) as [[unknown, unknown]];
    expect(timeCodec(format).decode(day)).toEqual(new Date('2024-02-29T00:00:00Z'));
    expect(Math.abs(Date.now() - +(timeCodec(format).decode(now) as Date))).toBeLessThan(Math.max(unit, 60_000) * 2);
  });

  test('are refused when they are of another form, with table, column, value and what to declare', async () => {
    await others([new Date(1_609_545_600_000)]);
    const strange = format === 'YYYY-MM-DD' ? '2021-01-02 00:00:00' : '2021-01-02';
    await db.sqlDB().execute('UPDATE happenings SET at = ?', [strange]);
    const found = strange.length > 10 ? 'YYYY-MM-DD hh:mm:ss' : 'YYYY-MM-DD';
    await expect(model(db, Happening).find()).rejects.toMatchObject({
      code: 'FW_ORM_TIME_FORMAT',
      details: { table: 'happenings', column: 'at', value: `"${strange}"`, format },
      message: expect.stringContaining(`declare format=${found} in the tag`) as unknown,
    });
    await expect(model(db, Happening).select('at').find()).rejects.toMatchObject({ code: 'FW_ORM_TIME_FORMAT' });
  });

  test('are named by what the tag says', () => {
    expect(timeFormatText(readTimeFormat(format) as NonNullable<ReturnType<typeof readTimeFormat>>)).toBe(format);
  });
});

test('of a row with a time in a form of others, a value that cannot be read is told by its own column', async () => {
  class Stop {
    at!: Date;
    open!: boolean;
  }
  registerModel(Stop, {
    name: 'Stop',
    table: 'stops',
    columns: [
      { property: 'at', column: 'at', kind: 'date', format: 'YYYY-MM-DD' },
      { property: 'open', column: 'open', kind: 'boolean' },
    ],
    scanner:
      ({ date, boolean }) =>
      (row) =>
        Object.assign(new Stop(), { at: date(row[0]), open: boolean(row[1]) }),
  });
  const db = open(await openSqlite(':memory:'), sqlite);
  await db.sqlDB().script("CREATE TABLE stops (at TEXT, open); INSERT INTO stops VALUES ('2024-05-06', 'yes')");
  await expect(model(db, Stop).find()).rejects.toMatchObject({
    code: 'FW_ORM_UNREADABLE',
    details: { column: 'Stop.open' },
  });
  await db.close();
});
