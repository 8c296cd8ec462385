import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { HttpServer, plugin } from '../../../kernel/index.js';
import { bootTestApp, routesUnderTest } from '../../../kernel/testing/index.js';
import { describeWith } from '../../../kernel/testing/required-service.js';
import http from '../../http/index.js';
import rateLimit from './index.js';

describeWith({ variable: 'FW_TEST_REDIS', hint: 'a Redis server' }, 'two applications on one Redis', (address) => {
  test('share one limit, each client its own, whichever of them is asked', async () => {
    const prefix = `fw_test_${randomUUID()}:`;
    const boot = () =>
      bootTestApp({
        plugins: [
          plugin(() => Promise.resolve(http), { port: 0, trustedProxies: ['127.0.0.1'] }),
          plugin(() => Promise.resolve(rateLimit), {
            requests: 3,
            per: '1h',
            headers: true,
            redis: { url: address, prefix },
          }),
          routesUnderTest((router) => router.get('/', () => 'here')),
        ],
      });
    await using one = await boot();
    await using two = await boot();
    const [first, second] = [one, two].map((app) => app.services.get(HttpServer).url) as [string, string];
    const ask = async (url: string, client: string) => {
      const { status, headers } = await fetch(url, { headers: { 'X-Forwarded-For': client } });
      return [status, headers.get('ratelimit-remaining')];
    };
    const client = new Redis(address);
    try {
      expect(await ask(first, '192.0.2.1')).toEqual([200, '2']);
      expect(await ask(second, '192.0.2.1')).toEqual([200, '1']);
      expect(await ask(first, '192.0.2.1')).toEqual([200, '0']);
      expect(await ask(second, '192.0.2.1')).toEqual([429, '0']);
      expect(await ask(first, '192.0.2.1')).toEqual([429, '0']);
      expect(await ask(second, '192.0.2.2')).toEqual([200, '2']);
      expect(one.diagnostics.get('ratelimit')?.detail).toMatchObject({ store: 'redis', key_prefix: prefix });
    } finally {
      await client.del(`${prefix}192.0.2.1`, `${prefix}192.0.2.2`);
      client.disconnect();
    }
  });
});
