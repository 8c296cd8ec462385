import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { context, type Span, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { getRPCMetadata, RPCType, setRPCMetadata } from '@opentelemetry/core';
import { HttpServer, type Middleware, plugin } from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest } from '../../kernel/testing/index.js';
import http from './index.js';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
/** Answers before any route, as a rate limit does. */
const refusing: Middleware = (ctx, next) => (ctx.get('X-Refuse') === '' ? next() : ctx.throw(429));
const routes = routesUnderTest(
  (router) => {
    router.get('/orders/:id', () => 'an order');
    router.post('/orders/:id', () => {
      throw new Error('no');
    });
  },
  [refusing],
);
let app: BootedTestApp;

interface Handled {
  readonly method: string;
  readonly res: NodeJS.EventEmitter;
}

beforeAll(async () => {
  provider.register();
  app = await bootTestApp({ plugins: [plugin(() => Promise.resolve(http), { port: 0 }), routes] });
  traceRequests(app);
});
afterAll(async () => {
  await app.stop();
  await provider.shutdown();
  trace.disable();
  context.disable();
});

/** What the instrumentation of node:http does: a span around each request, which gets the route that a framework left for its metrics. */
function traceRequests({ services }: BootedTestApp): void {
  const koa = services.get(HttpServer).koa as unknown as { handleRequest(ctx: Handled, chain: unknown): unknown };
  const handle = koa.handleRequest.bind(koa);
  koa.handleRequest = (ctx, chain) => {
    const span: Span = trace.getTracer('http').startSpan(ctx.method);
    const inside = setRPCMetadata(trace.setSpan(context.active(), span), { type: RPCType.HTTP, span });
    ctx.res.once('close', () => {
      span.setAttribute('metrics.route', getRPCMetadata(inside)?.route ?? 'none');
      span.end();
    });
    return context.with(inside, () => handle(ctx, chain));
  };
}

async function spanOf(method: string, path: string, headers: Record<string, string> = {}) {
  exporter.reset();
  const { url } = app.services.get(HttpServer);
  await (await fetch(url + path, { method, headers: { ...headers, Connection: 'close' } })).text();
  await provider.forceFlush();
  return exporter
    .getFinishedSpans()
    .map(({ name, attributes }) => [name, attributes['http.route'], attributes['metrics.route']]);
}

test('calls the span of a request after its route, however it ends', async () => {
  expect(await spanOf('GET', '/orders/7?x=1')).toEqual([['GET /orders/:id', '/orders/:id', '/orders/:id']]);
  expect(await spanOf('HEAD', '/orders/7')).toEqual([['HEAD /orders/:id', '/orders/:id', '/orders/:id']]);
  expect(await spanOf('POST', '/orders/7')).toEqual([['POST /orders/:id', '/orders/:id', '/orders/:id']]);
  expect(await spanOf('GET', '/orders/7', { 'X-Refuse': 'yes' })).toEqual([
    ['GET /orders/:id', '/orders/:id', '/orders/:id'],
  ]);
});

test('leaves the span as it is where no route answers', async () => {
  expect(await spanOf('GET', '/nothing')).toEqual([['GET', undefined, 'none']]);
});
