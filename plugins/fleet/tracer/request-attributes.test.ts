import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect, test } from '@jest/globals';
import Koa from 'koa';
import type { SpanTransport } from '../../../kernel/contracts/fleet.js';
import type { SpanRecord } from '../../../kernel/contracts/fleet-wire.js';
import { FIRST } from '../../http/tls/testing/certificates.js';
import { middleware, newTracer } from './index.js';

interface Request {
  readonly tls?: boolean;
  readonly version?: '1.0' | '1.1';
  /** `X-Forwarded-Proto` */
  readonly forwarded?: string;
  /** Whether the application believes it. */
  readonly proxy?: boolean;
  readonly route?: string;
}

/** The span of a request, over a connection of its own. */
async function spanOf({ tls, version = '1.1', forwarded, proxy = false, route }: Request): Promise<SpanRecord> {
  const spans: SpanRecord[] = [];
  const transport: SpanTransport = {
    name: 'array',
    exportSpans: (batch) => Promise.resolve(void spans.push(...(JSON.parse(batch.text()) as SpanRecord[]))),
    exportHeartbeat: () => Promise.resolve(),
  };
  const tracer = newTracer({ serviceName: 'shop', enabled: true, transport });
  const app = new Koa({ proxy });
  app.use(middleware(tracer) as Koa.Middleware);
  app.use((context) => void Object.assign(context, { body: 'done', ...(route && { route: { path: route } }) }));
  const server = tls ? createTlsServer(FIRST, app.callback()) : createServer(app.callback());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const to = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  const socket = tls ? connectTls({ ...to, ca: FIRST.cert }) : connect(to);
  const head = [`GET /orders/4711?token=hush HTTP/${version}`, 'host: hush', 'connection: close'];
  if (forwarded !== undefined) head.push(`x-forwarded-proto: ${forwarded}`);
  socket.write([...head, '', ''].join('\r\n'));
  await once(socket.resume(), 'close');
  server.close();
  await tracer.close();
  return spans[0] as SpanRecord;
}

const route = '/orders/:id';

test.each<[Request, object | undefined]>([
  [{ route }, undefined],
  [{ route, forwarded: 'https' }, undefined],
  [{ route, forwarded: 'https', proxy: true }, { 'url.scheme': 'https' }],
  [{ route, forwarded: 'hush', proxy: true }, undefined],
  [{ route, tls: true }, { 'url.scheme': 'https' }],
  [
    { route, tls: true, version: '1.0' },
    { 'url.scheme': 'https', 'network.protocol.version': '1.0' },
  ],
  [{ tls: true }, { 'url.scheme': 'https', 'url.path': '/orders/*' }],
])('the span of a request (%j) says what is not usual of it', async (request, attributes) => {
  const span = await spanOf(request);
  expect(span.attributes).toEqual(attributes);
  expect(JSON.stringify(span)).not.toContain('hush');
});
