import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith } from '../../../kernel/testing/required-service.js';
import type { ServerDatabase } from '../contract/test-servers.js';
import { open, registerModel, type ColumnDefinition, type Database, type ModelInfo } from '../index.js';
import { migrateCall } from '../contract/migrate-call.js';
import { migrations, readMigrations, runMigrateCommand } from '../migrations/index.js';
import { StepTable } from '../migrations/step-table.js';
import { stepsOf } from '../migrations/steps.js';
import { diffSchema, introspect } from '../schema/index.js';
import { POSTGRES, postgresDatabase } from './testing/postgres-server.js';
import { openPostgres, postgres } from './index.js';

class Pet {
  id!: number;
  name!: string;
  ownerId!: number;
  owner?: Pet;
}

const ID: ColumnDefinition = { property: 'id', column: 'id', kind: 'int', primaryKey: true };

function pets(more: Partial<ColumnDefinition> = {}, isHeld = false): ModelInfo {
  const name: ColumnDefinition = { property: 'name', column: 'name', kind: 'string', ...more };
  const ownerId: ColumnDefinition = { property: 'ownerId', column: 'owner_id', kind: 'int', nullable: true };
  return registerModel(Pet, {
    name: 'Pet',
    table: 'pets',
    columns: [ID, name, ownerId],
    checks: isHeld ? { named: `name <> ''` } : {},
    relations: isHeld
      ? [{ property: 'owner', kind: 'belongsTo', target: () => Pet, fk: 'ownerId', constraint: true }]
      : [],
  } as never) as unknown as ModelInfo;
}

