import { describe, expect } from '@jest/globals';
import { anyDatabase, openAny, test } from '../../contract/any-database.js';
import { RecordingHandle } from '../../contract/recording-handle.js';
import { Author, Noted, Post, Tag, contractModels, post } from '../../contract/models.js';
import { standard } from '../../contract/standard-dialect.js';
import {
  MAX_BULK_INSERT_ROWS,
  defaultRetryPolicy,
  isTransient,
  model,
  open,
  softDelete,
  transaction,
  withPlugins,
  type Database,
  type HookContext,
  type OpenOptions,
} from '../../index.js';
import { backOffDelay } from '../session/retry.js';

const database = (...options: OpenOptions[]): Promise<Database> => openAny(contractModels, ...options);
const labels = async (db: Database) => (await model(db, Tag).orderBy({ column: 'id' }).find()).map((at) => at.label);
const views = async (db: Database) => (await model(db, Post).orderBy(post.id.asc()).find()).map((at) => at.views);
const threePosts = [1, 2, 3].map((n) => ({ authorId: 1, title: `t${n}`, views: n }));

describe('writes', () => {
  test('create inserts one row and runs its hooks [ORM-WRITE-CREATE-01, ORM-WRITE-CREATE-02]', async () => {
    const db = await database();
    Noted.calls.length = 0;
    await model(db, Noted).create({ text: 'one' });
    expect((await model(db, Noted).find()).map(({ text }) => text)).toEqual(['one']);
    expect(Noted.calls.filter((name) => name.endsWith('Create'))).toEqual(['beforeCreate', 'afterCreate']);
  });

  test('create fills what the database generated from RETURNING [ORM-WRITE-CREATE-03]', async () => {
    const handle = new RecordingHandle();
    const made = await model(open(handle, standard), Tag).create({ label: 'red' });
    expect(handle.sql).toEqual(['INSERT INTO "tags" ("label") VALUES ($1) RETURNING "id"']);
    expect(made.id).toBe(1);
  });

  test('createBatch is one INSERT of several rows, and says how many it wrote [ORM-WRITE-BATCH-01, ORM-WRITE-BATCH-04]', async () => {
    const db = await database();
    expect(await model(db, Tag).createBatch([{ label: 'a' }, { label: 'b' }, { label: 'c' }])).toBe(3);
    const handle = new RecordingHandle();
    await model(open(handle, standard), Tag).createBatch([{ label: 'a' }, { label: 'b' }]);
    expect(handle.sql).toEqual(['INSERT INTO "tags" ("label") VALUES ($1), ($2) RETURNING "id"']);
  });

  test('createBatch chunks above its most rows, all in one transaction [ORM-WRITE-BATCH-02, ORM-WRITE-BATCH-03, LIMIT-ORM-BATCH]', async () => {
    const inserts: string[] = [];
    const plugin = { name: () => 'seen', beforeExecute: (_context: unknown, sql: string) => void inserts.push(sql) };
    const db = await database(withPlugins(plugin));
    inserts.length = 0;
    const rows = Array.from({ length: MAX_BULK_INSERT_ROWS + 1 }, (_, at) => ({ label: `${at}` }));
    expect(await model(db, Tag).createBatch(rows)).toBe(rows.length);
    expect(inserts.length).toBeGreaterThan(1);
    // A group of parameters for each row, where rows are not sent as one array for each column.
    for (const sql of inserts) expect(sql.split(/\([$?]\d*\)/).length - 1).toBeLessThanOrEqual(MAX_BULK_INSERT_ROWS);
    await model(db, Tag).delete();
    await expect(model(db, Tag).createBatch([...rows, { label: '0' }])).rejects.toMatchObject({
      code: 'FW_ORM_CONSTRAINT',
    });
    expect(await model(db, Tag).count()).toBe(0);
  });

  test('updateAll updates the matching rows and counts them [ORM-WRITE-UPDATE-ALL-01, ORM-WRITE-UPDATE-ALL-02]', async () => {
    const db = await database();
    await model(db, Post).createBatch(threePosts);
    expect(await model(db, Post).where(post.views.gt(1)).updateAll({ column: 'views', value: 9 })).toBe(2);
    expect(await views(db)).toEqual([1, 9, 9]);
  });

  test('delete deletes the matching rows and counts them [ORM-WRITE-DELETE-01, ORM-WRITE-DELETE-02]', async () => {
    const db = await database();
    await model(db, Post).createBatch(threePosts);
    expect(await model(db, Post).where(post.views.gt(1)).delete()).toBe(2);
    expect(await views(db)).toEqual([1]);
  });

  test('with softDelete, delete sets the column to now [ORM-WRITE-DELETE-03, ORM-PLUGIN-SOFT-DELETE]', async () => {
    const plain = await database();
    const db = open(plain.sqlDB(), plain.dialect, withPlugins(softDelete('deleted_at')));
    await model(db, Post).createBatch(threePosts);
    const from = Date.now();
    expect(await model(db, Post).where(post.views.gt(1)).delete()).toBe(2);
    const times = (await model(plain, Post).orderBy(post.id.asc()).find()).map(({ deletedAt }) => deletedAt?.getTime());
    expect(times).toHaveLength(3);
    expect(times[0]).toBeUndefined();
    for (const time of times.slice(1)) expect(time).toBeGreaterThanOrEqual(from);
    for (const time of times.slice(1)) expect(time).toBeLessThanOrEqual(Date.now());
    expect(await views(db)).toEqual([1]);
  });
});

