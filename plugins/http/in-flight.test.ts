import { once } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { HttpServer, plugin, type Router } from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest } from '../../kernel/testing/index.js';
import { until } from '../../kernel/testing/until.js';
import cors from '../middleware/cors/index.js';
import http, { type HttpOptions } from './index.js';

const running: BootedTestApp[] = [];
afterEach(async () => {
  for (const app of running.splice(0)) await app.stop();
});

/** An application whose handlers of `/work` wait until they are released. */
async function serve(options: Partial<HttpOptions>, more: (router: Router) => void = () => {}) {
  const waiting: (() => void)[] = [];
  let most = 0;
  const routes = routesUnderTest((router) => {
    router.get('/work', async () => {
      const released = new Promise<void>((resolve) => waiting.push(resolve));
      most = Math.max(most, waiting.length);
      await released;
      return 'done';
    });
    router.get('/ready', { evenWhenBusy: true }, () => 'ready');
    more(router);
  });
  const plugins = [
    plugin(() => Promise.resolve(http), { port: 0, ...options }),
    plugin(() => Promise.resolve(cors), { allowOrigins: 'https://page.test' }),
  ];
  const app = await bootTestApp({ plugins: [...plugins, routes] });
  running.push(app);
  const { url } = app.services.get(HttpServer);
  const release = () => {
    for (const go of waiting.splice(0)) go();
  };
  return { app, url, waiting, release, most: () => most };
}

describe.each(['full', 'public', 'off'] as const)('inFlight with the fast path %s', (fastPath) => {
  test('turns away what is asked at four times the capacity, and answers the rest', async () => {
    const requests = 5;
    const { app, url, waiting, release, most } = await serve({
      fastPath,
      inFlight: { requests, retryAfter: '1500ms' },
    });
    const asked = Array.from({ length: 4 * requests }, () => fetch(`${url}/work`));
    const answered = asked.map(async (each) => (await each).status);
    await until(() => waiting.length === requests, 'full house');
    expect(await (await fetch(`${url}/ready`)).text()).toBe('ready');
    const refused = await fetch(`${url}/work`, { headers: { Origin: 'https://page.test' } });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://page.test');
    expect(await refused.json()).toMatchObject({ code: 'FW_HTTP_OVERLOADED', instance: '/work' });
    // As many are refused as there are too many: the others wait for their release.
    let done = 0;
    for (const each of answered) void each.then(() => done++);
    await until(() => done === 3 * requests, 'refusal of the rest');
    release();
    const statuses = await Promise.all(answered);
    expect(statuses.filter((status) => status === 200)).toHaveLength(requests);
    expect(statuses.filter((status) => status === 503)).toHaveLength(3 * requests);
    expect(most()).toBe(requests);
    expect(app.log.messages('warn').filter((line) => line.startsWith('too many requests'))).toHaveLength(1);
    expect(app.log.messages('error')).toEqual([]);
  });

  test('gives the place of a client that went away to the next', async () => {
    const { url, waiting, release } = await serve({ fastPath, inFlight: { requests: 1 } }, (router) =>
      router.get('/quick', () => 'quick'),
    );
    const leaving = new AbortController();
    const left = fetch(`${url}/work`, { signal: leaving.signal });
    await until(() => waiting.length === 1, 'first request');
    leaving.abort();
    await expect(left).rejects.toThrow();
    await until(async () => (await fetch(`${url}/quick`)).status === 200, 'place');
    release();
  });

  test('does not count WebSockets', async () => {
    const { url } = await serve({ fastPath, inFlight: { requests: 1 } }, (router) => {
      router.websocket('/ws', () => {});
      router.get('/', () => 'ok');
    });
    const sockets = [1, 2].map(() => new WebSocket(`${url.replace('http', 'ws')}/ws`));
    await Promise.all(sockets.map((socket) => once(socket, 'open')));
    expect(await (await fetch(url)).text()).toBe('ok');
    for (const socket of sockets) socket.terminate();
  });
});
