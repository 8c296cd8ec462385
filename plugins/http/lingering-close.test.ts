import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Type } from 'typebox';
import { HttpServer, plugin } from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest } from '../../kernel/testing/index.js';
import { PATIENCE_MS } from '../../kernel/testing/patience.js';
import { until } from '../../kernel/testing/until.js';
import http, { type HttpOptions } from './index.js';

/** More than the buffers of both systems hold, so that a connection that is cut is one that the client cannot finish writing to. */
const BYTES = 12_000_000;

const apps: BootedTestApp[] = [];
afterEach(async () => {
  jest.useRealTimers();
  for (const app of apps.splice(0)) await app.stop();
});

async function serve(options: Partial<HttpOptions> = {}) {
  let busy = 0;
  const routes = routesUnderTest((router) => {
    router.post('/unread', () => 'answered');
    router.post('/small', { input: { body: Type.Unknown() } }, () => 'read');
    router.get('/busy', (ctx) => {
      busy++;
      return new Promise((resolve) => ctx.signal.addEventListener('abort', () => resolve('gone')));
    });
  });
  const app = await bootTestApp({ plugins: [plugin(() => Promise.resolve(http), { port: 0, ...options }), routes] });
  apps.push(app);
  const { port, url } = app.services.get(HttpServer);
  return { port, url, busy: () => busy };
}

/** Sends a whole request, however early it is answered. */
async function sent(port: number, path: string, framing: 'length' | 'chunked') {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const errors: string[] = [];
  let answer = '';
  let written = 0;
  socket.on('error', ({ message }) => errors.push(message)).on('data', (part) => (answer += part.toString('latin1')));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const length = framing === 'length' ? `Content-Length: ${BYTES}` : 'Transfer-Encoding: chunked';
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n${length}\r\n\r\n`,
  );
  const part = Buffer.alloc(60_000, '1');
  const head = Buffer.from(`${part.length.toString(16)}\r\n`);
  for (; written < BYTES && !socket.destroyed; written += part.length) {
    const bytes = framing === 'length' ? part : Buffer.concat([head, part, Buffer.from('\r\n')]);
    if (!socket.write(bytes)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
  }
  if (framing === 'chunked' && !socket.destroyed) socket.write('0\r\n\r\n');
  socket.end();
  await closed;
  return { errors, written, status: answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length), answer };
}

describe.each(['full', 'public', 'off'] as const)('with the fast path %s', (fastPath) => {
  test.each(['length', 'chunked'] as const)('a client that is still sending gets the answer (%s)', async (framing) => {
    const { port, url, busy } = await serve({ fastPath, bodyLimit: 100_000, inFlight: { requests: 1 } });
    expect(await sent(port, '/unread', framing)).toMatchObject({ errors: [], written: BYTES, status: '200' });
    expect(await sent(port, '/small', framing)).toMatchObject({ errors: [], written: BYTES, status: '413' });
    const leave = new AbortController();
    const holding = fetch(`${url}/busy`, { signal: leave.signal }).catch(() => undefined);
    await until(() => busy() === 1, 'a request that holds the only place');
    const refused = await sent(port, '/unread', framing);
    expect(refused).toMatchObject({ errors: [], written: BYTES, status: '503' });
    expect(refused.answer).toMatch(/\r\nretry-after: 1\r\n/i);
    leave.abort();
    await holding;
  });
});

test('a client that never ends is cut after some seconds', async () => {
  const { port } = await serve();
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'setInterval'] });
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);
  let answer = '';
  socket.on('data', (part) => (answer += part.toString('latin1')));
  socket.write('POST /unread HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1000\r\n\r\nsome');
  await new Promise((resolve) => socket.once('end', resolve));
  expect(answer).toContain('answered');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const writing = setInterval(() => socket.write('x'), 5);
  await jest.advanceTimersByTimeAsync(4_900);
  expect(socket.destroyed).toBe(false);
  await jest.advanceTimersByTimeAsync(200);
  await closed;
  clearInterval(writing);
});

// Who waits beyond Node's 511 is not even connected, and hangs or is reset.
const MANY = 1_000;

function longestBacklog(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return 0;
  }
}

(longestBacklog() >= MANY ? test : test.skip)(
  'a burst of connections waits while the application is busy',
  async () => {
    const { port } = await serve();
    const client = `
    const { workerData: connected } = require('node:worker_threads');
    const count = () => Atomics.add(connected, 0, 1) + 1 === ${MANY} && Atomics.notify(connected, 1);
    for (let at = 0; at < ${MANY}; at++)
      require('node:net').connect(${port}, '127.0.0.1').on('error', () => {}).on('connect', count);`;
    const connected = new Int32Array(new SharedArrayBuffer(8));
    const worker = new Worker(client, { eval: true, workerData: connected });
    // This thread accepts nothing meanwhile.
    Atomics.wait(connected, 1, 0, PATIENCE_MS);
    await worker.terminate();
    expect(connected[0]).toBe(MANY);
  },
);
