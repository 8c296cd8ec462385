import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { definePlugin, HttpRoutes, plugin } from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp } from '../../kernel/testing/index.js';
import http from './index.js';

// Stands for `fw dev`: it holds the socket, and hands connections over.
let holder: Server;
let app: BootedTestApp;

const address = (): AddressInfo => holder.address() as AddressInfo;
const told = (message: object, socket?: Socket) => process.emit('message', message, socket as never);

beforeAll(async () => {
  const { send } = process;
  holder = createServer((socket) => {
    told({ fw: 'connection', id: 0 }, socket);
    holder.emit('handed over');
  }).listen(0, '127.0.0.1');
  await once(holder, 'listening');
  process.env['FW_DEV_CHILD'] = '1';
  process.send = (message: unknown) => {
    const { fw, id } = message as { readonly fw: string; readonly id: number };
    if (fw === 'listen') setImmediate(() => told({ fw: 'listening', id, address: address() }));
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

afterAll(() => new Promise((resolve) => holder.close(resolve)));

describe('an application whose socket fw dev holds', () => {
  test('answers, while it stops, what comes on a connection that was handed over a moment ago', async () => {
    const handedOver = once(holder, 'handed over');
    const socket = connect(address().port, '127.0.0.1');
    await handedOver;
    const stopped = app.stop();
    // Longer than it takes to look for idle connections twice.
    await delay(50);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [^]*\r\nConnection: close\r\n[^]*answered$/i);
    await stopped;
  });
});
