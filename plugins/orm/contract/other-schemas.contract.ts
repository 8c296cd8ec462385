import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { registerModel, type ColumnDefinition, type Database, type ModelInfo } from '../index.js';
import { createMissingTables, diffSchema, introspect } from '../schema/index.js';
import type { Subject } from './subject.js';
import { column } from './schema-pairs.js';
import { withTables } from './with-tables.js';

class Account {}
class Entry {}

const ID = column('id', 'int', { primaryKey: true, autoincrement: true });

/** What a diff must do with tables whose names begin with a schema, on databases that have some. */
export function otherSchemasContract({ name, dialect, create }: Subject): void {
  describe(`tables of other schemas on ${name}`, () => {
    const other = `fw_test_${randomBytes(6).toString('hex')}`;
    let db: Database;
    let own: string;
    const apply = async (statements: readonly string[]) => {
      for (const statement of statements) if (!statement.startsWith('--')) await db.sqlDB().script(statement);
    };
    const accounts = (...columns: readonly ColumnDefinition[]) =>
      registerModel(Account, {
        name: 'Account',
        table: `${other}.accounts`,
        columns: [ID, ...columns],
      }) as unknown as ModelInfo;
    const entries = (table = 'entries') =>
      registerModel(Entry, {
        name: 'Entry',
        table,
        columns: [ID, column('account_id', 'int', { index: true })],
        relations: [
          { property: 'account', kind: 'belongsTo', target: () => Account, fk: 'account_id', constraint: true },
        ],
      }) as unknown as ModelInfo;
    const email = (more: Partial<ColumnDefinition> = {}) =>
      column('email', 'string', { size: 40, unique: true, ...more });
    const difference = async (models: readonly ModelInfo[], dropTables = false) =>
      diffSchema(models, await introspect(db, models), dialect, { dropTables });

    // Before the database goes: a schema may be one beside it.
    afterAll(async () => {
      await apply([
        'DROP TABLE entries',
        `DROP TABLE ${other}.accounts`,
        `DROP TABLE ${other}.strange`,
        `DROP SCHEMA ${other}`,
      ]);
    }, 240_000);

    withTables(create, dialect, [], (opened) => (db = opened));

    beforeAll(async () => {
      await apply([`CREATE SCHEMA ${other}`, `CREATE TABLE ${other}.strange (id int NOT NULL PRIMARY KEY)`]);
      own = String((await db.sqlDB().query(dialect.schema.introspection.currentSchema as string, []))[0]?.[0]);
      await apply((await difference([entries(), accounts(email())])).up);
    }, 240_000);

    test('a second diff finds nothing, and drops nothing of somebody else', async () => {
      const models = [accounts(email()), entries()];
      expect(await difference(models, true)).toEqual({ up: [], down: [], warnings: [] });
      expect(await createMissingTables(db, models)).toEqual([]);
    });

    test('a change is made in their schema, and undone there', async () => {
      const models = [
        accounts(email({ unique: false, nullable: true }), column('size', 'int', { index: true, default: '1' })),
        entries(),
      ];
      const before = await introspect(db, models);
      const { up, down } = await difference(models);
      await apply(up);
      expect(await difference(models)).toMatchObject({ up: [] });
      await apply(down);
      expect(await introspect(db, models)).toEqual(before);
    });

    test('a table of the current schema may be named with it', async () => {
      const models = [accounts(email()), entries(`${own}.entries`)];
      expect(await difference(models, true)).toEqual({ up: [], down: [], warnings: [] });
      expect(await createMissingTables(db, models)).toEqual([]);
    });
  });
}
