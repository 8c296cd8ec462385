import { connect, createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { settlesWithin } from './settles-within.js';

const blockFor = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('settlesWithin', () => {
  test('tells work that has settled, either way, from work that has not', async () => {
    expect(await settlesWithin(Promise.resolve(), 60_000)).toBe(true);
    expect(await settlesWithin(Promise.reject(new Error('an end as well')), 60_000)).toBe(true);
    expect(await settlesWithin(new Promise(() => {}), 1)).toBe(false);
  });

  test('counts what came in while the event loop was blocked', async () => {
    const server = createServer((socket) => void socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      const answered = once(socket, 'data');
      const inTime = settlesWithin(answered, 20);
      await new Promise((resolve) => socket.write('a question', resolve));
      blockFor(60);
      expect(await inTime).toBe(true);
    } finally {
      socket.destroy();
      server.close();
    }
  }); // prettier-ignore
});
