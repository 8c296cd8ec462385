import { expect } from '@jest/globals';
import { systemClock } from '../../../kernel/index.js';
import { openAny, test } from '../contract/any-database.js';
import { introspect } from '../schema/index.js';
import { migrations, type Migration, type MigrationStep } from './index.js';

const database = () => openAny([]);
const table = (version: string, name: string): Migration => ({
  version,
  name,
  up: async (_context, tx) => tx.script(`CREATE TABLE ${name} (id int)`),
  down: async (_context, tx) => tx.script(`DROP TABLE ${name}`),
  seed: async (_context, tx) => void (await tx.execute(`INSERT INTO ${name} VALUES (7)`, [])),
});
const tables = async (db: Awaited<ReturnType<typeof database>>) =>
  (await introspect(db)).map(({ name }) => name).filter((name) => !name.startsWith('ledger'));

test('register adds migrations, up applies all that are pending, by version [ORM-MIGRATE-REGISTER, ORM-MIGRATE-UP, ORM-STATE-MIGRATION-UP-01, ORM-OVERVIEW-11]', async () => {
  const db = await database();
  await migrations.new(db, 'ledger').register(table('001', 'first')).up();
  const runner = migrations.new(db, 'ledger').register(table('003', 'third'), table('001', 'first'));
  runner.register(table('002', 'second'));
  expect((await runner.up()).map(({ version }) => version)).toEqual(['002', '003']);
  expect(await tables(db)).toEqual(['first', 'second', 'third']);
  expect(await db.sqlDB().query('SELECT id FROM third', [])).toEqual([[7]]);
});

test('what is applied stands in the version table [ORM-STATE-MIGRATION-UP-02]', async () => {
  const db = await database();
  await migrations.new(db, 'ledger').register(table('001', 'first')).up();
  expect(await db.sqlDB().query('SELECT version, name FROM ledger', [])).toEqual([['001', 'first']]);
});

test('the handle of a database will do, and the table has the name that it is given [ORM-MIGRATE-NEW]', async () => {
  const db = await database();
  await migrations.new(db.sqlDB(), 'own_versions').register(table('001', 'first')).up();
  expect(await db.sqlDB().query('SELECT version FROM own_versions', [])).toEqual([['001']]);
});

test('a migration has version and name, and steps of a context and a transaction [ORM-VALUE-MIGRATION]', async () => {
  const db = await database();
  const told: unknown[] = [];
  const step = (what: string): MigrationStep => {
    return async ({ db: own, ...context }, tx) => {
      told.push([what, context, own === db]);
      if (what === 'up') await tx.script('CREATE TABLE things (id int)');
      if (what === 'seed') await tx.execute('INSERT INTO things VALUES (1)', []);
      if (what === 'down') await tx.script('DROP TABLE things');
    };
  };
  const steps = { up: step('up'), down: step('down'), seed: step('seed') };
  const runner = migrations.new(db, 'ledger').register({ version: '001', name: 'things', ...steps });
  await runner.up();
  await runner.down();
  const [up, down] = ['up', 'down'].map((direction) => ({ version: '001', name: 'things', direction }));
  expect(told).toEqual([
    ['up', up, true],
    ['seed', up, true],
    ['down', down, true],
  ]);
});

test('down rolls back the most recent one, and only it [ORM-MIGRATE-DOWN, ORM-STATE-MIGRATION-DOWN]', async () => {
  const db = await database();
  const runner = migrations.new(db, 'ledger').register(table('001', 'first'), table('002', 'second'));
  await runner.up();
  expect((await runner.down()).version).toBe('002');
  expect(await tables(db)).toEqual(['first']);
  expect((await runner.status()).map(({ state }) => state)).toEqual(['applied', 'pending']);
});

test('the most recent one is the last applied, not the highest version [ORM-STATE-MIGRATION-DOWN]', async () => {
  const db = await database();
  let now = 1000;
  const clock = { ...systemClock, now: () => now };
  await migrations.new(db, 'ledger', { clock }).register(table('002', 'second')).up();
  now += 1000;
  const runner = migrations.new(db, 'ledger', { clock }).register(table('001', 'first'), table('002', 'second'));
  await runner.up();
  expect((await runner.down()).version).toBe('001');
  expect(await tables(db)).toEqual(['second']);
});

test('one that is half done is told of without its file', async () => {
  const db = await database();
  const move = () => Promise.reject(new RangeError('no room'));
  const runner = migrations.new(db, 'ledger').register({ ...table('001', 'first'), move });
  await expect(runner.up()).rejects.toMatchObject({ code: 'FW_MIGRATE_FAILED' });
  const half = { direction: 'up', done: 1 };
  expect(await runner.status()).toEqual([{ version: '001', name: 'first', state: 'pending', appliedAt: null, half }]);
  expect(await migrations.new(db, 'ledger').status()).toEqual([
    { version: '001', name: 'unknown', state: 'missing', appliedAt: null, half },
  ]);
});
