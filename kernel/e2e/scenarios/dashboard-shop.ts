import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from '@jest/globals';
import {
  DashboardLive,
  DashboardPage,
  definePlugin,
  EventBus,
  HttpRoutes,
  HttpServer,
  plugin,
  type PluginEntry,
} from 'fw';
import { routes } from 'fw/http';
import { Database, model, raw } from 'fw/orm';
import { Product } from '../../../docs/examples/shop/models/product.js';
import { monotonicMs } from '../../contracts/clock.js';
import { DashboardService } from '../../../plugins/dashboard/index.js';
import { type InProcessServer, McpEndpoint } from '../../../plugins/mcp/index.js';
import { connected, streamable } from '../../../plugins/mcp/testing/clients.js';
import { loadBuiltInTools } from '../../../plugins/mcp/testing/load-built-in-tools.js';
import { runProcess } from '../../process/index.js';
import { bootConfig } from '../../testing/boot-config.js';
import type { BootedTestApp } from '../../testing/index.js';
import { PATIENCE_MS } from '../../testing/patience.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const MCP_TOKEN = 'a token for the tests of the dashboard';
/** Enough rows to count that the statement is slow, on any machine. */
const SLOW_ROWS = 400_000;

declare global {
  interface FwEvents {
    'demo.failed': { readonly secret: string };
  }
}

/** Routes that go wrong in ways that the shop's own do not. */
const demo = definePlugin({
  id: 'demo',
  category: 'app',
  description: 'Routes that fail, for the tests of the dashboard',
  needs: ['http', 'orm'],
  uses: [Database],
  register({ contribute, log }) {
    contribute(HttpRoutes, (services) => {
      const bus = services.get(EventBus);
      bus.on('demo.failed', () => undefined);
      return routes((router) => {
        router.get('/api/demo/fails', { title: 'Fail', tags: ['demo'] }, async function fails() {
          await model(services.get(Database), Product).find();
          log.warn({ password: 'hunter2' }, 'the warehouse is about to fail');
          await bus.emit('demo.failed', { secret: 'hunter2' });
          throw new RangeError('the stock of the warehouse is negative: -3');
        });
        router.get('/api/demo/slow', { title: 'Count slowly', tags: ['demo'] }, async function slow() {
          const rows = `id IN (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :rows) SELECT i FROM n)`;
          return model(services.get(Database), Product)
            .where(raw(rows, 'rows', SLOW_ROWS))
            .find();
        });
        router.get('/api/demo/logs', { title: 'Log a word', tags: ['demo'] }, (ctx) => {
          log.info(`somebody says ${String(ctx.query['word'])} with token=hunter2`);
          return {};
        });
      }, 'demo');
    });
  },
});

/** What docs/examples/greeting-plugin does besides its page, which is the real one. */
const greetings = definePlugin({
  id: 'greetings',
  category: 'app',
  description: 'Greets people, and shows it on a page of the dashboard',
  needs: ['http', 'dashboard'],
  register({ contribute }) {
    contribute(DashboardPage, () => ({
      id: 'greetings',
      title: 'Greetings',
      path: '/greetings',
      module: pathToFileURL(path.join(ROOT, 'docs/examples/greeting-plugin/greetings-page.js')),
    }));
    contribute(HttpRoutes, (services) => {
      const live = services.get(DashboardLive);
      return routes((router) => {
        router.get('/greet/:name', { title: 'Greet somebody', tags: ['greeting'] }, (ctx) => {
          const { name } = ctx.params;
          if (!/^\p{L}+$/u.test(name)) ctx.throw(422, `Nobody is called ${name}.`);
          live.publish('greeting', { text: `Hello, ${name}!` });
          return {};
        });
      }, 'greeting');
    });
  },
});

