import { beforeEach, describe, expect, test } from '@jest/globals';
import { columnOf, model, registerModel, type ColumnDefinition, type Database } from '../index.js';
import { createMissingTables } from '../schema/index.js';
import type { Subject } from './subject.js';
import { withTables } from './with-tables.js';

class Reading {
  id!: number;
  name!: string;
  level!: number | null;
  facts!: unknown;
}

class Moment {
  id!: number;
  at!: Date;
}

const columns: ColumnDefinition[] = [
  { property: 'id', column: 'id', kind: 'int', primaryKey: true },
  { property: 'name', column: 'name', kind: 'string', size: 20 },
  { property: 'level', column: 'level', kind: 'float', nullable: true },
  { property: 'facts', column: 'facts', kind: 'json', nullable: true },
];
const reading = registerModel(Reading, { name: 'Reading', table: 'kept_readings', columns });
const level = columnOf<Reading, 'level', number | null>(reading, 'level');

const INSERT = "INSERT INTO kept_readings (id, name, facts) VALUES (1, 'a', ";

/** A row that is read and saved changes nothing that nobody touched. */
export function keptValuesContract({ name, dialect, create, habits: { finerMoments } = {} }: Subject): void {
  describe(`what a saved row keeps on ${name}`, () => {
    let db: Database;
    const readings = () => model(db, Reading);
    const factsText = async (): Promise<string | null> => {
      const [row] = await db.sqlDB().query('SELECT facts FROM kept_readings', []);
      return row?.[0] === null ? null : String(row?.[0]).replace(/\s/g, '');
    };
    const saved = async (change: (row: Reading) => object) => {
      await readings().save(change(await readings().first()) as Reading);
      return factsText();
    };

    withTables(create, dialect, [Reading], (opened) => (db = opened));

    beforeEach(() => db.sqlDB().script('DELETE FROM kept_readings'));

    test(finerMoments ? 'digits of a moment behind the milliseconds' : 'moments', async () => {
      const fine = { property: 'at', column: 'at', kind: 'date', ...finerMoments } as const;
      const id = { property: 'id', column: 'id', kind: 'int', primaryKey: true } as const;
      const moment = registerModel(class extends Moment {}, {
        name: 'Moment',
        table: 'kept_moments',
        columns: [id, fine],
      });
      const at = columnOf<Moment, 'at', Date>(moment as never, 'at');
      await createMissingTables(db, [moment.target]);
      const given = ['123456', '123457', '123000', '124999', '123456'];
      const digits = finerMoments ? given : given.map((each) => each.slice(0, 3));
      const texts = digits.map((each) => `2024-01-02 03:04:05.${each}`);
      for (const [at, text] of texts.entries())
        await db.sqlDB().script(`INSERT INTO kept_moments (id, at) VALUES (${at}, '${text}')`);
      const moments = () => model(db, moment.target as new () => Moment);
      const count = async (text: string) =>
        (await db.sqlDB().query(`SELECT id FROM kept_moments WHERE at = '${text}'`, [])).length;
      for (const row of await moments().find()) {
        expect(await moments().where(at.eq(row.at)).exists()).toBe(true);
        await moments().update({ ...row });
        await moments().save(row);
      }
      for (const text of new Set(texts)) expect(await count(text)).toBe(texts.filter((each) => each === text).length);
      const pages = moments().orderBy(at.asc()).limit(1);
      const seen: number[] = [];
      for (
        let row = (await pages.find())[0];
        row !== undefined;
        row = (await pages.after(pages.cursorOf(row)).find())[0]
      ) {
        seen.push(row.id);
        expect(seen.length).toBeLessThanOrEqual(texts.length);
      }
      expect(seen.toSorted()).toEqual([0, 1, 2, 3, 4]);
      const [first] = await moments().where({ id: 0 }).find();
      first?.at.setTime(first.at.getTime() + 1);
      await moments().save(first as Moment);
      expect(await count(`2024-01-02 03:04:05.${finerMoments ? '124000' : '124'}`)).toBe(finerMoments ? 1 : 2);
    });

    test('numbers in JSON that no double holds, in a copy of the row and beside a change, too', async () => {
      await db.sqlDB().script(`${INSERT}'{"id":12345678901234567890,"rest":[0.1000000000000000055511,"1.0"],"n":1}')`);
      const kept = '{"id":12345678901234567890,"rest":[0.1000000000000000055511,"1.0"],"n":1}';
      const sorted = (text: string | null) =>
        [...(text ?? '').matchAll(/"id":[\d]+|\[[^\]]*\]|"n":\d/g)].map(String).sort();
      expect(sorted(await saved((row) => row))).toEqual(sorted(kept));
      expect(sorted(await saved((row) => ({ ...row, name: 'b' })))).toEqual(sorted(kept));
      const changed = await saved((row) => {
        Object.assign(row.facts as object, { n: 2 });
        return row;
      });
      expect(sorted(changed)).toEqual(sorted(kept.replace('"n":1', '"n":2')));
      const assigned = await saved((row) => Object.assign(row, { facts: { id: 7, rest: [], n: 1 } }));
      expect(sorted(assigned)).toEqual(sorted('{"id":7,"rest":[],"n":1}'));
    });

    test('a number that is the whole of a JSON value and loses digits is not read', async () => {
      await db.sqlDB().script(`${INSERT}'12345678901234567890')`);
      await expect(readings().first()).rejects.toMatchObject({
        code: 'FW_ORM_UNREADABLE',
        message: expect.stringMatching(/Reading\.facts holds 12345678901234567890.*declare the property as Text/),
      });
    });

    test('the null of JSON and that of SQL', async () => {
      await db.sqlDB().script(`${INSERT}'null')`);
      expect((await readings().first()).facts).toBeNull();
      expect(await saved((row) => ({ ...row, name: 'b' }))).toBe('null');
      await readings().updateAll({ column: 'facts', value: null });
      expect(await factsText()).toBeNull();
      expect(await saved((row) => row)).toBeNull();
      expect(await saved((row) => Object.assign(row, { facts: { a: 1 } }))).toBe('{"a":1}');
      expect(await saved((row) => Object.assign(row, { facts: null }))).toBeNull();
    });

    test.each([Number.NaN, Infinity, -Infinity])('%p comes back as it was, or is refused', async (value) => {
      const outcome = await readings()
        .create({ id: 1, name: 'a', level: value, facts: null })
        .then(
          async () => {
            const row = await readings().where(level.eq(value)).first();
            await readings().save(row);
            return (await readings().first()).level;
          },
          (error: { readonly code?: string; readonly message?: string }) => error,
        );
      if (typeof outcome === 'number') expect(outcome).toBe(value);
      else expect(outcome).toMatchObject({ code: 'FW_ORM_VALUE', details: { model: 'Reading', field: 'level' } });
    });
  });
}
