import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Connections, exchange } from './connections.mjs';

const REQUEST = Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n');

/** @param {(socket: import('node:net').Socket) => void} answer - called for each request */
async function serverOf(answer) {
  const server = createServer((socket) => {
    socket.on('data', () => answer(socket));
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: /** @type {import('node:net').AddressInfo} */ (server.address()).port };
}

test('every connection sends its next request when it has its answer, whole or in pieces', async () => {
  let answered = 0;
  const { server, port } = await serverOf((socket) => {
    answered++;
    const isChunked = answered % 2 === 0;
    socket.write(
      isChunked ? 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n' : 'HTTP/1.1 200 OK\r\nContent-Le',
    );
    setTimeout(() => socket.write(isChunked ? 'a\r\n0\r\n\r\n' : 'ngth: 2\r\n\r\nab'), 2);
  });
  await exchange(port, { requests: [REQUEST], count: 20, connections: 3 });
  assert.equal(answered, 20);
  server.close();
});

test('any other answer, and a connection that ends, is an error', async () => {
  const refusing = await serverOf((socket) => socket.write('HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n'));
  await assert.rejects(
    Connections.open(refusing.port, 1, [REQUEST]),
    /not the answer that was asked for: HTTP\/1.1 503/,
  );
  const ending = await serverOf((socket) => socket.end());
  await assert.rejects(Connections.open(ending.port, 1, [REQUEST]), /closed the connection/);
  refusing.server.close();
  ending.server.close();
});

test('a connection that the server closes between two sends is opened anew', async () => {
  /** @type {import('node:net').Socket[]} */
  const sockets = [];
  const { server, port } = await serverOf((socket) => {
    if (!sockets.includes(socket)) sockets.push(socket);
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  });
  const opened = await Connections.open(port, 2, [REQUEST]);
  sockets[0]?.end();
  while (sockets[0] && !sockets[0].destroyed) await delay(5);
  await opened.send([REQUEST], 4);
  assert.equal(sockets.length, 3);
  opened.close();
  server.close();
});