describe('hooks', () => {
  test('run around create, update, delete and save [ORM-HOOK-BEFORE-CREATE, ORM-HOOK-AFTER-CREATE, ORM-HOOK-BEFORE-UPDATE, ORM-HOOK-AFTER-UPDATE, ORM-HOOK-BEFORE-DELETE, ORM-HOOK-AFTER-DELETE, ORM-HOOK-BEFORE-SAVE, ORM-HOOK-AFTER-SAVE, EVENT-HOOK-01, ORM-OVERVIEW-09]', async () => {
    const db = await database();
    Noted.calls.length = 0;
    const row = await model(db, Noted).create({ text: 'one' });
    await model(db, Noted).update(Object.assign(row, { text: 'two' }));
    await model(db, Noted).remove(row);
    expect(Noted.calls).toEqual([
      ...['beforeSave', 'beforeCreate', 'afterCreate', 'afterSave'],
      ...['beforeSave', 'beforeUpdate', 'afterUpdate', 'afterSave'],
      ...['beforeDelete', 'afterDelete'],
    ]);
  });

  test('take a context, and their error reaches the caller [ORM-HOOK-SHAPE, EVENT-HOOK-02]', async () => {
    const contexts: HookContext[] = [];
    class Watched extends Noted {
      override beforeCreate(context: HookContext): void {
        contexts.push(context);
        if (this.text === 'no') throw new RangeError('refused');
      }
    }
    const db = await database();
    const { registerModel, modelInfoOf } = await import('../../index.js');
    registerModel(Watched, { ...modelInfoOf(Noted).definition, name: 'Watched' });
    const abort = new AbortController();
    await model(db, Watched).create({ text: 'yes' }, { signal: abort.signal });
    expect(contexts).toEqual([{ session: db, signal: abort.signal }]);
    await expect(model(db, Watched).create({ text: 'no' })).rejects.toMatchObject({
      code: 'FW_ORM_HOOK',
      cause: expect.objectContaining({ message: 'refused' }),
    });
    expect(await model(db, Noted).count()).toBe(1);
  });
});

