import { describe, expect, jest, test } from '@jest/globals';
import { standard } from '../../contract/standard-dialect.js';
import { open } from './database.js';
import type { SqlHandle, SqlTransactionConnection, TransactionOptions } from './sql-handle.js';
import { transaction } from './open-transaction.js';
import type { Transaction } from './transaction.js';

interface Recorded {
  readonly handle: SqlHandle;
  readonly calls: string[];
}

/** A handle that keeps what it is asked for; `slow` answers with promises, as a server does. */
function recording({ isIntact, slow = false }: { isIntact: boolean; slow?: boolean }): Recorded {
  const calls: string[] = [];
  const did = <Result>(call: string, result?: Result): Result | Promise<Result> => {
    calls.push(call);
    return slow ? Promise.resolve(result as Result) : (result as Result);
  };
  const connection: SqlTransactionConnection = {
    isIntact,
    query: () => did('query', []),
    queryFirst: () => did('queryFirst', undefined),
    execute: (sql) => did(sql, { affected: 0 }),
    script: (sql) => did(sql, undefined),
    stream: () => ({ async *[Symbol.asyncIterator]() {} }),
    savepoint: (name) => did(`savepoint ${name}`, undefined),
    release: (name) => did(`release ${name}`, undefined),
    rollbackTo: (name) => did(`rollback to ${name}`, undefined),
    commit: () => did('commit', undefined),
    rollback: () => did('rollback', undefined),
  };
  const handle = { ...connection, driver: undefined, begin: () => did('begin', connection) };
  return { handle: handle as unknown as SqlHandle, calls };
}

const run = (handle: SqlHandle, fn: (tx: Transaction) => Promise<unknown>) => {
  open(handle, standard);
  return transaction.run(handle, null, null, fn);
};
const nested = (tx: Transaction, sql: string) =>
  transaction.run(tx, null, null, async (inner) => inner.execute(sql, []));

