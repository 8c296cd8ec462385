import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { SpanRecord } from '../../../kernel/contracts/fleet-wire.js';
import {
  definePlugin,
  type HttpContext,
  HttpMiddleware,
  HttpServer,
  plugin,
  type PluginEntry,
  Type,
} from '../../../kernel/index.js';
import { type BootedTestApp, bootTestApp } from '../../../kernel/testing/boot-test-app.js';
import { routesUnderTest } from '../../../kernel/testing/http-app.js';
import docs from '../../docs/index.js';
import http from '../../http/index.js';
import compression from '../../middleware/compression/index.js';
import etag from '../../middleware/etag/index.js';
import recovery from '../../middleware/recovery/index.js';
import aggregatorPlugin, { FleetAggregator } from '../aggregator/index.js';
import tracerPlugin, { FleetTracer } from './index.js';

const apps: BootedTestApp[] = [];

function contributeMiddleware(
  handle: (context: HttpContext, next: () => Promise<unknown>) => Promise<void>,
): PluginEntry {
  const own = definePlugin({
    id: 'test/compress',
    category: 'app',
    description: 'Compresses as a package of npm does',
    needs: ['http'],
    register: ({ contribute }) => contribute(HttpMiddleware, () => ({ name: 'compress', handle })),
  });
  return plugin(() => Promise.resolve(own));
}

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.stop()));
});

/** The span of a request to a route that sets an object as its body. */
async function spanOf(
  path: string,
  headers: Readonly<Record<string, string>>,
  inside: readonly PluginEntry[] = [plugin(() => Promise.resolve(recovery), {})],
): Promise<SpanRecord | undefined> {
  const app = await bootTestApp({
    name: 'shop',
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(aggregatorPlugin), {}),
      plugin(() => Promise.resolve(tracerPlugin), { enabled: true }),
      ...inside,
      plugin(() => Promise.resolve(etag), {}),
      plugin(() => Promise.resolve(compression), {}),
      plugin(() => Promise.resolve(docs), { checkResponses: false }),
      routesUnderTest((router) => {
        router.get('/orders', (context) => {
          context.set('ETag', '"7"');
          context.body = { id: 7, note: 'x'.repeat(5_000) };
        });
        router.get('/declared', { output: Type.Object({ id: Type.Integer(), note: Type.String() }) }, () => ({
          id: 7,
          note: 'x'.repeat(5_000),
        }));
        router.get('/refused', (context) => {
          context.body = { id: 7 };
          context.throw(409);
        });
      }),
    ],
  });
  apps.push(app);
  const answer = await fetch(app.services.get(HttpServer).url + path, { headers });
  await answer.arrayBuffer();
  await app.services.get(FleetTracer).close();
  const aggregator = app.services.get(FleetAggregator);
  const [found] = aggregator.traces({ minServices: 1 }).traces;
  return found && aggregator.trace(found.trace_id)?.roots[0];
}

describe('the body of an answer that goes along for contract checks', () => {
  test.each([
    ['an object', '/orders', 'identity'],
    ['an object, compressed', '/orders', 'gzip'],
    ['what a route declares', '/declared', 'identity'],
    ['what a route declares, compressed', '/declared', 'br'],
  ])('is the one that a handler has set: %s', async (_name, path, encoding) => {
    const span = await spanOf(path, { 'accept-encoding': encoding });
    expect(span).toMatchObject({ status: 200, response_payload: { id: 7 } });
  });

  test('is the one that a handler has set where a middleware of npm compresses it', async () => {
    const compress = contributeMiddleware(async (context, next) => {
      await next();
      const text = JSON.stringify(context.body);
      context.set('Content-Encoding', 'gzip');
      context.body = gzipSync(text);
      context.type = 'json';
    });
    const span = await spanOf('/orders', { 'accept-encoding': 'gzip' }, [compress]);
    expect(span).toMatchObject({ status: 200, response_payload: { id: 7 } });
  });

  test('is none of an answer from a cache, which has no content', async () => {
    const span = await spanOf('/orders', { 'if-none-match': '"7"' });
    expect(span).toMatchObject({ route: '/orders', status: 304 });
    expect(span).not.toHaveProperty('response_payload');
  });

  test.each([
    ['of a precondition that does not hold', '/orders', 412],
    ['that is thrown later', '/refused', 409],
  ])('is that of the failure %s', async (_name, path, status) => {
    const span = await spanOf(path, { 'if-match': '"8"' });
    expect(span).toMatchObject({ status, response_payload: { status } });
    expect(span?.response_payload).not.toHaveProperty('id');
  });
});
