import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  columnOf,
  model,
  open,
  registerModel,
  type ColumnDefinition,
  type Database,
  type Dialect,
  type ModelInfo,
} from '../index.js';
import { migrations, runMigrateCommand, type Migration } from '../migrations/index.js';
import { diffSchema, introspect } from '../schema/index.js';
import { contractModels } from './models.js';
import type { TestDatabase } from './dialect.contract.js';

class Thing {
  id!: number;
  label!: string;
}

const id: ColumnDefinition = { property: 'id', column: 'id', kind: 'int', primaryKey: true, autoincrement: true };
const label: ColumnDefinition = { property: 'label', column: 'label', kind: 'string', unique: true };

function things(...columns: readonly ColumnDefinition[]): ModelInfo {
  return registerModel(Thing, { name: 'Thing', table: 'things', columns: [id, ...columns] }) as unknown as ModelInfo;
}

/** What migrations must do on every real database. */
export function migrationsContract(name: string, dialect: Dialect, create: () => Promise<TestDatabase>): void {
  describe(`migrations on ${name}`, () => {
    let made: TestDatabase;
    let db: Database;
    const folder = mkdtempSync(join(tmpdir(), 'fw-migrations-'));

    beforeAll(async () => {
      made = await create();
      db = open(made.handle, dialect);
    }, 60_000);

    afterEach(async () => {
      for (const { name } of await introspect(db))
        await db.sqlDB().script(`DROP TABLE ${dialect.compiler.quote(name)}`);
    });

    afterAll(async () => {
      await db.close();
      await made.drop();
      rmSync(folder, { recursive: true });
    }, 60_000);

    const table = (version: string, name: string): Migration => ({
      version,
      name,
      up: async (_context, tx) => tx.script(`CREATE TABLE ${name} (id int)`),
      down: async (_context, tx) => tx.script(`DROP TABLE ${name}`),
      seed: async (_context, tx) => void (await tx.execute(`INSERT INTO ${name} VALUES (1)`, [])),
    });
    const tables = async () => (await introspect(db)).map(({ name }) => name).filter((name) => name !== 'ledger');

    test('up applies what is pending by version, down takes back the last', async () => {
      const runner = migrations.new(db, 'ledger').register(table('002', 'second'), table('001', 'first'));
      expect((await runner.up()).map(({ name }) => name)).toEqual(['first', 'second']);
      expect(await runner.up()).toEqual([]);
      expect(await tables()).toEqual(['first', 'second']);
      expect((await runner.status()).map(({ state }) => state)).toEqual(['applied', 'applied']);
      expect((await runner.down()).name).toBe('second');
      expect(await tables()).toEqual(['first']);
      expect((await runner.status()).map(({ state }) => state)).toEqual(['applied', 'pending']);
      await runner.down();
      await expect(runner.down()).rejects.toMatchObject({ message: 'migrations: nothing to roll back' });
    });

    test('a failing migration names itself and leaves those before it applied', async () => {
      const failing: Migration = {
        version: '002',
        name: 'broken',
        up: async (_context, tx) => tx.script('CREATE NONSENSE'),
      };
      const runner = migrations.new(db, 'ledger').register(table('001', 'first'), failing);
      await expect(runner.up()).rejects.toMatchObject({
        code: 'FW_MIGRATE_FAILED',
        message: expect.stringContaining('up 002 (broken)'),
      });
      expect((await runner.status()).map(({ state }) => state)).toEqual(['applied', 'pending']);
    });

    test('a migration without a way down stays applied, and says so', async () => {
      const oneWay: Migration = { version: '002', name: 'one way', up: async () => undefined };
      const runner = migrations.new(db, 'ledger').register(table('001', 'first'), oneWay);
      await runner.up();
      await expect(runner.down()).rejects.toMatchObject({ code: 'FW_MIGRATE_NO_DOWN', details: { version: '002' } });
      expect((await runner.status()).map(({ state }) => state)).toEqual(['applied', 'applied']);
    });

    test('two runners at the same time take back one migration each', async () => {
      const all = [table('001', 'first'), table('002', 'second'), table('003', 'third')];
      await migrations
        .new(db, 'ledger')
        .register(...all)
        .up();
      const runners = [1, 2].map(() => migrations.new(db, 'ledger').register(...all));
      const takenBack = await Promise.all(runners.map((runner) => runner.down()));
      expect(takenBack.map(({ name }) => name).sort()).toEqual(['second', 'third']);
      expect(await tables()).toEqual(['first']);
    });

    test('two runners at the same time apply each migration once', async () => {
      const runners = [1, 2].map(() =>
        migrations.new(db, 'ledger').register(table('001', 'first'), table('002', 'second')),
      );
      const applied = await Promise.all(runners.map((runner) => runner.up()));
      expect(
        applied
          .flat()
          .map(({ name }) => name)
          .sort(),
      ).toEqual(['first', 'second']);
    });

    test('what the models create is what the introspection finds', async () => {
      const first = diffSchema(contractModels, await introspect(db), dialect);
      for (const statement of first.up) await db.sqlDB().script(statement);
      expect(diffSchema(contractModels, await introspect(db), dialect)).toEqual({ up: [], down: [], warnings: [] });
      for (const statement of first.down) await db.sqlDB().script(statement);
      expect(await introspect(db)).toEqual([]);
    });

    test('diff adds, changes and drops columns and indexes, with warnings, and goes back', async () => {
      const apply = async (statements: readonly string[]) => {
        for (const statement of statements) if (!statement.startsWith('--')) await db.sqlDB().script(statement);
      };
      const difference = async (...columns: readonly ColumnDefinition[]) =>
        diffSchema([things(...columns)], await introspect(db), dialect);
      await apply((await difference(label)).up);
      await model(db, Thing).create({ label: 'kept' });

      const added = await difference(label, {
        property: 'size',
        column: 'size',
        kind: 'int',
        default: '7',
        index: true,
      });
      expect(added.warnings).toEqual([]);
      await apply(added.up);
      expect(
        await difference(label, { property: 'size', column: 'size', kind: 'int', default: '7', index: true }),
      ).toMatchObject({ up: [] });
      await apply(added.down);

      const changed = await difference({ ...label, nullable: true });
      expect(changed.warnings.join()).toContain('things.label changes from');
      await apply(changed.up);
      expect(await difference({ ...label, nullable: true })).toMatchObject({ up: [] });
      expect((await model(db, Thing).first()).label).toBe('kept');

      const renamed = await difference({ ...label, nullable: true, column: 'title', rename: 'label' });
      await apply(renamed.up);
      const title = things({ ...label, nullable: true, column: 'title' });
      expect(
        (
          await model(db, Thing)
            .where(columnOf<Thing, 'label', string>(title as never, 'label').eq('kept'))
            .first()
        ).label,
      ).toBe('kept');
    });

    test('the command writes, applies, lists and undoes SQL files, and warns about changed ones', async () => {
      const lines: string[] = [];
      const models = [things(label)];
      const run = (...args: readonly string[]) => {
        return runMigrateCommand({
          db,
          folder,
          args,
          models,
          print: (line) => lines.push(line),
          now: () => new Date('2024-01-02T03:04:05Z'),
        });
      };
      expect(await run('diff', '--name', 'create things')).toBe(0);
      expect(readdirSync(folder).sort()).toEqual([
        '20240102030405_create_things.down.sql',
        '20240102030405_create_things.up.sql',
      ]);
      await run('up');
      await run('status');
      expect(lines).toContain('applied 20240102030405 create_things');
      expect(lines.at(-1)).toMatch(/^applied {2}20240102030405 create_things \(/);
      await run('diff', '--name=again');
      expect(lines.at(-1)).toBe('the database is what the models say');
      const file = join(folder, '20240102030405_create_things.up.sql');
      writeFileSync(file, `${readFileSync(file, 'utf8')}-- edited\n`);
      await run('up');
      expect(lines.join('\n')).toContain('was changed after it was applied');
      await run('down');
      expect(await tables()).toEqual(['schema_migrations']);
      await expect(run('sideways')).rejects.toMatchObject({ code: 'FW_MIGRATE_USAGE' });
    });
  });
}
