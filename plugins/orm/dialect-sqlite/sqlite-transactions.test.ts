import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Tag, contractModels } from '../contract/models.js';
import { model, open, transaction, type CallOptions, type Database } from '../index.js';
import { createMissingTables } from '../schema/index.js';
import { openSqlite, sqlite } from './index.js';

describe.each([
  ['a file', (folder: string) => join(folder, 'test.db')],
  ['memory', () => ':memory:'],
])('transactions of SQLite in %s', (_where, path) => {
  let folder: string;
  let db: Database;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fw-orm-'));
    db = open(await openSqlite(path(folder)), sqlite);
    await createMissingTables(db, contractModels);
  });

  afterEach(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });

  test('nothing from outside slips into an open one', async () => {
    const failing = (label: string) =>
      transaction.run(db, null, { maxAttempts: 1 }, async (tx) => {
        await model(tx, Tag).create({ label });
        await turn();
        throw new RangeError(label);
      });
    const [first, second, outside] = await Promise.allSettled([
      failing('a'),
      failing('b'),
      model(db, Tag).create({ label: 'c' }),
    ]);
    expect([first.status, second.status, outside.status]).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect((await model(db, Tag).find()).map(({ label }) => label)).toEqual(['c']);
  });

  test('what SQLite has rolled back by itself, as when the disk is full, takes no more statements', async () => {
    const [[pages]] = (await db.sqlDB().query('PRAGMA page_count', [])) as [[number]];
    const filled = transaction.run(db, null, { maxAttempts: 1 }, async (tx) => {
      await tx.query(`PRAGMA max_page_count = ${Number(pages) + 8}`, []);
      await model(tx, Tag).create({ label: 'before' });
      const rows = Array.from({ length: 500 }, (_, at) => ({ label: `${at}`.padEnd(900, '.') }));
      await expect(model(tx, Tag).createBatch(rows)).rejects.toBeDefined();
      await expect(model(tx, Tag).find()).rejects.toMatchObject({ code: 'FW_ORM_TRANSACTION_LOST' });
      await model(tx, Tag).create({ label: 'after' });
    });
    await expect(filled).rejects.toMatchObject({
      code: 'FW_ORM_TRANSACTION_LOST',
      cause: expect.objectContaining({ code: 'FW_ORM_DATABASE', message: expect.stringContaining('full') }),
    });
    expect(await model(db, Tag).count()).toBe(0);
    expect(await model(db, Tag).create({ label: 'next' })).toMatchObject({ id: 1 });
  });

  const turn = () => new Promise((resolve) => setImmediate(resolve));

  test.each<[string, (on: Database) => Promise<unknown>]>([
    ['a write', (on) => model(on, Tag).create({ label: 'outside' })],
    ['a read', (on) => model(on, Tag).find()],
    ['a transaction', (on) => transaction.run(on, null, null, () => Promise.resolve())],
    ['a batch', (on) => model(on, Tag).createBatch([{ label: 'outside' }])],
    ['a script', async (on) => on.sqlDB().script('DELETE FROM tags')],
    ['a stream', (on) => collected(model(on, Tag).stream())],
    ['close', (on) => on.close()],
  ])('%s on the database awaited inside is refused at once, without a deadlock', async (_what, call) => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      const run = transaction.run(db, null, null, async (tx) => {
        await model(tx, Tag).create({ label: 'inside' });
        await turn();
        await call(db);
      });
      // No timer ever fires here: who had to wait for one would wait forever.
      await expect(run).rejects.toMatchObject({ code: 'FW_ORM_OUTSIDE_TRANSACTION' });
      expect(await model(db, Tag).count()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  const labelled = (on: Parameters<typeof model>[0], label: string) =>
    model(on, Tag).where({ column: 'label', op: 'eq', value: label });

  test('who has awaited a number of rows is still inside', async () => {
    for (const label of ['a', 'none']) {
      const run = transaction.run(db, null, null, async (tx) => {
        await model(tx, Tag).create({ label: 'a' });
        await labelled(tx, label).updateAll({ column: 'label', value: 'b' });
        await model(db, Tag).count();
      });
      await expect(run).rejects.toMatchObject({ code: 'FW_ORM_OUTSIDE_TRANSACTION' });
    }
    expect(await model(db, Tag).count()).toBe(0);
  });

  test('the promise of a write may be that of the function', async () => {
    const labels = ['a', 'b', 'c'];
    for (const label of labels) await model(db, Tag).create({ label });
    expect(await transaction.run(db, null, null, (tx) => labelled(tx, 'a').delete())).toBe(1);
    expect(await transaction.run(db, null, null, (tx) => labelled(tx, 'a').delete())).toBe(0);
    const deletedInside = await transaction.run(db, null, null, async (tx) => {
      const kept = await transaction.run(tx, null, null, (inner) => labelled(inner, 'b').delete());
      const undone = transaction.run(tx, null, null, async (inner) => {
        await transaction.run(inner, null, null, (innermost) => labelled(innermost, 'c').delete());
        throw new RangeError('undo');
      });
      await expect(undone).rejects.toThrow('undo');
      return kept;
    });
    expect(deletedInside).toBe(1);
    expect((await model(db, Tag).find()).map(({ label }) => label)).toEqual(['c']);
  });

  test('what a function left running is outside once its transaction is over, also while another is open', async () => {
    let late: Promise<unknown> = Promise.resolve();
    let goOn: () => void = () => undefined;
    const over = new Promise<void>((resolve) => (goOn = resolve));
    await transaction.run(db, null, null, async () => {
      late = over.then(() => model(db, Tag).create({ label: 'late' }));
      await turn();
    });
    await transaction.run(db, null, null, async (tx) => {
      await model(tx, Tag).create({ label: 'next' });
      goOn();
      await turn();
    });
    await late;
    expect((await model(db, Tag).find()).map(({ label }) => label)).toEqual(['next', 'late']);
  });

  test('who waits too long for an open one is told that the database is busy', async () => {
    const hurried = open(await openSqlite(path(join(folder, 'hurried')), { busyTimeout: 1 }), sqlite);
    await createMissingTables(hurried, contractModels);
    const holder = await hurried.sqlDB().begin({});
    await expect(model(hurried, Tag).create({ label: 'x' })).rejects.toMatchObject({ code: 'FW_ORM_TRANSIENT' });
    await holder.rollback();
    await hurried.close();
  });
});

