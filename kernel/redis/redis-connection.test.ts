import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { FaultProxy } from '../testing/fault-proxy.js';
import { describeWith } from '../testing/required-service.js';
import { until } from '../testing/until.js';
import { RedisConnection } from './index.js';

const COUNT = `return redis.call('INCR', KEYS[1])`;

/** A connection through a proxy, with what it logs and a client that asks Redis directly. */
async function throughProxy(address: string) {
  const way = await FaultProxy.to(address);
  const direct = new Redis(address);
  const key = `fw_test_${randomUUID()}`;
  const logged: string[] = [];
  const log = { warn: (...given: unknown[]) => void logged.push(String(given.at(-1))) };
  const connection = new RedisConnection(`redis://127.0.0.1:${way.port}`, 'the test', log as never);
  const count = () => connection.eval(COUNT, 1, key);
  return {
    way,
    connection,
    logged,
    count,
    counted: async () => Number(await direct.get(key)),
    answers: () => until(() => count().then(() => true, () => false), 'an answer of Redis'), // prettier-ignore
    async [Symbol.asyncDispose]() {
      connection.close();
      await direct.del(key);
      direct.disconnect();
      await way.close();
    },
  };
}

describeWith(
  { variable: 'FW_TEST_REDIS', hint: 'a Redis server' },
  'the connection of a plugin to Redis',
  (address) => {
    test('survives an event loop that stands still during the handshake', async () => {
      await using test = await throughProxy(address);
      const opening = test.connection.open();
      // From the first message on, and for longer than a request waits: the handshake is not one.
      const busy = setInterval(() => {
        if (test.way.seen === 0) return;
        clearInterval(busy);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800);
      }, 1);
      await opening;
      expect(test.logged).toEqual([]);
      await test.answers();
    });

    test('lets the start go on while Redis says nothing, and is made when it speaks', async () => {
      await using test = await throughProxy(address);
      test.way.isSilent = true;
      await test.connection.open();
      expect(test.logged).toEqual(['Redis of the test is away']);
      await expect(test.count()).rejects.toThrow(/enableOfflineQueue/);
      test.way.isSilent = false;
      await test.answers();
    });

    test('says that an answer is late, and gives up a connection that says nothing', async () => {
      await using test = await throughProxy(address);
      await test.connection.open();
      await test.answers();
      test.way.isSilent = true;
      await expect(test.count()).rejects.toMatchObject({ code: 'FW_REDIS_SILENT', status: 503 });
      await until(() => test.logged.length > 0, 'the end of the connection');
      test.way.isSilent = false;
      await test.answers();
    });

    test('never sends a command a second time', async () => {
      await using test = await throughProxy(address);
      await test.connection.open();
      await test.answers();
      const before = await test.counted();
      // The command comes through, and its answer does not.
      test.way.plan(1, 'reset');
      await expect(test.count()).rejects.toThrow();
      await until(async () => (await test.counted()) > before, 'the command at Redis');
      await test.answers();
      // Each call that failed before the connection was back was never sent.
      expect(await test.counted()).toBe(before + 2);
    });

    test('is none before its start and after its end', async () => {
      await using test = await throughProxy(address);
      await expect(test.count()).rejects.toMatchObject({ code: 'FW_REDIS_AWAY' });
      await test.connection.open();
      test.connection.close();
      await expect(test.count()).rejects.toMatchObject({ code: 'FW_REDIS_AWAY' });
    });
  },
);
