import { expect, test } from '@jest/globals';
import { ConnectionPool } from './connection-pool.js';

interface Attempt {
  succeed(): void;
  fail(): void;
}

/** A pool of one connection whose attempts to connect end when the test says so. */
function pool(acquireTimeout: number) {
  const attempts: Attempt[] = [];
  const ended: object[] = [];
  const made = new ConnectionPool<object>(
    {
      connect: () =>
        new Promise<object>((resolve, reject) => {
          attempts.push({ succeed: () => resolve({}), fail: () => reject(new RangeError('refused')) });
        }),
      end: async (connection) => void ended.push(connection),
      isUsable: () => true,
    },
    1,
    acquireTimeout,
  );
  return { made, attempts, ended };
}

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

test('whoever is next in line tries for itself when a connection could not be made', async () => {
  const { made, attempts } = pool(0);
  const calls = Promise.allSettled([made.take(), made.take(), made.take()]);
  attempts[0]?.fail();
  await turnOfTheLoop();
  attempts[1]?.fail();
  await turnOfTheLoop();
  attempts[2]?.succeed();
  expect((await calls).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(made.stats).toEqual({ open: 1, idle: 0, waiting: 0 });
});

test('timeout and signal hold while a connection is being made, which is kept for others', async () => {
  const { made, attempts } = pool(0);
  await expect(made.take({ timeout: 20 })).rejects.toMatchObject({ code: 'FW_ORM_TIMEOUT' });
  await expect(made.take({ signal: AbortSignal.timeout(20) })).rejects.toMatchObject({ code: 'FW_ORM_ABORTED' });
  expect(attempts).toHaveLength(1);
  attempts[0]?.succeed();
  await turnOfTheLoop();
  expect(made.stats).toEqual({ open: 1, idle: 1, waiting: 0 });
});

test('whose connection is being made is told what becomes of it, and only who is behind that all are in use', async () => {
  const { made, attempts } = pool(20);
  const first = made.take();
  await expect(made.take()).rejects.toMatchObject({ code: 'FW_ORM_NO_CONNECTION' });
  attempts[0]?.fail();
  await expect(first).rejects.toThrow('refused');
});

test.each(['succeed', 'fail'] as const)('closes also when a connection is being made meanwhile (%s)', async (how) => {
  const { made, attempts, ended } = pool(0);
  const waiting = expect(made.take()).rejects.toMatchObject({ code: 'FW_ORM_CLOSED' });
  const closed = made.close();
  attempts[0]?.[how]();
  await Promise.all([closed, waiting]);
  expect(ended).toHaveLength(how === 'succeed' ? 1 : 0);
  expect(made.stats).toEqual({ open: 0, idle: 0, waiting: 0 });
});
