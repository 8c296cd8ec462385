import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { model, registerModel, type ColumnDefinition, type Database, type EnumForm } from '../index.js';
import { createMissingTables, diffSchema, introspect } from '../schema/index.js';
import type { Subject } from './subject.js';
import { declarationsOf } from '../db-pull/declarations.js';
import { stringLiteral, type ModelInfo } from '../core/index.js';
import { withTables } from './with-tables.js';

class Held {
  id!: number;
  value!: string | number | null;
}

const modelOf = (table: string, values: readonly (string | number)[], enumAs?: EnumForm): ModelInfo => {
  const columns: ColumnDefinition[] = [
    { property: 'id', column: 'id', kind: 'int', primaryKey: true, autoincrement: true },
    { property: 'value', column: 'value', kind: 'enum', nullable: true, values, ...(enumAs && { enumAs }) },
  ];
  return registerModel(Held, { name: 'Held', table, columns }) as unknown as ModelInfo;
};

const PIECES = ["'", "''", '\\', '\\\\', '"', '`', '[x]', ']', ',', ';', '--', '/*', '$1', '?', ':a', '%', 'é', '日本', '😀', '\n', ' OR ', 'NULL', '::text', "\\'", '{a}', '1', 'x']; // prettier-ignore
const text = fc
  .oneof(
    fc.array(fc.constantFrom(...PIECES), { maxLength: 5 }).map((parts) => parts.join('')),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  )
  .filter((value) => !value.includes('\0') && value.isWellFormed() && [...value].length < 40);
const texts = fc.uniqueArray(text, { minLength: 1, maxLength: 12 });
const longList = fc
  .integer({ min: 50, max: 300 })
  .map((count) => Array.from({ length: count }, (_, at) => `value ${at}`));
const number = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }).filter((value) => !Object.is(value, -0)),
  fc.constantFrom(0.1, -2.5, 1e21, 1e-7, 123456789.123),
);
const numbers = fc.uniqueArray(number, { minLength: 1, maxLength: 12 });

/** What a column that is held to its values must do on every real database, whatever the values are. */
export function enumsContract({ name, dialect, create }: Subject): void {
  describe(`columns held to values on ${name}`, () => {
    let db: Database;
    const runs = { numRuns: 40 };

    withTables(create, dialect, [], (opened) => (db = opened));

    const insert = async (table: string, value: unknown) =>
      db
        .sqlDB()
        .execute(
          `INSERT INTO ${dialect.compiler.quote(table)} (${dialect.compiler.quote('value')}) VALUES (${dialect.compiler.placeholder(1)})`,
          [value],
        );

    // Some releases of SQLite read a few decimals as the double beside them (https://sqlite.org/floatingpoint.html#floating_point_accuracy).
    async function readBack(value: number): Promise<number> {
      const [row] = await db.sqlDB().query(`SELECT ${value} AS ${dialect.compiler.quote('value')}`, []);
      return Number(row?.[0]);
    }

    async function holds(table: string, values: readonly (string | number)[], other: unknown, enumAs?: EnumForm) {
      const info = modelOf(table, values, enumAs);
      await createMissingTables(db, [info]);
      try {
        expect(diffSchema([info], await introspect(db), dialect)).toEqual({ up: [], down: [], warnings: [] });
        for (const value of values) await insert(table, value);
        await insert(table, null);
        await expect(insert(table, other)).rejects.toThrow();
        const rows = await model(db, Held).orderBy({ column: 'id' }).find();
        expect(rows.map(({ value }) => value)).toEqual([...values, null]);
        const [pulled] = declarationsOf(await introspect(db), dialect).models;
        // The catalogs of MariaDB do not have every letter.
        const shown = (content: string) => content.replace(/[\u{10000}-\u{10FFFF}]|\?+/gu, '?').replace(/\?+/g, '?');
        for (const value of values)
          expect(shown(pulled?.content ?? '')).toContain(
            shown(typeof value === 'string' ? stringLiteral(value) : String(value)),
          );
        expect(pulled?.content).not.toContain('checks:');
      } finally {
        await db.sqlDB().script(`DROP TABLE ${dialect.compiler.quote(table)}`);
      }
    }

    test('take each text, and no other', async () => {
      await fc.assert(
        fc.asyncProperty(texts, (values) => holds('texts', values, 'none of them, quite surely')),
        runs,
      );
    }, 300_000);

    test('take each of many', async () => {
      await fc.assert(
        fc.asyncProperty(longList, (values) => holds('many', values, 'value')),
        { numRuns: 2 },
      );
    }, 300_000);

    test('take each number, and no other', async () => {
      await fc.assert(
        fc.asyncProperty(numbers, async (values) => {
          const read = await Promise.all(values.map(async (value) => (await readBack(value)) === value));
          const readable = values.filter((_, at) => read[at]);
          if (readable.length > 0) await holds('numbers', readable, 77_777_777.5);
        }),
        runs,
      );
    }, 300_000);

    test('take each text of an enum of the database', async () => {
      // Blanks at the end are cut off, and letters of another case are the same (https://dev.mysql.com/doc/refman/8.0/en/enum.html).
      const fitting = fc.uniqueArray(
        text.filter((value) => Buffer.byteLength(value) < 60 && !/\s$/u.test(value)),
        {
          minLength: 1,
          maxLength: 8,
          selector: (value) =>
            value
              .normalize('NFKD')
              .toLowerCase()
              .replace(/[^\u0021-\u007e]/g, ''),
        },
      );
      await fc.assert(
        fc.asyncProperty(fitting, (values) => holds('enums', values, 'none of them, quite surely', 'native')),
        runs,
      );
    }, 300_000);
  });
}
