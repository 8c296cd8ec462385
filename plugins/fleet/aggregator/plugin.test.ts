import { afterEach, describe, expect, test } from '@jest/globals';
import { type BootedTestApp, bootTestApp } from '../../../kernel/testing/boot-test-app.js';
import { definePlugin, HttpRoutes, HttpServer, plugin } from '../../../kernel/index.js';
import http, { routes } from '../../http/index.js';
import aggregatorPlugin, { FleetAggregator } from './index.js';
import tracerPlugin, { FleetTracer, propagateFromHTTP, tag } from '../tracer/index.js';
import { until } from '../../../kernel/testing/until.js';

let apps: BootedTestApp[] = [];

afterEach(async () => {
  await Promise.all(apps.map((app) => app.stop()));
  apps = [];
});

const shop = definePlugin({
  id: 'test/shop',
  category: 'app',
  description: 'Routes to trace',
  needs: ['http'],
  register({ contribute }) {
    contribute(HttpRoutes, () =>
      routes((router) => {
        router.get('/orders/:id', (context) => {
          tag(context, 'order_id', context.params.id);
          return { id: context.params.id };
        });
        router.get('/fails', () => {
          throw new Error('boom');
        });
        router.get('/calls', async (context) => {
          const url = new URL('/orders/9', `http://${context.host}`);
          await fetch(url, propagateFromHTTP(context, { headers: {} as Record<string, string> }));
          return 'done';
        });
        router.get('/healthz', () => 'fine');
      }),
    );
  },
});

async function boot(options: Record<string, unknown> = {}): Promise<{ app: BootedTestApp; url: string }> {
  const app = await bootTestApp({
    name: 'shop',
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(aggregatorPlugin), {}),
      plugin(() => Promise.resolve(tracerPlugin), { enabled: true, flushInterval: 20, ...options }),
      shop,
    ],
  });
  apps.push(app);
  return { app, url: app.services.get(HttpServer).url };
}

async function flushed(app: BootedTestApp): Promise<void> {
  await app.services.get(FleetTracer).close();
}

describe('tracer and aggregator in one application', () => {
  test('a request becomes a trace of the aggregator, found by its tag', async () => {
    const { app, url } = await boot();
    await fetch(`${url}/orders/7`);
    await flushed(app);
    const answer = await fetch(`${url}/fleet/api/traces?min_services=1&tag=order_id:7`);
    expect(await answer.json()).toMatchObject([
      { root_service: 'shop', route: '/orders/:id', method: 'GET', status: 200, span_count: 1, has_error: false },
    ]);
  });

  test('a call that propagates is a child of the request that made it [FLEET-OVERVIEW-01]', async () => {
    const { app, url } = await boot();
    await fetch(`${url}/calls`);
    await flushed(app);
    const [summary] = app.services.get(FleetAggregator).traces({}).traces;
    const trace = app.services.get(FleetAggregator).trace(summary?.trace_id ?? '');
    expect(trace).toMatchObject({
      span_count: 3,
      roots: [
        {
          route: '/calls',
          children: [{ kind: 'client', children: [{ route: '/orders/:id', tags: { order_id: '9' } }] }],
        },
      ],
    });
  });

  test('a handler that throws is a failing span without the message of its error', async () => {
    const { app, url } = await boot();
    await fetch(`${url}/fails`);
    await flushed(app);
    const [summary] = app.services.get(FleetAggregator).traces({}).traces;
    const trace = app.services.get(FleetAggregator).trace(summary?.trace_id ?? '');
    expect(trace?.roots[0]).toMatchObject({ status: 500, error: 'HTTP 500', root_cause: true });
    expect(JSON.stringify(trace)).not.toContain('boom');
  });

  test('health checks and the API of the aggregator are not traced [FLEET-RULE-SKIP]', async () => {
    const { app, url } = await boot();
    await fetch(`${url}/healthz`);
    await fetch(`${url}/fleet/api/stats`);
    await flushed(app);
    expect(app.services.get(FleetAggregator).stats().spans).toBe(0);
    expect(app.services.get(FleetTracer).counters().requestsObserved).toBe(0);
  });

  test('bodies stay where they are when there is no OpenAPI document to check them against', async () => {
    const { app, url } = await boot();
    await fetch(`${url}/orders/7`);
    await flushed(app);
    const [found] = app.services.get(FleetAggregator).traces({ minServices: 1 }).traces;
    const trace = app.services.get(FleetAggregator).trace(found?.trace_id ?? '');
    expect(trace?.roots[0]).toMatchObject({ route: '/orders/:id' });
    expect(trace?.roots[0]).not.toHaveProperty('response_payload');
  });

  test('the service shows up by its heartbeat', async () => {
    const { app, url } = await boot();
    await until(() => app.services.get(FleetAggregator).services().length > 0, 'service');
    const answer = await fetch(`${url}/fleet/api/services`);
    expect(await answer.json()).toMatchObject([{ name: 'shop', status: 'up', instances: 1 }]);
  });
});

describe('the order of the tracer', () => {
  const entries = {
    http: plugin(() => Promise.resolve(http), { port: 0 }),
    tracer: plugin(() => Promise.resolve(tracerPlugin), { enabled: true }),
    dashboard: plugin(() => import('../../dashboard/index.js'), {}),
  };

  test.each([
    ['tracer first', [entries.http, entries.tracer, entries.dashboard]],
    ['dashboard first', [entries.http, entries.dashboard, entries.tracer]],
  ])('is before the dashboard, however they are listed: %s [FLEET-OP-MIDDLEWARE-04]', async (_, plugins) => {
    const app = await bootTestApp({ plugins });
    apps.push(app);
    const names = app.services.get(HttpServer).middlewares();
    const [tracer, dashboard] = [
      names.indexOf('fleet-tracer'),
      names.findIndex((name) => name.startsWith('dashboard')),
    ];
    expect(tracer).toBeGreaterThanOrEqual(0);
    expect(dashboard).toBeGreaterThan(tracer);
  });
});
