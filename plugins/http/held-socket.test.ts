import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { definePlugin, HttpRoutes, plugin } from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp } from '../../kernel/testing/index.js';
import http from './index.js';

// Stands for `fw dev`: it holds the socket, and hands connections over.
let holder: Server;
let app: BootedTestApp;
/** By which the application knows the address that it asked for. */
let id: number;

const address = (): AddressInfo => holder.address() as AddressInfo;
const told = (message: object, socket?: Socket) => process.emit('message', message, socket as never);

beforeEach(async () => {
  const { send } = process;
  holder = createServer((socket) => {
    told({ fw: 'connection', id }, socket);
    holder.emit('handed over');
  }).listen(0, '127.0.0.1');
  await once(holder, 'listening');
  process.env['FW_DEV_CHILD'] = '1';
  process.send = (message: unknown) => {
    const asked = message as { readonly fw: string; readonly id: number };
    if (asked.fw !== 'listen') return true;
    id = asked.id;
    setImmediate(() => told({ fw: 'listening', id, address: address() }));
    return true;
  };
  const routes = definePlugin({
    id: 'app',
    category: 'app',
    description: 'Answers',
    register: ({ contribute }) =>
      contribute(HttpRoutes, () => ({ name: 'app', register: (router) => router.get('/', () => 'answered') })),
  });
  try {
    app = await bootTestApp({ plugins: [plugin(() => Promise.resolve(http), { port: 0 }), routes] });
  } finally {
    if (send === undefined) delete process.send;
    else process.send = send;
  }
});

afterEach(async () => {
  jest.restoreAllMocks();
  await new Promise((resolve) => holder.close(resolve));
});

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const ANSWER = /^HTTP\/1\.1 200 [^]*\r\nConnection: close\r\n[^]*answered$/i;

/** A clock that stands still, so that the first second of a connection passes when the test says so, and never while it waits. */
function stoppedClock(): { pass(ms: number): void } {
  let now = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  return { pass: (ms) => void (now += ms) };
}

async function handedOver(): Promise<Socket> {
  const taken = once(holder, 'handed over');
  const socket = connect(address().port, '127.0.0.1');
  await taken;
  return socket;
}

function busyFor(ms: number): void {
  const from = Date.now();
  while (Date.now() - from < ms);
}

describe('an application whose socket fw dev holds', () => {
  test('answers, while it stops, what comes on a connection that was handed over a moment ago', async () => {
    stoppedClock();
    const socket = await handedOver();
    const stopped = app.stop();
    // Much longer than it takes to look for idle connections twice.
    await delay(400);
    socket.write(REQUEST);
    expect(await text(socket)).toMatch(ANSWER);
    await stopped;
  });

  test('answers what came while it was too busy to look', async () => {
    const clock = stoppedClock();
    const socket = await handedOver();
    const stopped = app.stop();
    await delay(50);
    // From here on Node looks at timers before it reads.
    await new Promise(setImmediate);
    socket.write(REQUEST);
    clock.pass(1_500);
    busyFor(50);
    expect(await text(socket)).toMatch(ANSWER);
    await stopped;
  });

  test('answers what came while it was busy just before it closes what is idle', async () => {
    const clock = stoppedClock();
    const socket = await handedOver();
    let [isArmed, isSent] = [false, false];
    // Begun before the search for idle connections, and as often: behind a pause both are due, and this one comes first.
    const before = setInterval(() => {
      if (!isArmed) return;
      setImmediate(() => {
        if (isSent) return;
        isSent = true;
        socket.write(REQUEST);
        clock.pass(1_500);
        busyFor(50);
      });
    }, 20);
    const stopped = app.stop();
    await delay(50);
    isArmed = true;
    busyFor(50);
    expect(await text(socket)).toMatch(ANSWER);
    await stopped;
    clearInterval(before);
  });

  test('closes a connection on which nothing comes', async () => {
    const clock = stoppedClock();
    const socket = await handedOver();
    const stopped = app.stop();
    clock.pass(1_000);
    await stopped;
    expect(await text(socket)).toBe('');
  });
});