describe('transactions', () => {
  const create = (tx: Parameters<Parameters<typeof transaction.run>[3]>[0], label: string) =>
    model(tx, Tag).create({ label });

  test('a transaction takes the SQL handle, options, a policy and a function [ORM-TX-RUN-01]', async () => {
    const db = await database();
    let attempts = 0;
    const label = await transaction.run(
      db.sqlDB(),
      { readOnly: false },
      { maxAttempts: 2, baseDelay: 0 },
      async (tx) => {
        await model(tx, Tag).create({ label: 'by the handle' });
        if (++attempts === 1) throw new Error('deadlock detected');
        return (await model(tx, Tag).only()).label;
      },
    );
    expect([label, attempts]).toEqual(['by the handle', 2]);
    expect(await model(db, Tag).count()).toBe(1);
    const unopened = await anyDatabase();
    await expect(transaction.run(unopened, null, null, () => Promise.resolve())).rejects.toMatchObject({
      code: 'FW_ORM_HANDLE',
    });
  });

  test('options may be null; what uses the transaction joins it [ORM-TX-RUN-02, ORM-TX-RUN-04]', async () => {
    const db = await database();
    const result = await transaction.run(db, null, null, async (tx) => {
      await create(tx, 'a');
      return (await model(tx, Tag).find()).length;
    });
    expect([result, await labels(db)]).toEqual([1, ['a']]);
  });

  test('an error rolls everything back [ORM-TX-RUN-03, ORM-STATE-TX-01]', async () => {
    const db = await database();
    const run = transaction.run(db, null, null, async (tx) => {
      await create(tx, 'a');
      throw new RangeError('no');
    });
    await expect(run).rejects.toThrow('no');
    expect(await labels(db)).toEqual([]);
  });

  test('run inside a transaction is a savepoint of it [ORM-STATE-TX-NESTED, ORM-OVERVIEW-05]', async () => {
    const db = await database();
    await transaction.run(db, null, null, async (tx) => {
      await create(tx, 'outer');
      const inner = transaction.run(tx, null, null, async (nested) => {
        await create(nested, 'inner');
        throw new RangeError('no');
      });
      await expect(inner).rejects.toThrow('no');
    });
    expect(await labels(db)).toEqual(['outer']);
  });

  test('a transient error is retried up to maxAttempts, then handed to the caller [ORM-STATE-TX-02, ERR-ORM-TRANSIENT]', async () => {
    const db = await database();
    let runs = 0;
    const failing = (times: number) =>
      transaction.run(db, null, { maxAttempts: 4, baseDelay: 1 }, async (tx) => {
        await create(tx, `run ${++runs}`);
        if (runs <= times) throw new Error('deadlock detected');
      });
    await failing(3);
    expect([runs, await labels(db)]).toEqual([4, ['run 4']]);
    runs = 10;
    await expect(failing(99)).rejects.toMatchObject({
      code: 'FW_ORM_TRANSACTION_GAVE_UP',
      cause: expect.objectContaining({ message: 'deadlock detected' }),
    });
    expect(runs).toBe(14);
  });
});

describe('the retry policy', () => {
  test('has the defaults of the specification [ORM-RETRY-BASE-DELAY, ORM-RETRY-MAX-DELAY, LIMIT-ORM-RETRY]', () => {
    expect(defaultRetryPolicy).toMatchObject({ maxAttempts: 3, baseDelay: 10, maxDelay: 500 });
    const delays = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => backOffDelay(defaultRetryPolicy, attempt));
    expect(delays).toEqual([10, 20, 40, 80, 160, 320, 500, 500]);
  });

  test('counts the first attempt [ORM-RETRY-MAX-ATTEMPTS]', async () => {
    const db = await database();
    let runs = 0;
    const run = transaction.run(db, null, { baseDelay: 0 }, async () => {
      runs++;
      throw new Error('deadlock');
    });
    await expect(run).rejects.toMatchObject({ details: { attempts: 3 } });
    expect(runs).toBe(3);
  });

  test.each([
    { id: 'ORM-RETRY-DEADLOCK', text: 'Deadlock found when trying to get lock' },
    { id: 'ORM-RETRY-SERIALIZATION', text: 'ERROR: serialization failure' },
    { id: 'ORM-RETRY-LOCK-WAIT', text: 'Lock wait timeout exceeded' },
    { id: 'ORM-RETRY-BUSY', text: 'SQLITE_BUSY: database is locked' },
  ])('takes "$text" for transient [$id]', ({ text }) => {
    expect(isTransient(new Error(text))).toBe(true);
  });

  test('takes what no dialect calls transient for final [ORM-RETRY-IS-RETRYABLE]', async () => {
    expect(defaultRetryPolicy.isRetryable(new Error('could not serialize access'))).toBe(true);
    expect(defaultRetryPolicy.isRetryable(new Error('syntax error'))).toBe(false);
    const db = await database();
    const duplicate = () => model(db, Author).create({ email: 'a@x', age: 1 });
    await duplicate();
    expect(isTransient(await duplicate().catch((error: unknown) => error))).toBe(false);
  });
});
