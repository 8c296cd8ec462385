import { Server } from 'node:net';
import { expect, jest, test } from '@jest/globals';
import { HeldSockets } from './held-sockets.js';

test('goes on when a connection cannot be accepted', async () => {
  const opened = jest.spyOn(Server.prototype, 'listen');
  const sockets = new HeldSockets();
  try {
    await sockets.open('a', '127.0.0.1', 0);
    const [server] = opened.mock.contexts as readonly Server[];
    // What Node emits when accept(2) fails.
    for (let time = 0; time < 2; time++) expect(server?.emit('error', new Error('accept EMFILE'))).toBe(true);
  } finally {
    sockets.keep(new Set());
    opened.mockRestore();
  }
});