describeWith(POSTGRES, 'What PostgreSQL does beside those who write', (url) => {
  let made: ServerDatabase;
  let db: Database;
  let folder: string;

  beforeAll(async () => {
    made = await postgresDatabase(url);
    db = open(made.handle, postgres);
  });
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'fw-concurrently-'))));
  afterEach(async () => {
    for (const { name } of await introspect(db)) await db.sqlDB().script(`DROP TABLE ${name} CASCADE`);
    await rm(folder, { recursive: true });
  });
  afterAll(async () => {
    await db.close();
    await made.drop();
  });

  test('an index that was not finished is none: one of the model is made again, another is warned of', async () => {
    const sql = db.sqlDB();
    await sql.script('CREATE TABLE pets (id int PRIMARY KEY, name text NOT NULL, owner_id int)');
    await sql.script("INSERT INTO pets VALUES (1, 'a'), (2, 'a')");
    for (const name of ['pets_name_key', 'by_hand'])
      await expect(
        (async () => sql.script(`CREATE UNIQUE INDEX CONCURRENTLY ${name} ON pets (name)`))(),
      ).rejects.toThrow('could not create unique index');
    const model = pets({ unique: true });
    const { up, down, warnings } = diffSchema([model], await introspect(db, [model]), postgres);
    expect(up).toEqual(['DROP INDEX "pets_name_key"', 'CREATE UNIQUE INDEX "pets_name_key" ON "pets" ("name")']);
    expect(down).toEqual([
      'DROP INDEX "pets_name_key"',
      '-- the index pets_name_key was never finished, so that nothing misses it',
    ]);
    expect(warnings).toEqual([expect.stringContaining('the index by_hand of pets was never finished')]);
    await sql.script('DELETE FROM pets WHERE id = 2');
    for (const statement of up) await sql.script(statement);
    await sql.script('DROP INDEX by_hand');
    expect(diffSchema([model], await introspect(db, [model]), postgres)).toMatchObject({ up: [], warnings: [] });
  });

  const put = (file: string, sql: string) => writeFile(join(folder, file), sql);
  const runner = async (on = db) => migrations.new(on).register(...(await readMigrations(folder)));
  const command = async (models: readonly ModelInfo[], ...args: readonly string[]) => {
    const lines: string[] = [];
    await runMigrateCommand({
      db,
      root: folder,
      folder,
      request: migrateCall(...args),
      models,
      print: (line) => void lines.push(line),
    });
    return lines;
  };
  const indexes = async () =>
    db.sqlDB().query(
      `SELECT c.relname, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
       WHERE indrelid = 'pets'::regclass AND NOT indisprimary ORDER BY 1`,
      [],
    );
  const steps = () => db.sqlDB().query('SELECT step, state FROM schema_migrations_steps', []);

  test('diff writes indexes that are made so, and they go up and down', async () => {
    await command([pets()], 'diff', '--name', 'first');
    await command([], 'up');
    await command([pets({ index: true })], 'diff', '--name', 'indexed', '--concurrently');
    const file = (await readdir(folder)).find((name) => name.endsWith('indexed.up.sql')) ?? '';
    expect(await readFile(join(folder, file), 'utf8')).toBe(
      'CREATE INDEX CONCURRENTLY "pets_name_idx" ON "pets" ("name");\n',
    );
    await command([], 'up');
    expect(await command([pets({ index: true })], 'diff')).toEqual(['the database is what the models say']);
    await command([], 'down');
    expect(await indexes()).toEqual([]);
  });

  test('an index that is not valid goes, and the migration runs again when the rows are right', async () => {
    await put(
      '1_pets.up.sql',
      'CREATE TABLE pets (id int, name text); INSERT INTO pets VALUES (1, $$a$$), (2, $$a$$);',
    );
    await put(
      '2_named.up.sql',
      'ALTER TABLE pets ADD size int; CREATE UNIQUE INDEX CONCURRENTLY "Named" ON pets (name); ALTER TABLE pets ADD more int;',
    );
    await expect((await runner()).up()).rejects.toMatchObject({
      code: 'FW_MIGRATE_FAILED',
      cause: { code: 'FW_ORM_CONSTRAINT' },
      message: expect.stringContaining('1 of its 3 statements stay done'),
    });
    expect(await indexes()).toEqual([]);
    await db.sqlDB().script('DELETE FROM pets WHERE id = 2');
    expect((await (await runner()).up()).map(({ name }) => name)).toEqual(['named']);
    expect([await indexes(), await steps()]).toEqual([[['Named', true]], []]);
  });

  test.each([
    ['was not begun', 'SELECT 1'],
    ['was done', 'CREATE INDEX named ON pets (name)'],
    [
      'left an index that is not valid',
      `CREATE INDEX named ON pets (name);
       UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'named'::regclass`,
    ],
  ])('a statement that was cut off and %s needs nobody to judge it', async (_what, left) => {
    await put('1_pets.up.sql', 'CREATE TABLE pets (id int, name text)');
    await (await runner()).up();
    await put('2_named.up.sql', 'CREATE INDEX CONCURRENTLY named ON nothing (name)');
    await expect((await runner()).up()).rejects.toMatchObject({ code: 'FW_MIGRATE_FAILED' });
    await put('2_named.up.sql', 'CREATE INDEX CONCURRENTLY named ON pets (name)');
    // What a process leaves that was killed amid the statement.
    await db.sqlDB().script(left);
    const [, migration] = await readMigrations(folder);
    const [step] = migration === undefined ? [] : stepsOf(migration, 'up', postgres);
    if (step === undefined) throw new Error('the migration has no step');
    await new StepTable(db, 'schema_migrations').note(db.sqlDB(), {
      ...step,
      version: '2',
      direction: 'up',
      state: 'begun',
    });
    expect((await (await runner()).up()).map(({ name }) => name)).toEqual(['named']);
    expect([await indexes(), await steps()]).toEqual([[['named', true]], []]);
  });

  test('two runners at the same time make an index once', async () => {
    await put('1_pets.up.sql', 'CREATE TABLE pets (id int, name text)');
    await put('2_named.up.sql', 'CREATE INDEX CONCURRENTLY named ON pets (name); INSERT INTO pets VALUES (1)');
    const others = await Promise.all([1, 2].map(async () => open(await openPostgres(made.address), postgres)));
    const applied = await Promise.all(others.map(async (each) => (await runner(each)).up()));
    await Promise.all(others.map((each) => each.close()));
    expect(applied.flat().map(({ name }) => name).sort()).toEqual(['named', 'pets']); // prettier-ignore
    expect(await db.sqlDB().query('SELECT id FROM pets', [])).toEqual([[1]]);
  });

  // An index that is made concurrently waits for every transaction that had a snapshot when it looked, so it would wait for ever for a
  // runner that waits in a transaction.
  test('a runner that waits for another leaves no transaction open between its tries', async () => {
    await put('1_pets.up.sql', 'CREATE TABLE pets (id int, name text)');
    const [holder, waiting] = await Promise.all([1, 2].map(async () => openPostgres(made.address)));
    if (holder === undefined || waiting === undefined) throw new Error('no connection');
    const held = await holder.begin({});
    const lock = postgres.schema.advisoryLock?.acquire ?? '';
    await held.query(lock, []);
    const applied = runner(open(waiting, postgres)).then(async (each) => each.up());
    const transactions = new Set<string>();
    while (transactions.size < 3) {
      const found = await db.sqlDB().query(
        `SELECT state, query_start::text FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid() AND query IN ('COMMIT', 'ROLLBACK')`,
        [],
      );
      for (const [state, at] of found) if (state === 'idle') transactions.add(String(at));
    }
    await held.rollback();
    expect((await applied).map(({ name }) => name)).toEqual(['pets']);
    await Promise.all([holder.close(), waiting.close()]);
  });

  test('constraints come without a look at the rows, and are validated in a migration of their own', async () => {
    await command([pets()], 'diff', '--name', 'first');
    await command([], 'up');
    await db.sqlDB().script(`INSERT INTO pets VALUES (1, '', 7)`);
    const held = pets({}, true);
    expect((await command([held], 'diff', '--name', 'held', '--not-valid')).filter((line) => line.includes('validate'))).toHaveLength(2); // prettier-ignore
    expect(await command([], 'up', '1')).toHaveLength(1);
    await expect(command([], 'up')).rejects.toMatchObject({ code: 'FW_MIGRATE_FAILED' });
    await db.sqlDB().script(`DELETE FROM pets`);
    expect(await command([], 'up')).toHaveLength(1);
    expect(await db.sqlDB().query(`SELECT convalidated FROM pg_constraint WHERE conrelid = 'pets'::regclass AND contype IN ('f', 'c')`, [])).toEqual([[true], [true]]); // prettier-ignore
    expect(await command([held], 'diff')).toEqual(['the database is what the models say']);
    await command([], 'down', '2');
    expect(await command([pets()], 'diff')).toContain('the database is what the models say');
  });
});
