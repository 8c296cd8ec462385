import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { describeWith } from '../../../kernel/testing/required-service.js';
import { redisRateLimitStore } from './index.js';

describeWith({ variable: 'FW_TEST_REDIS', hint: 'a Redis server' }, 'redisRateLimitStore', (address) => {
  test('shares one window between instances, and lets Redis end it', async () => {
    const prefix = `fw_test_${randomUUID()}:`;
    const clients = [new Redis(address), new Redis(address)];
    const [one, two] = clients.map((client) => redisRateLimitStore(client, prefix));
    try {
      expect((await one?.hit('client', 60_000, 0))?.count).toBe(1);
      const second = await two?.hit('client', 60_000, 0);
      expect(second?.count).toBe(2);
      expect(second?.endsAt).toBeGreaterThan(59_000);
      const counts = await Promise.all(
        Array.from({ length: 50 }, (_, i) => (i % 2 ? one : two)?.hit('race', 60_000, 0)),
      );
      expect(Math.max(...counts.map((state) => state?.count ?? 0))).toBe(50);
      expect(await clients[0]?.pttl(`${prefix}race`)).toBeGreaterThan(0);
    } finally {
      await clients[0]?.del(`${prefix}client`, `${prefix}race`);
      for (const client of clients) client.disconnect();
    }
  });
});