/** Entries of the reference app that are listed with other options here. */
const CHANGED: readonly (readonly [RegExp, PluginEntry])[] = [
  [/fw\/dashboard['"]/, plugin(() => import('fw/dashboard'), { slowQuery: '5ms' })],
  [
    /fw\/mcp['"]/,
    plugin(() => import('fw/mcp'), {
      mode: 'app-runtime',
      port: 0,
      token: MCP_TOKEN,
      // Without the category `fleet`, so that a call of a Fleet tool is refused.
      scope: ['runtime', 'introspection'],
    }),
  ],
];

/** The reference app with the demo routes and a third party's page, under traffic. */
export interface RunningShop {
  readonly app: BootedTestApp;
  readonly url: string;
  get(path: string): Promise<number>;
  /** Sends a mix of requests and tool calls. @param seconds - for how long, at least one round */
  traffic(seconds: number): Promise<void>;
  /** Cuts every live connection. */
  cutViewers(): void;
  stop(): Promise<void>;
}

/** Builds the web UI and boots the reference app's own `app.config.ts` on free ports and an empty database. */
export async function startShop(): Promise<RunningShop> {
  await buildUi();
  await loadBuiltInTools();
  Object.assign(process.env, { PORT: '0', SHOP_DATABASE: ':memory:' });
  const { default: config } = await import('../../../app.config.js');
  // Replaced in place, because the boot checks the order of the middlewares.
  const plugins = config.plugins.map(
    (entry) => CHANGED.find(([pattern]) => pattern.test(entry.load.toString()))?.[1] ?? entry,
  );
  const app = await bootConfig(
    {
      ...config,
      plugins: [...plugins, plugin(async () => ({ default: demo })), plugin(async () => ({ default: greetings }))],
    },
    { root: ROOT, profile: 'dev' },
  );
  const { url } = app.services.get(HttpServer);
  const get = async (at: string) => (await fetch(url + at)).status;
  return {
    app,
    url,
    get,
    traffic: (seconds) => sendTraffic(app, url, seconds),
    cutViewers: () => app.services.get(DashboardService).live.stop(),
    stop: () => app.stop(),
  };
}

async function buildUi(): Promise<void> {
  const built = await runProcess({
    command: process.execPath,
    args: [path.join(ROOT, 'plugins/dashboard/bundle/bundle-ui.mjs')],
    cwd: ROOT,
    timeoutMs: PATIENCE_MS,
    maxOutputBytes: 100_000,
  });
  expect(built).toMatchObject({ exitCode: 0 });
}

async function sendTraffic(app: BootedTestApp, url: string, seconds: number): Promise<void> {
  const send = (method: string, at: string, body?: unknown) =>
    fetch(url + at, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).then((answer) => answer.arrayBuffer());
  await send('POST', '/api/customers', { name: 'Ada Lovelace', email: 'ada@example.org' });
  await callTools(app, url);
  const until = monotonicMs() + seconds * 1000;
  let round = 0;
  do {
    await send('GET', '/api/products');
    await send('GET', `/api/products/${1 + (round % 6)}`);
    if (round % 2 === 0) await send('GET', '/api/orders?limit=5');
    if (round % 3 === 0) await send('POST', '/api/orders', { customerId: 1, lines: [{ productId: 1, quantity: 1 }] });
    if (round % 5 === 0) await send('GET', '/api/admin/summary');
    if (round % 7 === 0) await send('POST', '/api/customers', { name: '' });
    if (round % 8 === 0) await send('GET', '/api/demo/fails');
    if (round % 12 === 0) await send('GET', '/api/demo/slow');
    round++;
    await new Promise((resolve) => setTimeout(resolve, 150 + 250 * Math.abs(Math.sin(round / 9))));
  } while (monotonicMs() < until);
}

async function callTools(app: BootedTestApp, url: string): Promise<void> {
  const server = app.services.get(McpEndpoint).server as InProcessServer;
  const client = await connected(streamable(new URL(server.url).origin, MCP_TOKEN));
  try {
    await client.callTool({ name: 'fw_features', arguments: {} });
    await client.callTool({ name: 'fw_get_routes', arguments: { service_url: url } });
    await client.callTool({ name: 'fw_get_performance', arguments: { service_url: url } });
    await client.callTool({ name: 'fw_diagnose_service', arguments: { service_url: url, subsystem: 'docs' } });
    await client.callTool({ name: 'fw_get_topology', arguments: { aggregator_url: url } });
  } finally {
    await client.close();
  }
}