describe.each([
  ['at once', false],
  ['later', true],
])('a transaction on a handle that answers %s', (_when, slow) => {
  test('leaves the last release to the commit, and gives the ones before it', async () => {
    const { handle, calls } = recording({ isIntact: true, slow });
    await run(handle, async (tx) => {
      await nested(tx, 'a');
      await nested(tx, 'b');
      await tx.execute('c', []);
      await tx.query('d', []);
      await nested(tx, 'e');
    });
    const first = ['savepoint sp_1', 'a', 'release sp_1'];
    const second = ['savepoint sp_2', 'b', 'release sp_2', 'c', 'query'];
    expect(calls).toEqual(['begin', ...first, ...second, 'savepoint sp_3', 'e', 'commit']);
  });

  test('releases the outer of two savepoints, which takes the inner along', async () => {
    const { handle, calls } = recording({ isIntact: true, slow });
    await run(handle, async (tx) => {
      await transaction.run(tx, null, null, (inner) => nested(inner, 'a'));
      await tx.script('b');
    });
    expect(calls).toEqual(['begin', 'savepoint sp_1', 'savepoint sp_2', 'a', 'release sp_1', 'b', 'commit']);
  });

  test('does not release what is inside a savepoint that is rolled back', async () => {
    const { handle, calls } = recording({ isIntact: true, slow });
    await run(handle, async (tx) => {
      const failing = transaction.run(tx, null, null, async (inner) => {
        await nested(inner, 'a');
        throw new RangeError('x');
      });
      await expect(failing).rejects.toThrow('x');
      await tx.execute('b', []);
    });
    expect(calls).toEqual(['begin', 'savepoint sp_1', 'savepoint sp_2', 'a', 'rollback to sp_1', 'b', 'commit']);
  });

  test('releases at once when a statement has failed', async () => {
    const { handle, calls } = recording({ isIntact: false, slow });
    await run(handle, (tx) => nested(tx, 'a'));
    expect(calls).toEqual(['begin', 'savepoint sp_1', 'a', 'release sp_1', 'commit']);
  });

  test('gives parallel savepoints their turns, also behind one that fails', async () => {
    const { handle, calls } = recording({ isIntact: true, slow });
    await run(handle, async (tx) => {
      const settled = await Promise.allSettled([
        transaction.run(tx, null, null, () => Promise.reject(new RangeError('x'))),
        nested(tx, 'a'),
        nested(tx, 'b'),
      ]);
      expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    });
    const turns = ['savepoint sp_1', 'rollback to sp_1', 'savepoint sp_2', 'a', 'release sp_2', 'savepoint sp_3', 'b'];
    expect(calls).toEqual(['begin', ...turns, 'commit']);
  });

  test('refuses a savepoint that would wait for the one it is called from', async () => {
    const { handle, calls } = recording({ isIntact: true, slow });
    const refused = expect.objectContaining({ code: 'FW_ORM_OUTER_TRANSACTION' });
    await run(handle, async (tx) => {
      const direct = transaction.run(tx, null, null, () => nested(tx, 'a'));
      await expect(direct).rejects.toEqual(refused);
      const deep = transaction.run(tx, null, null, (outer) =>
        transaction.run(outer, null, null, async (inner) => {
          await nested(inner, 'b');
          await expect(nested(outer, 'c')).rejects.toEqual(refused);
          await expect(nested(tx, 'd')).rejects.toEqual(refused);
        }),
      );
      await deep;
      await nested(tx, 'e');
    });
    expect(calls.filter((call) => /^[a-e]$/.test(call))).toEqual(['b', 'e']);
  });

  test('what a savepoint left running takes its turn like any other', async () => {
    const { handle, calls } = recording({ isIntact: true, slow });
    await run(handle, async (tx) => {
      let left: Promise<unknown> | undefined;
      let go = () => {};
      const later = new Promise<void>((resolve) => (go = resolve));
      await transaction.run(tx, null, null, async () => {
        left = later.then(() => nested(tx, 'left'));
      });
      await transaction.run(tx, null, null, async (inner) => {
        go();
        await new Promise((resolve) => setImmediate(resolve));
        await inner.execute('second', []);
      });
      await left;
    });
    expect(calls.filter((call) => call === 'left' || call === 'second')).toEqual(['second', 'left']);
  });

  test('refuses an option that nobody would read, before anything is begun', async () => {
    const { handle, calls } = recording({ isIntact: true });
    open(handle, standard);
    const options = { accessMode: 'read only' } as TransactionOptions;
    const got = '"accessMode"';
    await expect(transaction.run(handle, options, null, async () => 1)).rejects.toMatchObject({
      code: 'FW_ORM_OPTIONS',
      details: { option: 'of the transaction', got },
    });
    expect(calls).toEqual([]);
  });

  test('refuses for a savepoint what belongs to the whole, and what has been given up before', async () => {
    const { handle, calls } = recording({ isIntact: true, slow });
    await run(handle, async (tx) => {
      const inner = (options: TransactionOptions) =>
        transaction.run(tx, options, null, async () => void calls.push('function'));
      const refused = { code: 'FW_ORM_SAVEPOINT_OPTION' };
      await expect(inner({ isolation: 'serializable', timeout: 5 })).rejects.toMatchObject(refused);
      await expect(inner({ readOnly: false })).rejects.toMatchObject(refused);
      await expect(inner({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'FW_ORM_ABORTED' });
      await inner({});
    });
    expect(calls).toEqual(['begin', 'savepoint sp_1', 'function', 'commit']);
  });

  test('keeps nobody waiting for the turn of a savepoint longer than it allows, and gives the turn to the next', async () => {
    const { handle, calls } = recording({ isIntact: true, slow });
    await run(handle, async (tx) => {
      let go = () => {};
      const first = transaction.run(tx, null, null, () => new Promise<void>((resolve) => (go = resolve)));
      const waiting = (options: TransactionOptions) =>
        transaction.run(tx, options, null, async (inner) => inner.execute('never', []));
      const last = nested(tx, 'last');
      await expect(waiting({ timeout: 10 })).rejects.toMatchObject({ code: 'FW_ORM_TIMEOUT' });
      const signal = AbortSignal.timeout(10);
      await expect(waiting({ signal })).rejects.toMatchObject({ code: 'FW_ORM_ABORTED' });
      go();
      await Promise.all([first, last]);
    });
    expect(calls).toEqual(['begin', 'savepoint sp_1', 'release sp_1', 'savepoint sp_2', 'last', 'commit']);
  });

  test('rolls back a savepoint past its timeout; what its function does later is refused', async () => {
    const { handle, calls } = recording({ isIntact: true, slow });
    await run(handle, async (tx) => {
      let go = () => {};
      let left: Promise<unknown> | undefined;
      const late = transaction.run(tx, { timeout: 10 }, null, (inner) => {
        left = new Promise<void>((resolve) => (go = resolve)).then(() => inner.execute('too late', []));
        return left;
      });
      await expect(late).rejects.toMatchObject({ code: 'FW_ORM_TIMEOUT', details: { timeout: 10 } });
      go();
      await expect(left).rejects.toMatchObject({ code: 'FW_ORM_TRANSACTION_OVER' });
      await nested(tx, 'next');
    });
    const turns = ['savepoint sp_1', 'rollback to sp_1', 'savepoint sp_2', 'next'];
    expect(calls).toEqual(['begin', ...turns, 'commit']);
  });

  test.each(['fails', 'is done'])('leaves a savepoint alone that %s after the one around it is gone', async (how) => {
    const { handle, calls } = recording({ isIntact: true, slow });
    await run(handle, async (tx) => {
      let go = () => {};
      let left: Promise<unknown> | undefined;
      const late = transaction.run(tx, { timeout: 10 }, null, (outer) => {
        const end = new Promise<void>((resolve, reject) => {
          go = () => (how === 'fails' ? reject(new RangeError('x')) : resolve());
        });
        left = transaction.run(outer, null, null, () => end);
        return left;
      });
      await expect(late).rejects.toMatchObject({ code: 'FW_ORM_TIMEOUT' });
      go();
      await expect(left).rejects.toThrow(how === 'fails' ? 'x' : 'already finished');
      await nested(tx, 'next');
    });
    const given = ['savepoint sp_1', 'savepoint sp_2', 'rollback to sp_1'];
    expect(calls).toEqual(['begin', ...given, 'savepoint sp_3', 'next', 'commit']);
  });

  test('does not begin when its signal has fired before, and does not call its function when it fires meanwhile', async () => {
    const { handle, calls } = recording({ isIntact: true, slow });
    const db = open(handle, standard);
    const aborted = { code: 'FW_ORM_ABORTED' };
    const fn = async () => void calls.push('function');
    const before = transaction.run(db, { signal: AbortSignal.abort() }, null, fn);
    await expect(before).rejects.toMatchObject(aborted);
    expect(calls).toEqual([]);
    const abort = new AbortController();
    const begin = handle.begin.bind(handle);
    handle.begin = (options) => (abort.abort(), begin(options));
    await expect(transaction.run(db, { signal: abort.signal }, null, fn)).rejects.toMatchObject(aborted);
    expect(calls).toEqual(['begin', 'rollback']);
  });

  test('runs every callback after the commit, and then tells of the first that failed', async () => {
    const { handle, calls } = recording({ isIntact: true, slow });
    const mail = new RangeError('mail');
    const fail = (error: Error) => () => Promise.reject(error);
    const failing = run(handle, async (tx) => {
      tx.afterCommit(fail(mail));
      tx.afterCommit(fail(new Error('deadlock found')));
      tx.afterCommit(() => void calls.push('last'));
    });
    await expect(failing).rejects.toMatchObject({ code: 'FW_ORM_AFTER_COMMIT', cause: mail });
    expect(calls).toEqual(['begin', 'commit', 'last']);
  });

  test('rolls back what throws before it gives a promise, and waits for what is only like one', async () => {
    const { handle, calls } = recording({ isIntact: true, slow });
    const throwing = () => {
      throw new RangeError('x');
    };
    await expect(run(handle, throwing)).rejects.toThrow('x');
    const later = { then: (done: (value: string) => void) => void setImmediate(() => done('done')) };
    await expect(run(handle, () => later as unknown as Promise<string>)).resolves.toBe('done');
    expect(calls).toEqual(['begin', 'rollback', 'begin', 'commit']);
  });
});

test('what a callback outside of a transaction throws is a coded warning', async () => {
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  open(recording({ isIntact: true }).handle, standard).afterCommit(() => {
    throw new RangeError('mail');
  });
  await new Promise((resolve) => setImmediate(resolve));
  const told = { code: 'FW_ORM_AFTER_COMMIT', detail: expect.stringContaining('RangeError: mail') };
  expect(warn.mock.calls).toEqual([[expect.stringContaining('mail'), told]]);
  warn.mockRestore();
});
