import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { HttpServer, plugin } from '../../../kernel/index.js';
import { bootTestApp, routesUnderTest } from '../../../kernel/testing/index.js';
import { FaultProxy, type Fault } from '../../../kernel/testing/fault-proxy.js';
import { until } from '../../../kernel/testing/until.js';
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

  test('a connection that is lost behind any message costs an answer at most, and comes back', async () => {
    const prefix = `fw_test_${randomUUID()}:`;
    const way = await FaultProxy.to(address);
    const client = new Redis(address);
    const faults: readonly Fault[] = ['reset', 'close'];
    let messages = 0;
    try {
      for (let goesOn = true; goesOn;) {
        way.plan(++messages, faults[messages % 2] as Fault);
        const redis = { url: `redis://127.0.0.1:${way.port}`, prefix };
        await using app = await bootTestApp({
          plugins: [
            plugin(() => Promise.resolve(http), { port: 0 }),
            plugin(() => Promise.resolve(rateLimit), { requests: 1_000_000, per: '1h', redis }),
            routesUnderTest((router) => router.get('/', () => 'here')),
          ],
        });
        const { url } = app.services.get(HttpServer);
        for (let asked = 0; asked < 3; asked++) expect([200, 503]).toContain((await fetch(url)).status);
        goesOn = !way.isPlanned;
        way.unplan();
        await until(async () => (await fetch(url)).status === 200, 'answer of 200');
      }
      expect(messages).toBeGreaterThan(4);
    } finally {
      await client.del(...(await client.keys(`${prefix}*`)));
      client.disconnect();
      await way.close();
    }
  });
});
