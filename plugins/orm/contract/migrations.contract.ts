import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
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
  type ModelInfo,
} from '../index.js';
import {
  migrations,
  readMigrations,
  runMigrateCommand,
  type Migration,
  type MigrationStep,
  type MoveProgress,
  type MoveStep,
} from '../migrations/index.js';
import { createMissingTables, diffSchema, introspect } from '../schema/index.js';
import { pullModels } from '../db-pull/index.js';
import { ledgerState } from '../migrations/pending.js';
import { contractModels } from './models.js';
import { migrateCall } from './migrate-call.js';
import type { Subject } from './subject.js';
import { withTables } from './with-tables.js';

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
export function migrationsContract({ name, dialect, create, habits = {} }: Subject): void {
  describe(`migrations on ${name}`, () => {
    let db: Database;
    const folder = mkdtempSync(join(tmpdir(), 'fw-migrations-'));

    withTables(create, dialect, [], (opened) => (db = opened));

    afterEach(async () => {
      for (const { name } of await introspect(db))
        await db.sqlDB().script(`DROP TABLE ${dialect.compiler.quote(name)}`);
    });

    afterAll(() => rmSync(folder, { recursive: true }));

    const table = (version: string, name: string): Migration => ({
      version,
      name,
      up: async (_context, tx) => tx.script(`CREATE TABLE ${name} (id int)`),
      down: async (_context, tx) => tx.script(`DROP TABLE ${name}`),
      seed: async (_context, tx) => void (await tx.execute(`INSERT INTO ${name} VALUES (1)`, [])),
    });
    const tables = async () =>
      (await introspect(db)).map(({ name }) => name).filter((name) => !name.startsWith('ledger'));

    /** What `fw migrate` prints of migrations in a folder. */
    const told = async (own: string, models: readonly ModelInfo[], args: readonly string[]) => {
      const lines: string[] = [];
      const print = (line: string) => void lines.push(line);
      const place = { root: own, folder: own, versionTable: 'ledger' };
      await runMigrateCommand({ db, ...place, request: migrateCall(...args), models, print });
      return lines;
    };

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

    // Rails and dbmate, golang-migrate, Ecto, and Sequel, each with what it has noted.
    test.each([
      ['version varchar(128) NOT NULL', "'20240101000000'", 'name, applied_at, checksum'],
      ['version bigint NOT NULL, dirty int NOT NULL', '7, 0', 'name, applied_at, checksum'],
      [
        'version bigint NOT NULL, inserted_at varchar(30)',
        "20240101000000, '2024-01-01'",
        'name, applied_at, checksum',
      ],
      ['filename varchar(128) NOT NULL', "'001_first.rb'", 'version, name, applied_at, checksum'],
    ])('leaves the table of another tool as it is: %s', async (columns, row, missing) => {
      await db.sqlDB().script(`CREATE TABLE schema_migrations (${columns})`);
      await db.sqlDB().script(`INSERT INTO schema_migrations VALUES (${row})`);
      const noted = () => db.sqlDB().query('SELECT * FROM schema_migrations', []);
      const before = await noted();
      const own = mkdtempSync(join(tmpdir(), 'fw-beside-'));
      writeFileSync(join(own, '1_first.up.sql'), 'CREATE TABLE first (id int);');
      const runner = migrations.new(db).register(...(await readMigrations(own)));
      for (const call of [() => runner.up(), () => runner.status(), () => runner.down(), () => ledgerState(db, own)])
        await expect(call()).rejects.toMatchObject({
          code: 'FW_MIGRATE_TABLE',
          details: { table: 'schema_migrations', missing },
        });
      expect(await noted()).toEqual(before);
      const { models } = await pullModels(db);
      expect(models.map(({ file }) => file)).toContain('schema-migration.ts');

      const beside = open(db.handle, dialect, { migrationsTable: 'fw_migrations' });
      await migrations
        .new(beside)
        .register(...(await readMigrations(own)))
        .up();
      expect(await ledgerState(beside, own)).toEqual({ pending: [], newer: [] });
      expect((await pullModels(beside)).models.map(({ file }) => file)).toEqual(['first.ts', 'schema-migration.ts']);
      expect(await noted()).toEqual(before);
      rmSync(own, { recursive: true });
    });

    // None are known of a third party's dialect.
    const programs = habits.programs ?? [];
    const perProgram = programs.length > 0 ? test.each(programs) : test.skip.each([{ up: '', down: '' }]);
    perProgram('a file may hold stored programs', async ({ up, down }) => {
      const own = mkdtempSync(join(tmpdir(), 'fw-programs-'));
      writeFileSync(join(own, '1_programs.up.sql'), up);
      writeFileSync(join(own, '1_programs.down.sql'), down);
      const runner = migrations.new(db, 'ledger').register(...(await readMigrations(own)));
      await runner.up();
      expect(await db.sqlDB().query('SELECT body FROM noted', [])).toEqual([['begin; end'], ["it's; done"]]);
      await runner.down();
      expect(await tables()).toEqual([]);
      rmSync(own, { recursive: true });
    });

    test('an empty migration is applied and taken back', async () => {
      const own = mkdtempSync(join(tmpdir(), 'fw-empty-'));
      const lines: string[] = [];
      const run = (...args: readonly string[]) =>
        runMigrateCommand({
          db,
          root: own,
          folder: own,
          request: migrateCall(...args),
          print: (line) => lines.push(line),
        });
      await run('new', 'nothing yet');
      await run('up');
      await run('down');
      expect(lines.slice(2)).toEqual([
        expect.stringMatching(/^applied \d{14} nothing_yet$/),
        expect.stringMatching(/^rolled back \d{14} nothing_yet$/),
      ]);
      rmSync(own, { recursive: true });
    });

    test('as many are applied and taken back as are asked for', async () => {
      const own = mkdtempSync(join(tmpdir(), 'fw-counted-'));
      for (const [version, name] of [
        ['1', 'one'],
        ['2', 'two'],
        ['3', 'three'],
      ] as const) {
        writeFileSync(join(own, `${version}_${name}.up.sql`), `CREATE TABLE ${name} (id int);`);
        writeFileSync(join(own, `${version}_${name}.down.sql`), `DROP TABLE ${name};`);
      }
      const lines: string[] = [];
      const run = async (...args: readonly string[]) => {
        lines.length = 0;
        await runMigrateCommand({
          db,
          root: own,
          folder: own,
          request: migrateCall(...args),
          print: (line) => lines.push(line),
          versionTable: 'ledger',
        });
        return [...lines];
      };
      expect(await run('up', '2')).toEqual(['applied 1 one', 'applied 2 two']);
      expect(await run('up', '5')).toEqual(['applied 3 three']);
      expect(await run('up', '1')).toEqual(['nothing to apply']);
      expect(await run('down', '2')).toEqual(['rolled back 3 three', 'rolled back 2 two']);
      expect(await tables()).toEqual(['one']);
      expect(await run('down', '9')).toEqual(['rolled back 1 one', 'nothing is left to roll back']);
      await expect(run('down', '1')).rejects.toMatchObject({ code: 'FW_MIGRATE_NOTHING' });
      rmSync(own, { recursive: true });
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

    test('a database that is there begins with a baseline, which is noted and not run', async () => {
      const own = mkdtempSync(join(tmpdir(), 'fw-baseline-'));
      const run = (models: readonly ModelInfo[], ...args: readonly string[]) => told(own, models, args);
      const refused = (...args: readonly string[]) =>
        expect(run([things(label)], ...args)).rejects.toMatchObject({ code: 'FW_MIGRATE_BASELINE' });
      await refused('baseline');
      await createMissingTables(db, [things(label)]);
      await model(db, Thing).create({ label: 'kept' });
      const lines = await run([things(label)], 'baseline');
      expect(lines.map((line) => line.replace(/\d{14}/, 'VERSION').replace(own, ''))).toEqual([
        'wrote /VERSION_baseline.up.sql',
        'noted VERSION baseline as applied; nothing of it was run',
      ]);
      expect(await run([things(label)], 'diff')).toEqual(['the database is what the models say']);
      await expect(run([], 'down')).rejects.toMatchObject({ code: 'FW_MIGRATE_NO_DOWN' });
      await refused('baseline');
      expect((await model(db, Thing).first()).label).toBe('kept');
      // Another database is made by what was written.
      await db.sqlDB().script('DROP TABLE things; DROP TABLE ledger');
      await run([], 'up');
      expect(await run([things(label)], 'diff')).toEqual(['the database is what the models say']);
      // And one that others have made so far has what is written.
      await db.sqlDB().script('DROP TABLE ledger');
      await refused('baseline', '99');
      const [version = ''] = /\d{14}/.exec(lines.join()) ?? [];
      await run([], 'baseline', version);
      expect(await run([], 'up')).toEqual(['nothing to apply']);
      rmSync(own, { recursive: true });
    });

    test('tables that no migration makes begin with a baseline, also when the models have gone on', async () => {
      const own = mkdtempSync(join(tmpdir(), 'fw-baseline-'));
      const run = async (models: readonly ModelInfo[], ...args: readonly string[]) =>
        (await told(own, models, args)).join('\n');
      const size: ColumnDefinition = { property: 'size', column: 'size', kind: 'int', default: '7' };
      const before = things({ ...label, index: true });
      await createMissingTables(db, [before]);
      await model(db, Thing).create({ label: 'kept' });
      const after = things({ ...label, index: true }, size);
      expect(await run([before], 'diff')).toContain('no migration makes things, which another database would lack');
      await expect(run([after], 'diff')).rejects.toMatchObject({ code: 'FW_MIGRATE_NO_BASELINE' });
      expect(readdirSync(own)).toEqual([]);
      expect(await run([after], 'baseline')).toContain('baseline as applied; nothing of it was run');
      expect(await run([after], 'diff', '--name', 'size')).toContain('_size.up.sql');
      await run([], 'up');
      expect((await model(db, Thing).first()).label).toBe('kept');
      await db.sqlDB().script('DROP TABLE things; DROP TABLE ledger');
      await run([], 'up');
      expect(await run([after], 'diff')).toBe('the database is what the models say');
      rmSync(own, { recursive: true });
    });

    describe('a migration that moves data', () => {
      const ITEMS =
        'CREATE TABLE items (part int NOT NULL, id int NOT NULL, name varchar(20), slug varchar(20), PRIMARY KEY (part, id))';
      const ROWS = Array.from({ length: 10 }, (_, at) => `(${at % 3}, ${at}, 'Item ${at}')`).join(', ');
      const items: Migration = {
        version: '001',
        name: 'items',
        async up(_context, tx) {
          await tx.script(ITEMS);
          await tx.execute(`INSERT INTO items (part, id, name) VALUES ${ROWS}`, []);
        },
      };
      const filling = (move: MoveStep): Migration => ({ version: '002', name: 'slugs', move });
      const slugs = async () =>
        (await db.sqlDB().query('SELECT slug FROM items ORDER BY id', [])).map(([slug]) => slug);
      const filled = Array.from({ length: 10 }, (_, at) => `item ${at}`);

      test('changes rows batch by batch, in the order of a key of several columns', async () => {
        const told: unknown[] = [];
        const onProgress = (progress: MoveProgress) => told.push(progress);
        const runner = migrations.new(db, 'ledger', { onProgress }).register(
          items,
          filling(async (context) => {
            const options = { table: 'items', key: ['part', 'id'], size: 4, where: 'slug IS NULL -- yet' };
            expect(await context.batches(options, 'slug = lower(name)')).toBe(10);
          }),
        );
        expect((await runner.up()).map(({ name }) => name)).toEqual(['items', 'slugs']);
        expect(await slugs()).toEqual(filled);
        expect(told).toEqual([4, 8, 10].map((rows) => ({ version: '002', name: 'items', rows, isOver: rows === 10 })));
        expect((await runner.status()).map(({ state, half }) => [state, half])).toEqual([
          ['applied', undefined],
          ['applied', undefined],
        ]);
      });

      test('goes on behind the last batch, and changes no row twice', async () => {
        const seen: number[] = [];
        let fails = true;
        const move = filling(async (context) => {
          await context.batches(
            { table: 'items', key: ['part', 'id'], columns: ['name'], size: 3 },
            async (rows, tx) => {
              if (seen.length >= 6 && fails) throw new Error('on the way');
              for (const { part, id, name } of rows) {
                seen.push(Number(id));
                const [one, two, three] = [1, 2, 3].map((at) => dialect.compiler.placeholder(at));
                await tx.execute(`UPDATE items SET slug = ${one} WHERE part = ${two} AND id = ${three}`, [
                  String(name).toLowerCase(),
                  part,
                  id,
                ]);
              }
            },
          );
        });
        const runner = () => migrations.new(db, 'ledger').register(items, move);
        await expect(runner().up()).rejects.toMatchObject({ code: 'FW_MIGRATE_FAILED' });
        expect((await slugs()).filter((slug) => slug !== null)).toHaveLength(6);
        expect((await runner().status()).map(({ state, half }) => [state, half?.inDoubt])).toEqual([
          ['applied', undefined],
          ['pending', undefined],
        ]);
        fails = false;
        await runner().up();
        expect([...seen].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        expect(await slugs()).toEqual(filled);
      });

      test('stands between up and seed, and can be taken back', async () => {
        const all: Migration = {
          version: '001',
          name: 'all',
          up: items.up as MigrationStep,
          move: async ({ batches }) => void (await batches({ table: 'items', key: 'id' }, `slug = 'moved'`)),
          seed: async (_context, tx) => void (await tx.execute(`INSERT INTO items (part, id) VALUES (9, 9)`, [])),
          down: (_context, tx) => tx.script('DROP TABLE items'),
        };
        const runner = migrations.new(db, 'ledger').register(all);
        await runner.up();
        expect((await slugs()).filter((slug) => slug === 'moved')).toHaveLength(10);
        expect(await slugs()).toHaveLength(11);
        await runner.down();
        expect(await tables()).toEqual([]);
      });

      test('refuses a key that nobody can go on behind', async () => {
        const by = (key: string, set: string) =>
          migrations
            .new(db, 'ledger')
            .register(items, filling(async ({ batches }) => void (await batches({ table: 'items', key }, set)))); // prettier-ignore
        await expect(by('slug', 'slug = name').up()).rejects.toMatchObject({
          code: 'FW_MIGRATE_FAILED',
          cause: {
            code: 'FW_MIGRATE_BATCH',
            details: { problem: expect.stringContaining('the column slug of the key holds a null') },
          },
        });
        expect((await slugs()).filter((slug) => slug !== null)).toEqual([]);
      });
    });

    test('a statement waits for the locks of others no longer than is said', async () => {
      await migrations.new(db, 'ledger').register(table('001', 'first')).up(); // prettier-ignore
      const limited = () => migrations.new(db, 'ledger', { lockTimeout: 50 });
      if (dialect.schema.lockTimeout === undefined) {
        expect(limited).toThrow(expect.objectContaining({ code: 'FW_MIGRATE_UNSUPPORTED' }));
        return;
      }
      const widened: Migration = {
        version: '002',
        name: 'widened',
        up: (_context, tx) => tx.script('ALTER TABLE first ADD more int'),
      };
      if (habits.onlyConnection) {
        expect(await limited().register(widened).up()).toEqual([widened]);
        return;
      }
      const holder = await db.sqlDB().begin({});
      await holder.query('SELECT id FROM first', []);
      await expect(limited().register(widened).up()).rejects.toMatchObject({
        code: 'FW_MIGRATE_FAILED',
        message: expect.stringContaining('run it again when nobody is in its way'),
      });
      await holder.rollback();
      if (dialect.schema.commitsChanges) await limited().register(widened).resolve('002', 'undone');
      expect(await limited().register(widened).up()).toEqual([widened]);
    });

    test('a column less and one of its type more is asked about, and renamed when somebody says so', async () => {
      const own = mkdtempSync(join(tmpdir(), 'fw-renamed-'));
      const titled = (...more: readonly ColumnDefinition[]) => things({ ...label, column: 'title' }, ...more);
      const run = (models: readonly ModelInfo[], ...args: readonly string[]) => told(own, models, args);
      await run([things(label)], 'diff', '--name', 'first');
      await run([], 'up');
      things(label);
      await model(db, Thing).create({ label: 'kept' });
      const files = readdirSync(own);
      expect((await run([titled()], 'diff', '--dry-run')).join('\n')).toMatch(/title[\s\S]*;$/);
      expect(readdirSync(own)).toEqual(files);
      const asked = await run([titled()], 'diff', '--name', 'dropping');
      expect(asked[0]).toBe(
        'warning: things.label is dropped with its values; the model has no such column; where title is it under another name, write this with --rename things.label=title, or say rename=label in its tag',
      );
      for (const file of readdirSync(own).filter((each) => each.includes('dropping'))) rmSync(join(own, file));
      const refused = (rename: string) =>
        expect(run([titled()], 'diff', '--rename', rename)).rejects.toMatchObject({ code: 'FW_MIGRATE_RENAME' });
      for (const rename of ['things.lable=title', 'things.label=name', 'others.label=title', 'label=id'])
        await refused(rename);
      expect((await run([titled()], 'diff', '--rename', 'label=title', '--name=renaming')).join()).not.toContain(
        'dropped',
      );
      await run([], 'up');
      expect(await run([titled()], 'diff')).toEqual(['the database is what the models say']);
      titled();
      expect((await model(db, Thing).first()).label).toBe('kept');
      await run([], 'down');
      expect(await run([things(label)], 'diff')).toContain('the database is what the models say');
      rmSync(own, { recursive: true });
    });

    test('the command writes, applies, lists and undoes SQL files, and warns about changed ones', async () => {
      const lines: string[] = [];
      const models = [things(label)];
      const run = (...args: readonly string[]) => {
        return runMigrateCommand({
          db,
          root: folder,
          folder,
          request: migrateCall(...args),
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
      await expect(run('diff')).rejects.toMatchObject({
        code: 'FW_MIGRATE_UP_FIRST',
        message: expect.stringContaining('20240102030405_create_things'),
      });
      expect(readdirSync(folder)).toHaveLength(2);
      expect(await tables()).toEqual([]);
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
      expect(await tables()).toEqual(expect.arrayContaining(['schema_migrations']));
      expect(() => migrateCall('sideways')).toThrow(expect.objectContaining({ code: 'FW_MIGRATE_USAGE' }));
    });
  });
}