describe('a handle of SQLite', () => {
  const plain = 'CREATE TABLE t (id INTEGER)';
  const insert = 'INSERT INTO t VALUES (1)';

  test.each([
    ['a file', 'file'],
    ['memory', ':memory:'],
  ])(
    'refuses calls as soon as it is to be closed, and closes when another call asks for it again (%s)',
    async (_where, name) => {
      const folder = mkdtempSync(join(tmpdir(), 'fw-orm-'));
      const handle = await openSqlite(name === 'file' ? join(folder, 'test.db') : name, { busyTimeout: 20 });
      const closed = expect.objectContaining({ code: 'FW_ORM_CLOSED' });
      await handle.script(plain);
      const tx = await handle.begin({});
      const first = handle.close();
      await expect(async () => handle.query('SELECT 1', [])).rejects.toEqual(closed);
      await expect(async () => handle.execute(insert, [])).rejects.toEqual(closed);
      await expect(collected(handle.stream('SELECT 1', [], { batchSize: 1 }))).rejects.toEqual(closed);
      await expect(first).rejects.toMatchObject({ code: 'FW_ORM_TRANSIENT' });
      await tx.execute(insert, []);
      await tx.commit();
      await Promise.all([handle.close(), handle.close()]);
      expect(handle.driver.open).toBe(false);
      await expect(async () => handle.query('SELECT 1', [])).rejects.toEqual(closed);
      rmSync(folder, { recursive: true });
    },
  );

  test('gives coded errors for streams of a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fw-orm-'));
    const handle = await openSqlite(join(folder, 'test.db'));
    const wrong = collected(handle.stream('SELECT nothing FROM nowhere', [], { batchSize: 1 }));
    await expect(wrong).rejects.toMatchObject({ code: 'FW_ORM_DATABASE' });
    await handle.close();
    rmSync(folder, { recursive: true });
  });

  test('keeps nobody waiting for a transaction longer than the call allows, and none twice', async () => {
    const handle = await openSqlite(':memory:', { busyTimeout: 60 });
    const db = open(handle, sqlite);
    await handle.script(plain);
    const tx = await handle.begin({});
    const late = { code: 'FW_ORM_TIMEOUT', details: { timeout: 10 } };
    const run = (options: object) => transaction.run(db, options, null, async () => 'ran');
    await expect(handle.execute(insert, [], { timeout: 10 })).rejects.toMatchObject(late);
    await expect(run({ timeout: 10 })).rejects.toMatchObject(late);
    const signal = AbortSignal.timeout(10);
    await expect(handle.execute(insert, [], { signal })).rejects.toMatchObject({ code: 'FW_ORM_ABORTED' });
    await expect(run({})).rejects.toMatchObject({ code: 'FW_ORM_TRANSIENT' });
    expect(handle.stats().connections.waiting).toBe(0);
    await tx.commit();
    await expect(run({})).resolves.toBe('ran');
    await handle.close();
  });
});

