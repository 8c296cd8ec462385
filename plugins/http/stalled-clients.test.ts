import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { DiagnosticsRegistry, HttpServer, plugin, type Router } from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest } from '../../kernel/testing/index.js';
import { until } from '../../kernel/testing/until.js';
import http, { eventStream } from './index.js';
import { FIRST } from './tls/testing/certificates.js';

/** More than the system holds between the two ends of a connection. */
const MUCH = 32 * 1024 * 1024;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fw-stalled-'));
  await writeFile(path.join(folder, 'large.bin'), Buffer.alloc(MUCH));
});
afterAll(() => rm(folder, { recursive: true }));

const running: BootedTestApp[] = [];
const clients: { destroy(): unknown }[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  for (const app of running.splice(0)) await app.stop();
});

/** An application whose answers are larger than what a connection holds, for clients that may stop reading for a moment. */
async function serve(options: object = {}) {
  const ended: string[] = [];
  const endless = async function* (name: string) {
    try {
      for (;;) yield 'x'.repeat(64 * 1024);
    } finally {
      ended.push(name);
    }
  };
  const events = async function* () {
    for await (const data of endless('events')) yield { data };
  };
  const app = await bootTestApp({
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0, sendTimeout: 200, shutdownTimeout: 100, ...options }),
      routesUnderTest((router: Router) => {
        router.get('/whole', () => Buffer.alloc(MUCH));
        router.get('/stream', (ctx) => void (ctx.body = endless('stream')));
        router.get('/events', (ctx) => eventStream(ctx, events()));
        router.static('/files', folder);
        router.get('/small', () => 'small');
        router.get('/late', async () => {
          await delay(500);
          return Buffer.alloc(MUCH);
        });
        router.websocket('/socket', { heartbeatMs: 0 }, (socket) => {
          // Messages that are sent without a look at what waits do not begin the time again.
          const timer = setInterval(() => socket.send(Buffer.alloc(MUCH / 8)), 20);
          socket.once('close', () => clearInterval(timer));
        });
      }),
    ],
  });
  running.push(app);
  const { url, port } = app.services.get(HttpServer);
  const stalled = () => app.services.get(DiagnosticsRegistry).get('router')?.detail?.['stalled_clients'];
  return { app, url, port, ended, stalled };
}

/** A client that asks and never reads. */
function mute(socket: Socket, request: string): Promise<void> {
  clients.push(socket);
  socket.pause();
  socket.on('error', () => {});
  socket.write(request);
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

const ask = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;
const UPGRADE = [
  'GET /socket HTTP/1.1',
  'Host: x',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  '\r\n',
].join('\r\n');

describe.each(['full', 'public', 'off'])('a client that never reads, with the fast path %s', (fastPath) => {
  test.each([
    ['an answer', ask('/whole')],
    ['a stream', ask('/stream')],
    ['events', ask('/events')],
    ['a file', ask('/files/large.bin')],
    ['messages of a WebSocket', UPGRADE],
    ['answers to many requests', ask('/whole').repeat(4)],
  ])('is cut: %s', async (_what, request) => {
    const { app, port, stalled, ended } = await serve({ fastPath });
    void mute(connect(port, '127.0.0.1'), request);
    await until(() => stalled() === 1, 'cut connection');
    // The source of a stream is ended with it.
    if (/stream|events/.test(request)) await until(() => ended.length === 1, 'end of the source');
    expect(app.log.messages('warn')).toEqual([
      'clients took nothing of what waited for them; their connections were cut',
    ]);
  });
});

test('a client that never reads is cut over TLS', async () => {
  const { port, stalled } = await serve({ tls: FIRST });
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
  void mute(socket, ask('/whole'));
  await until(() => stalled() === 1, 'cut connection');
});

/** The largest window of HTTP/2 (RFC 9113, section 6.9.1): what fills up is the connection below. */
const WIDEST = 2 ** 31 - 1;

/** A connection for a client of HTTP/2, which reads its socket by itself otherwise. */
function stoppable(port: number, isTls: boolean) {
  const at = { port, host: '127.0.0.1' };
  const socket = isTls ? connectTls({ ...at, rejectUnauthorized: false, ALPNProtocols: ['h2'] }) : connect(at);
  const connection = new Duplex({
    read: () => {},
    write: (chunk: Buffer, _encoding, done) => void socket.write(chunk, () => done()),
  });
  socket.on('data', (chunk) => connection.push(chunk)).on('error', () => {});
  clients.push(socket);
  return { connection, stopReading: () => void socket.pause() };
}

describe('over HTTP/2', () => {
  const session = (url: string, options: object = {}): ClientHttp2Session => {
    const made = connectHttp2(url, { rejectUnauthorized: false, ...options });
    made.on('error', () => {});
    clients.push(made);
    return made;
  };

  const textOf = async (client: ClientHttp2Session, target: string) => {
    let text = '';
    for await (const chunk of client.request({ ':path': target })) text += String(chunk);
    return text;
  };

  test('a large answer that waits does not keep the other requests of its connection from theirs', async () => {
    const { url } = await serve({ http2: true, sendTimeout: 0 });
    const client = session(url);
    const large = client.request({ ':path': '/whole' });
    large.on('error', () => {}).pause();
    await once(large, 'response');
    expect(await textOf(client, '/small')).toBe('small');
  });

  test.each([
    ['TLS', { tls: FIRST }],
    ['no TLS', { http2: true }],
  ])(
    'a client that closes the window of a stream loses the stream, and the connection goes on: %s',
    async (_how, options) => {
      const { url, stalled } = await serve(options);
      const client = session(url);
      const stream = client.request({ ':path': '/whole' });
      stream.on('error', () => {}).pause();
      await until(() => stalled() === 1, 'cut stream');
      expect(await textOf(client, '/small')).toBe('small');
    },
  );

  test('so does one whose answer began only after the time had passed once', async () => {
    const { url, stalled } = await serve({ http2: true });
    const stream = session(url).request({ ':path': '/late' });
    stream.on('error', () => {}).pause();
    await until(() => stalled() === 1, 'cut stream');
  });

  test.each([
    ['TLS', { tls: FIRST }],
    ['no TLS', { http2: true }],
  ])('a client that does not read its connection is cut: %s', async (_how, options) => {
    const { url, port, stalled } = await serve(options);
    const { connection, stopReading } = stoppable(port, 'tls' in options);
    const client = session(url, { createConnection: () => connection, settings: { initialWindowSize: WIDEST } });
    client.setLocalWindowSize(WIDEST);
    const stream = client.request({ ':path': '/whole' });
    stream.on('error', () => {}).once('response', stopReading);
    await until(() => (stalled() as number) >= 1, 'cut connection');
  });
});

test('with 0 a client that never reads is kept', async () => {
  const { port, stalled } = await serve({ sendTimeout: 0 });
  let isClosed = false;
  void mute(connect(port, '127.0.0.1'), ask('/whole')).then(() => (isClosed = true));
  await delay(500);
  expect([stalled(), isClosed]).toEqual([0, false]);
});
