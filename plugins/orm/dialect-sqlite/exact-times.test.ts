import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { here, type Temporal } from '../contract/temporal-here.js';
import { columnOf, model, open, raw, registerModel, type ColumnDefinition, type Database } from '../core/index.js';
import { createMissingTables } from '../schema/index.js';
import { openSqlite } from './open-sqlite.js';
import { sqlite } from './sqlite-dialect.js';

interface Row {
  id: number;
  at: Temporal.Instant;
}

const at = (text: string) => here().Instant.from(text);

// What is held of a moment, and of one that is a nanosecond later.
const FORMS: readonly [format: string | undefined, held: unknown, isExact: boolean][] = [
  [undefined, '2024-05-06T07:08:09.123456789Z', true],
  ['YYYY-MM-DD hh:mm:ss.SSSSSS', '2024-05-06 07:08:09.123456', false],
  ['YYYY-MM-DDThh:mm:ss.SSSZ', '2024-05-06T07:08:09.123Z', false],
  ['YYYY-MM-DD hh:mm:ss', '2024-05-06 07:08:09', false],
  ['YYYY-MM-DD hh:mm', '2024-05-06 07:08', false],
  ['YYYY-MM-DD', '2024-05-06', false],
  ['unix', 1_714_979_289, false],
  ['unixms', 1_714_979_289_123, false],
];

describe('moments of Temporal in the forms of SQLite', () => {
  let db: Database;
  beforeAll(async () => {
    db = open(await openSqlite(':memory:'), sqlite);
  });
  afterAll(() => db.close());

  test.each(FORMS)('format=%s holds %s', async (format, held, isExact) => {
    const column: ColumnDefinition = {
      property: 'at',
      column: 'at',
      kind: 'date',
      temporal: 'Instant',
      ...(format && { format }),
    };
    class Held {}
    const table = `held_${FORMS.findIndex(([each]) => each === format)}`;
    const info = registerModel(Held, {
      name: 'Held',
      table,
      columns: [{ property: 'id', column: 'id', kind: 'int', primaryKey: true }, column],
    });
    await createMissingTables(db, [Held]);
    const rows = () => model(db, Held as new () => Row);
    const of = columnOf<Row, 'at', Temporal.Instant>(info as never, 'at');
    const moment = at('2024-05-06T07:08:09.123456789Z');
    await rows().create({ id: 1, at: moment });
    expect(await db.sqlDB().query(`SELECT at FROM ${table}`, [])).toEqual([[held]]);
    const read = await rows().first();
    expect(String(read.at) === String(moment)).toBe(isExact);
    // Between the value that is held, and the next that the column could hold.
    expect(await rows().where(of.eq(read.at)).count()).toBe(1);
    const later = read.at.add({ nanoseconds: 1 });
    expect(await rows().where(of.eq(later)).count()).toBe(0);
    expect(await rows().where(of.lt(later)).count()).toBe(1);
    expect(await rows().where(of.gte(later)).count()).toBe(0);
    expect(
      await rows()
        .where(of.gt(read.at.subtract({ nanoseconds: 1 })))
        .count(),
    ).toBe(1);
    await rows().save(read);
    expect(await db.sqlDB().query(`SELECT at FROM ${table}`, [])).toEqual([[held]]);
  });

  test('a value of raw SQL is one of its class', async () => {
    class Loose {}
    registerModel(Loose, { name: 'Loose', table: 'loose', columns: [{ property: 'at', column: 'at', kind: 'date', temporal: 'Instant', primaryKey: true }] }); // prettier-ignore
    await createMissingTables(db, [Loose]);
    const moment = at('2024-05-06T07:08:09.000000001Z');
    await model(db, Loose).create({ at: moment } as Loose);
    expect(
      await model(db, Loose)
        .where(raw('at = :at', { at: moment }))
        .count(),
    ).toBe(1);
    expect(
      await model(db, Loose)
        .where(raw('at = :at', { at: moment.add({ nanoseconds: 1 }) }))
        .count(),
    ).toBe(0);
  });

  test('a time in another form is an error that names the form', async () => {
    class Wrong {}
    registerModel(Wrong, { name: 'Wrong', table: 'wrong_times', columns: [{ property: 'at', column: 'at', kind: 'date', temporal: 'Instant', primaryKey: true }] }); // prettier-ignore
    await createMissingTables(db, [Wrong]);
    await db.sqlDB().script("INSERT INTO wrong_times (at) VALUES ('2024-05-06T07:08:09.123Z')");
    await expect(model(db, Wrong).first()).rejects.toMatchObject({
      code: 'FW_ORM_TIME_FORMAT',
      message: expect.stringContaining('format=YYYY-MM-DDThh:mm:ss.SSSZ'),
    });
  });
});