async function collected(rows: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

describe('a busy SQLite', () => {
  test.each<[string, (db: Database, call: CallOptions) => Promise<unknown>]>([
    ['a write', (db, call) => model(db, Tag).create({ label: 'late' }, call)],
    ['a batch', (db, call) => model(db, Tag).createBatch([{ label: 'late' }], call)],
    ['a transaction', (db, call) => transaction.run(db, call, null, (tx) => model(tx, Tag).create({ label: 'late' }))],
    ['a script', async (db, call) => db.sqlDB().script("INSERT INTO tags (label) VALUES ('late')", call)],
  ])(
    'keeps %s waiting for another process no longer than the call allows, and does not do it later',
    async (_what, run) => {
      const folder = mkdtempSync(join(tmpdir(), 'fw-orm-'));
      const file = join(folder, 'test.db');
      const [db, other] = [
        open(await openSqlite(file, { busyTimeout: 60_000 }), sqlite),
        open(await openSqlite(file), sqlite),
      ];
      await createMissingTables(db, contractModels);
      const holder = await other.sqlDB().begin({});
      await expect(run(db, { timeout: 40 })).rejects.toMatchObject({
        code: 'FW_ORM_TIMEOUT',
        details: { timeout: 40 },
      });
      const signal = AbortSignal.timeout(40);
      await expect(run(db, { signal })).rejects.toMatchObject({ code: 'FW_ORM_ABORTED' });
      // In line behind one of this process the deadline is still one.
      const [first, second] = [run(db, { timeout: 80 }), run(db, { timeout: 20 })];
      await expect(second).rejects.toMatchObject({ code: 'FW_ORM_TIMEOUT', details: { timeout: 20 } });
      await expect(first).rejects.toMatchObject({ code: 'FW_ORM_TIMEOUT', details: { timeout: 80 } });
      await holder.rollback();
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await model(db, Tag).count()).toBe(0);
      await model(db, Tag).create({ label: 'next' });
      await Promise.all([db.close(), other.close()]);
      rmSync(folder, { recursive: true });
    },
  );

  test('is transient, and the transaction is retried until the other process is done', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fw-orm-'));
    const file = join(folder, 'test.db');
    const [db, other] = [
      open(await openSqlite(file, { busyTimeout: 1 }), sqlite),
      open(await openSqlite(file), sqlite),
    ];
    await createMissingTables(db, contractModels);
    const holder = await other.sqlDB().begin({});
    let attempts = 0;
    const policy = {
      maxAttempts: 2,
      baseDelay: 1,
      isRetryable: (error: unknown) => (attempts++, (error as { code?: string }).code === 'FW_ORM_TRANSIENT'),
    };
    const write = () => transaction.run(db, null, policy, (tx) => model(tx, Tag).create({ label: 'x' }));
    await expect(write()).rejects.toMatchObject({ code: 'FW_ORM_TRANSACTION_GAVE_UP' });
    expect(attempts).toBe(2);
    await holder.rollback();
    await expect(write()).resolves.toMatchObject({ label: 'x' });
    await Promise.all([db.close(), other.close()]);
    rmSync(folder, { recursive: true });
  });
});
