import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type BootedTestApp, bootTestApp } from '../../../kernel/testing/boot-test-app.js';
import { span, traceId } from '../../../kernel/testing/fleet-spans.js';
import { PATIENCE_MS } from '../../../kernel/testing/patience.js';
import { HttpServer, plugin, type PluginEntry } from '../../../kernel/index.js';
import { MemoryEventBackend } from '../../../kernel/events/index.js';
import type { SpanBatch } from '../../../kernel/contracts/fleet.js';
import http from '../../http/index.js';
import aggregatorPlugin, {
  Aggregator,
  type AggregatorConfig,
  aggregatorDefaults,
  FleetAggregator,
  settingsOf,
} from '../aggregator/index.js';
import { EventIntake } from '../aggregator/event-intake.js';
import tracerPlugin, { FleetTracer, newTracer, traceOf } from '../tracer/index.js';
import {
  aggregatorAddress,
  EventsTransport,
  HttpTransport,
  NativeTransport,
  TRANSPORT_NAMES,
  transportNamed,
  WebSocketTransport,
} from './index.js';

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const signal = () => AbortSignal.timeout(PATIENCE_MS);

function batch(count: number): SpanBatch {
  const text = JSON.stringify(Array.from({ length: count }, (_, n) => span({ trace: n + 1, id: n + 1 })));
  return { count, text: () => text, byTrace: () => [{ traceId: traceId(1), text }] };
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/fleet`;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A server that answers with a status and remembers what it got. */
async function recording(status = 202) {
  const seen: { url: string; headers: IncomingMessage['headers']; body: Buffer }[] = [];
  const url = await serve((request, response) => {
    void bodyOf(request).then((body) => {
      seen.push({ url: request.url ?? '', headers: request.headers, body });
      response.writeHead(status).end('{}');
    });
  });
  return { url, seen };
}

async function bootAggregator(options: AggregatorConfig = {}): Promise<{ app: BootedTestApp; url: string }> {
  const app = await bootTestApp({
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(aggregatorPlugin), options),
    ],
  });
  closing.push(() => app.stop());
  return { app, url: `${app.services.get(HttpServer).url}/fleet` };
}

describe.each([
  ['http', HttpTransport],
  ['native', NativeTransport],
])('the %s transport', (name, Transport) => {
  const make = (aggregatorURL: string) => {
    const transport = new Transport({ aggregatorURL, ingestToken: 'token', serviceName: 'örders' });
    closing.push(() => transport.close());
    return transport;
  };

  test('sends JSON with gzip and the token over HTTP/1.1, under its own name [FLEET-TRANSPORT-HTTP-01, FLEET-TRANSPORT-HTTP-02, FLEET-TRANSPORT-NATIVE-01, FLEET-TRANSPORT-NATIVE-02, FLEET-TRACER-INGEST-TOKEN, FLEET-TRACER-AGGREGATOR-URL-01]', async () => {
    const { url, seen } = await recording();
    const transport = make(url);
    await transport.exportSpans(batch(20), signal());
    await transport.exportHeartbeat({ service: 'örders' }, signal());
    expect(transport.name).toBe(name);
    expect(seen[0]).toMatchObject({
      url: '/fleet/api/spans',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', 'x-fleet-token': 'token', 'x-fw-service': '%C3%B6rders' },
    }); // prettier-ignore
    expect(gunzipSync(seen[0]?.body as Buffer).toString()).toBe(batch(20).text());
    expect(seen[1]).toMatchObject({ url: '/fleet/api/heartbeat', body: Buffer.from('{"service":"örders"}') });
    expect(seen[1]?.headers).not.toHaveProperty('content-encoding');
  });

  test.each([
    [400, true],
    [401, false],
    [403, false],
    [404, false],
    [413, true],
    [503, false],
  ])('knows that after %i another try is pointless: %s', async (status, isPermanent) => {
    const { url } = await recording(status);
    await expect(make(url).exportSpans(batch(1), signal())).rejects.toMatchObject({
      code: 'FW_FLEET_EXPORT_REFUSED',
      isPermanent,
    });
  });

  test('an aggregator without a base path is asked at its own host', async () => {
    const { url, seen } = await recording();
    await make(new URL(url).origin).exportSpans(batch(1), signal());
    expect(seen).toMatchObject([{ url: '/api/spans' }]);
  });

  test('says where it could not reach anybody', async () => {
    const { url } = await recording();
    await closing.pop()?.();
    await expect(make(url).exportSpans(batch(1), signal())).rejects.toThrow(/could not be reached/);
  });

  test('gives up when the time is over', async () => {
    const url = await serve(() => undefined);
    await expect(make(url).exportSpans(batch(1), AbortSignal.timeout(20))).rejects.toMatchObject({
      code: 'FW_FLEET_EXPORT_FAILED',
    });
  });
});

describe('addresses of aggregators', () => {
  test('get a scheme and lose what does not belong', () => {
    expect(aggregatorAddress(' fleet:9000/fleet/ ').href).toBe('http://fleet:9000/fleet');
  });

  test.each(['http://', 'ftp://host/fleet', 'http://user:secret@host/fleet'])(
    '%s is refused, without showing a secret',
    (url) => {
      expect(() => aggregatorAddress(url)).toThrow(expect.objectContaining({ code: 'FW_FLEET_TRANSPORT_ADDRESS' }));
      expect(() => aggregatorAddress(url)).not.toThrow(/secret/);
    },
  );
});

describe('the events transport', () => {
  const aggregator = (options: AggregatorConfig = {}) => {
    const clock = { now: Date.now, monotonic: () => performance.now() };
    const settings = settingsOf({ ...aggregatorDefaults(), ...options } as never);
    return new Aggregator(settings, { clock, fetchDocument: () => Promise.reject(new TypeError('no network')) });
  };

  async function connected(senderToken: string, aggregatorToken: string) {
    const backend = new MemoryEventBackend();
    const subject = aggregator({ ingestToken: aggregatorToken });
    const intake = new EventIntake(subject, backend, { takesUnsigned: false });
    await intake.open();
    const transport = new EventsTransport({ aggregatorURL: 'http://127.0.0.1', backend, ingestToken: senderToken });
    await transport.exportSpans(batch(3), signal());
    await transport.exportHeartbeat({ service: 'a' }, signal());
    await backend.close();
    return { subject, intake };
  }

  test('delivers in process over a backend [FLEET-TRANSPORT-EVENTS-01, EVENT-FLEET-01]', async () => {
    const { subject } = await connected('', '');
    expect(subject.stats()).toMatchObject({ spans: 3, services: 1 });
  });

  test('signs with the token; what is not signed is refused and counted', async () => {
    expect((await connected('right', 'right')).subject.stats().spans).toBe(3);
    const { subject, intake } = await connected('wrong', 'right');
    expect(subject.stats()).toMatchObject({ spans: 0, services: 0 });
    expect(intake.stats()).toMatchObject({ messages: 2, unsigned: 2 });
  });

  test('a message that makes no sense is counted, and the next one comes', async () => {
    const backend = new MemoryEventBackend();
    const subject = aggregator();
    const intake = new EventIntake(subject, backend, { takesUnsigned: false });
    await intake.open();
    for (const text of ['{', '{}', '[{}]', batch(1).text()]) await backend.publish('fleet.spans', Buffer.from(text));
    await backend.close();
    expect(intake.stats()).toMatchObject({ messages: 4, malformed: 3 });
    expect(subject.stats().spans).toBe(1);
  });

  test('goes over HTTP without a backend [FLEET-TRANSPORT-EVENTS-02, EVENT-FLEET-02]', async () => {
    const { url, seen } = await recording();
    const transport = new EventsTransport({ aggregatorURL: url });
    closing.push(() => transport.close());
    await transport.exportSpans(batch(1), signal());
    expect(seen).toMatchObject([{ url: '/fleet/api/spans' }]);
  });

  async function shop(aggregatorURL: string, more: readonly PluginEntry[] = []) {
    const app = await bootTestApp({
      name: 'shop',
      plugins: [
        plugin(() => Promise.resolve(http), { port: 0 }),
        ...more,
        plugin(() => Promise.resolve(tracerPlugin), { enabled: true, transport: 'events', aggregatorURL }),
      ],
    });
    closing.push(() => app.stop());
    await fetch(`${app.services.get(HttpServer).url}/orders`);
    await app.services.get(FleetTracer).close();
    expect(app.services.get(FleetTracer).counters()).toMatchObject({ spansExported: 1, spansDropped: 0 });
    return app;
  }

  test('an application whose backend reaches no aggregator sends over HTTP [EVENT-FLEET-02]', async () => {
    const { url, seen } = await recording();
    await shop(url);
    expect(seen.map((request) => request.url)).toContain('/fleet/api/spans');
  });

  test('an application with an aggregator of its own delivers over its bus [EVENT-FLEET-01]', async () => {
    const { url, seen } = await recording();
    const app = await shop(url, [plugin(() => Promise.resolve(aggregatorPlugin), {})]);
    const stats = await (await fetch(`${app.services.get(HttpServer).url}/fleet/api/stats`)).json();
    expect(stats).toMatchObject({ spans: 1, batches_accepted: 1, events: { backend: 'memory' } });
    expect(seen).toEqual([]);
  });
});

describe('the WebSocket transport', () => {
  test('delivers over a persistent socket, and knows what arrived', async () => {
    const { app, url } = await bootAggregator({ ingestToken: 'token' });
    const transport = new WebSocketTransport({
      aggregatorURL: url,
      aggregatorWSURL: `${url.replace('http', 'ws')}/ws`,
      ingestToken: 'token',
    });
    closing.push(() => transport.close());
    await transport.exportSpans(batch(3), signal());
    await transport.exportHeartbeat({ service: 'a' }, signal());
    expect(app.services.get(FleetAggregator).stats()).toMatchObject({ spans: 3, services: 1 });
    await expect(transport.exportSpans({ ...batch(1), text: () => '[{}]' }, signal())).rejects.toMatchObject({
      isPermanent: true,
    });
  });

  test('with a wrong token fails, each time anew', async () => {
    const { url } = await bootAggregator({ ingestToken: 'token' });
    const aggregatorWSURL = `${url.replace('http', 'ws')}/ws`;
    const transport = new WebSocketTransport({ aggregatorURL: url, aggregatorWSURL, ingestToken: 'wrong' });
    closing.push(() => transport.close());
    await expect(transport.exportSpans(batch(1), signal())).rejects.toThrow(/the ingest token was refused/);
    await expect(transport.exportSpans(batch(1), signal())).rejects.toThrow(/the ingest token was refused/);
  });

  test('without the address of a socket exports over HTTP [FLEET-TRANSPORT-WEBSOCKET-02]', async () => {
    const { url, seen } = await recording();
    const transport = new WebSocketTransport({ aggregatorURL: url });
    closing.push(() => transport.close());
    await transport.exportSpans(batch(1), signal());
    expect(seen).toMatchObject([{ url: '/fleet/api/spans' }]);
  });
});

describe('transports by name', () => {
  const options = { aggregatorURL: 'http://127.0.0.1:1/fleet' };

  test.each(['http', 'events', 'native', 'websocket'])(
    '%s exists and carries trace headers like the others [FLEET-TRANSPORT-WEBSOCKET-01]',
    (name) => {
      const transport = transportNamed(name, options);
      const tracer = newTracer({
        serviceName: 'a',
        enabled: true,
        transport,
        heartbeatInterval: '1h',
        clientSpans: false,
      });
      closing.push(() => tracer.close({ timeout: 0 }));
      const headers = new Map<string, string>();
      const trace = tracer.beginRoot();
      trace.owner.inject(trace, { get: (key) => headers.get(key), set: (key, value) => void headers.set(key, value) });
      expect(transport.name).toBe(name);
      expect(headers.get('traceparent')).toBe(`00-${trace.traceId}-${trace.spanId}-01`);
      expect(traceOf(undefined)).toBeUndefined();
    },
  );

  test('rpc is nowhere advertised as implemented, and neither is a standard telemetry protocol [VERSION-FLEET-01, LIMIT-FLEET-SCALE-03]', () => {
    expect(TRANSPORT_NAMES).toEqual(['http', 'events', 'native', 'websocket']);
    const { transport } = tracerPlugin.manifest.options?.properties ?? {};
    expect(transport).toMatchObject({ description: 'http, events, native or websocket' });
    expect(() => transportNamed('otlp', options)).toThrow(/one of: http, events, native, websocket/);
  });

  test('rpc is planned, not implemented, and says so [FLEET-TRANSPORT-RPC, LIMIT-FLEET-SCALE-04]', () => {
    expect(() => transportNamed('rpc', options)).toThrow(
      'The span transport rpc is planned, not implemented. Use http instead.',
    );
  });

  test('any other name is refused with the names that exist', () => {
    expect(() => transportNamed('toString', options)).toThrow(/one of: http, events, native, websocket/);
  });
});
