import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type WebSocket, WebSocketServer } from 'ws';
import type { SpanBatch } from '../../../kernel/contracts/fleet.js';
import { span, traceId } from '../../../kernel/testing/fleet-spans.js';
import { LIES, lyingServer } from '../../../kernel/testing/lying-servers.js';
import { PATIENCE_MS } from '../../../kernel/testing/patience.js';
import { until } from '../../../kernel/testing/until.js';
import { OtlpTransport } from '../otlp/otlp-transport.js';
import { HttpTransport, WebSocketTransport } from './index.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const DEADLINE_MS = 150;
const SPANS = JSON.stringify([span({ id: 1 }), span({ id: 2 })]);
const BATCH: SpanBatch = { count: 2, text: () => SPANS, byTrace: () => [{ traceId: traceId(1), text: SPANS }] };
/** More than kernels hold between two sockets, and far below what a lying server would like to send. */
const MOST_BYTES = 32 * 1024 * 1024;

const otlp = (url: string) =>
  new OtlpTransport({ url, headers: {}, encoding: 'json', gzip: false, resource: {} } as never);

describe.each([
  ['http', (url: string) => new HttpTransport({ aggregatorURL: `${url}/fleet` })],
  ['otlp', otlp],
])('the %s transport, where the receiver', (_name, make) => {
  test.each(Object.keys(LIES))('%s, comes to an end, and its next batch too', async (lie) => {
    await using server = await lyingServer(LIES[lie] as never);
    const transport = make(server.url);
    closing.push(() => transport.close());
    for (let tries = 0; tries < 2; tries++) {
      const signal = AbortSignal.timeout(DEADLINE_MS);
      const outcome = await transport.exportSpans(BATCH, signal).catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toMatchObject({ code: expect.stringMatching(/^FW_FLEET_/) });
      // What is refused is part of what was sent, whatever the receiver says.
      else expect([0, 1, 2, undefined]).toContain((outcome as { rejected: number } | undefined)?.rejected);
    }
    expect(server.written).toBeLessThan(MOST_BYTES);
  });
});

test.each([
  ['{"partialSuccess":null}', 0, ''],
  ['{"partialSuccess":{"rejectedSpans":"1e999","errorMessage":{"toString":1}}}', 2, ''],
  ['{"partialSuccess":{"rejectedSpans":-5}}', 0, ''],
  ['{"partialSuccess":{"rejectedSpans":[1]}}', 0, ''],
  [`{"partialSuccess":{"rejectedSpans":1,"errorMessage":"${'x'.repeat(5000)}"}}`, 1, 'x'.repeat(200)],
])('an OTLP receiver that answers %s has taken the rest', async (body, rejected, reason) => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n';
  await using server = await lyingServer((socket) => void socket.end(head + body));
  const transport = otlp(server.url);
  expect(await transport.exportSpans(BATCH, AbortSignal.timeout(PATIENCE_MS))).toEqual({ rejected });
  expect(transport.partial).toEqual({ rejected, reason });
});

test('an aggregator that redirects is not followed, and the error says so', async () => {
  await using server = await lyingServer(LIES['redirects to itself'] as never);
  const transport = new HttpTransport({ aggregatorURL: server.url, ingestToken: 'token' });
  closing.push(() => transport.close());
  await expect(transport.exportSpans(BATCH, AbortSignal.timeout(PATIENCE_MS))).rejects.toThrow(
    /307.*redirects.*not followed/,
  );
  expect(server.connections).toBe(1);
});

/** An aggregator's WebSocket that takes the greeting, and then does with each message what the test says. */
async function socketServer(onMessage: (socket: WebSocket, text: string) => void, greets = true) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  let connections = 0;
  server.on('connection', (socket) => {
    connections++;
    socket.on('error', () => undefined);
    socket.once('message', () => {
      if (!greets) return;
      socket.send('{"type":"auth_ok"}');
      socket.on('message', (data) => onMessage(socket, (data as Buffer).toString()));
    });
  });
  closing.push(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const transport = new WebSocketTransport({
    aggregatorURL: `http://${address}`,
    aggregatorWSURL: `ws://${address}/ws`,
  });
  closing.push(() => transport.close());
  return { transport, connections: () => connections, clients: server.clients };
}

/** A deadline that passes a moment after something has happened, however long a slow machine takes to come to that. */
function deadlineAfter(hasHappened: () => boolean): AbortSignal {
  const deadline = new AbortController();
  void until(hasHappened, 'event').then(() =>
    setTimeout(
      () => deadline.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
      DEADLINE_MS,
    ),
  );
  return deadline.signal;
}

const acknowledge = (socket: WebSocket, text: string) =>
  socket.send(JSON.stringify({ type: 'ack', id: (JSON.parse(text) as { id: number }).id }));

describe('the WebSocket transport, where the aggregator', () => {
  test.each([
    ['null', 'null'],
    ['a number', '1'],
    ['no JSON', '{'],
    ['an id that is none', '{"type":"ack","id":{"toString":1}}'],
    ['the id of nobody', '{"type":"ack","id":99}'],
    ['an error that is no text', '{"type":"error","id":1,"error":{"toString":1}}'],
    ['bytes', Buffer.from([255, 0])],
  ])('sends %s, fails that batch and sends the next one', async (_what, lie) => {
    let [isLying, lies] = [true, 0];
    const { transport } = await socketServer((socket, text) => {
      if (!isLying) return acknowledge(socket, text);
      lies++;
      socket.send(lie);
    });
    await expect(
      transport.exportSpans(
        BATCH,
        deadlineAfter(() => lies > 0),
      ),
    ).rejects.toMatchObject({
      code: 'FW_FLEET_EXPORT_FAILED',
    });
    isLying = false;
    await transport.exportSpans(BATCH, AbortSignal.timeout(PATIENCE_MS));
  });

  test('sends messages beyond the limit, opens another socket', async () => {
    const { transport, connections } = await socketServer((socket) => socket.send('x'.repeat(2 ** 21)));
    for (let tries = 1; tries <= 2; tries++) {
      await expect(transport.exportSpans(BATCH, AbortSignal.timeout(PATIENCE_MS))).rejects.toThrow(/Max payload size/);
      expect(connections()).toBe(tries);
    }
  });

  test('falls silent, takes another socket instead of waiting on the old one for ever', async () => {
    const { transport, connections, clients } = await socketServer(() => undefined);
    for (let tries = 1; tries <= 2; tries++) {
      const deadline = deadlineAfter(() => connections() === tries);
      await expect(transport.exportSpans(BATCH, deadline)).rejects.toThrow(/timeout/);
      expect(connections()).toBe(tries);
    }
    await until(() => clients.size === 0, 'the end of both sockets');
  });

  test('never answers the greeting, does not keep the transport from closing', async () => {
    const { transport, connections } = await socketServer(() => undefined, false);
    await expect(
      transport.exportSpans(
        BATCH,
        deadlineAfter(() => connections() === 1),
      ),
    ).rejects.toThrow(/timeout/);
    await transport.close();
  });

  test('closes right behind its greeting, tries again', async () => {
    const { transport, connections } = await socketServer((socket) => socket.close(1000));
    for (let tries = 1; tries <= 2; tries++) {
      await expect(transport.exportSpans(BATCH, AbortSignal.timeout(PATIENCE_MS))).rejects.toThrow(
        /closed with code 1000/,
      );
      expect(connections()).toBe(tries);
    }
  });
});
