import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { startProcess } from '../process/index.js';
import { until } from '../testing/until.js';
import { workerCount } from './index.js';
import { PATIENCE_MS } from '../testing/patience.js';

const DIST = path.resolve(import.meta.dirname, '../../dist');
const inText = JSON.stringify;
const soon = { timeoutMs: PATIENCE_MS };

const CONFIG = `import { AppInfo, defineApp, definePlugin, HttpRoutes, HttpUpgrade, plugin } from ${inText(path.join(DIST, 'kernel/index.js'))};
import { createRequire } from 'node:module';
const { WebSocketServer } = createRequire(${inText(import.meta.filename)})('ws');
const http = plugin(() => import(${inText(path.join(DIST, 'plugins/http/index.js'))}), { port: 0, trustedProxies: [] });
const app = definePlugin({
  id: 'app', category: 'app', description: 'served by all', needs: ['http'],
  register({ contribute }) {
    contribute(HttpRoutes, (services) => ({ name: 'app', register(router) {
      router.get('/who', () => services.get(AppInfo).worker.index);
      router.get('/slow', async () => { await new Promise((done) => setTimeout(done, 400)); return 'finished'; });
      router.get('/crash', () => { setImmediate(() => process.exit(7)); return 'gone'; });
    } }));
  },
  start({ get }) { if (process.env.FAILS && get(AppInfo).worker.index === 2) process.exit(3); },
});
const single = definePlugin({
  id: 'single', category: 'app', description: 'served by one', needs: ['http'], oneWorker: () => ['/single/'],
  register({ contribute }) {
    contribute(HttpRoutes, (services) => ({ name: 'single', register(router) {
      const index = () => services.get(AppInfo).worker.index;
      router.post('/single/*rest', async (ctx) => {
        let body = '';
        for await (const chunk of ctx.req) body += chunk;
        ctx.append('Set-Cookie', ['a=1', 'b=2']);
        return { index: index(), ip: ctx.clientIp, rest: ctx.params.rest, body };
      });
      router.get('/single/crash', () => { setImmediate(() => process.exit(7)); return 'gone'; });
    } }));
    contribute(HttpUpgrade, () => ({ path: '/single/live', handle(request, socket, head) {
      const server = new WebSocketServer({ noServer: true });
      server.handleUpgrade(request, socket, head, (ws) => ws.on('message', (text) => ws.send(request.socket.remoteAddress + ' ' + text)));
    } }));
  },
});
const aggregator = plugin(() => import(${inText(path.join(DIST, 'plugins/fleet/aggregator/index.js'))}), { ingestToken: 'written by those who know it' });
const tracer = plugin(() => import(${inText(path.join(DIST, 'plugins/fleet/tracer/index.js'))}), { enabled: true, flushInterval: '50ms' });
const rooms = [app, single].map((room) => plugin(async () => ({ default: room })));
export default defineApp({ name: 'many', plugins: [http, aggregator, tracer, ...rooms] });
`;

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'fw-many-'));
  await writeFile(path.join(home, 'app.config.mjs'), CONFIG);
});
afterAll(() => rm(home, { recursive: true, force: true }));

const start = (env: Record<string, string> = {}) =>
  startProcess({
    command: process.execPath,
    args: [path.join(DIST, 'kernel/bin/fw.js'), 'start', '--config', 'app.config.mjs', '--workers', '2'],
    cwd: home,
    env,
  });

// Each request opens a connection of its own, which is what goes to one worker or another.
const ask = (url: string, init: RequestInit = {}) =>
  fetch(url, { ...init, headers: { connection: 'close', ...(init.headers as Record<string, string> | undefined) } });

const said = async (address: string, text: string) => {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/single/live`);
  const answer = await new Promise((resolve, reject) => {
    socket
      .once('error', reject)
      .once('open', () => socket.send(text))
      .once('message', (data) => resolve(String(data)));
  });
  socket.close();
  return answer;
};

describe('fw start --workers', () => {
  test('serves one port by several, hands to one what one alone runs, replaces who ends, and stops all of them', async () => {
    const child = await start();
    try {
      const [address] = (await child.waitForLine(/http:\/\/127\.0\.0\.1:\d+/, soon)) as unknown as [string];
      const who = async () =>
        ask(`${address}/who`).then(
          (answer) => answer.text(),
          () => '',
        );
      const both = async () => new Set(await Promise.all(Array.from({ length: 6 }, who)));
      await until(async () => (await both()).has('2'), 'two workers');

      // Spans of all of them are with the aggregator, which one runs.
      const ids = Array.from({ length: 12 }, () => randomBytes(16).toString('hex'));
      const traced = (id: string) =>
        ask(`${address}/who`, { headers: { traceparent: `00-${id}-00000000000000aa-01` } });
      const asked = await Promise.all(ids.map(async (id) => (await traced(id)).text()));
      expect(new Set(asked)).toEqual(new Set(['1', '2']));
      for (const id of ids)
        await until(async () => (await ask(`${address}/fleet/api/traces/${id}`)).ok, `the trace ${id}`, 30_000);

      const body = '{"a":"é"}';
      const init = {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'fw-peer': '{"address":"6.6.6.6"}' },
      };
      const handed = await Promise.all(Array.from({ length: 6 }, () => ask(`${address}/single/a/b`, init)));
      for (const answer of handed) {
        expect(await answer.json()).toMatchObject({ index: 1, ip: '127.0.0.1', rest: 'a/b', body });
        expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
      }
      const greetings = await Promise.all(['a', 'b', 'c', 'd'].map((text) => said(address, text)));
      expect(greetings).toEqual(['a', 'b', 'c', 'd'].map((text) => `127.0.0.1 ${text}`));

      await ask(`${address}/single/crash`).catch(() => undefined);
      await child.waitForLine(/worker 1 ended \(exit code 7\); it is started again in 100 ms/, soon);
      await until(async () => (await both()).size === 2, 'the replacement');
      await until(async () => (await ask(`${address}/single/x`, init)).status === 200, 'the door of the replacement');

      const slow = Promise.all(Array.from({ length: 4 }, async () => (await ask(`${address}/slow`)).text()));
      await new Promise((done) => setTimeout(done, 150));
      await child.stop();
      expect(await slow).toEqual(['finished', 'finished', 'finished', 'finished']);
      expect(await child.exited).toMatchObject({ exitCode: 0 });
    } finally {
      await child.stop();
    }
  });

  test('gives up a worker that ends again and again, and stops the others', async () => {
    const child = await start({ FAILS: 'yes' });
    expect(await child.exited).toMatchObject({ exitCode: 1 });
    expect(child.recentLines().join('\n')).toContain('FW_WORKERS_GIVEN_UP: Worker 2 ended 5 times within 60 s');
  });

  test('is refused for what is no number of processes', () => {
    expect([workerCount('3'), workerCount('auto') >= 1]).toEqual([3, true]);
    for (const given of ['0', '-1', '1.5', 'many', '', '9999'])
      expect(() => workerCount(given)).toThrow(expect.objectContaining({ code: 'FW_WORKERS_COUNT' }));
  });
});
