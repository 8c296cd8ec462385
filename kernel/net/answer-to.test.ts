import { Agent, request } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '../testing/until.js';
import { answerTo, answerToRepeatable } from './answer-to.js';

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

let server: Server;
let agent: Agent;
let url: string;
/** What is done with the request of a number on its connection. */
let treat: (socket: Socket, number: number) => unknown;
let requests: number;

beforeEach(async () => {
  agent = new Agent({ keepAlive: true, maxSockets: 2 });
  requests = 0;
  treat = (socket) => socket.write(ANSWER);
  server = createServer((socket) => {
    let number = 0;
    socket.on('error', () => {});
    socket.on('data', () => treat(socket, (requests++, ++number)));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterEach(() => {
  agent.destroy();
  server.close();
});

const begin = () => request(url, { agent }).end();

/** Has so many connections kept. */
async function keep(count: number): Promise<void> {
  const answers = await Promise.all(Array.from({ length: count }, () => answerTo(begin())));
  for (const answer of answers) answer.resume();
  await until(() => Object.values(agent.freeSockets).flat().length === count, 'kept connections');
}

const onlyFirst = (socket: Socket, number: number) => (number > 1 ? socket.destroy() : socket.write(ANSWER));

test.each([1, 2])('with %i kept connections that are being closed a request goes over a new one', async (count) => {
  await keep(count);
  treat = onlyFirst;
  expect((await answerToRepeatable(begin)).statusCode).toBe(200);
  expect(requests).toBe(2 * count + 1);
});

test('a request that may be sent once fails with the kept connection', async () => {
  await keep(1);
  treat = onlyFirst;
  await expect(answerTo(begin())).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('a request on a new connection is sent once', async () => {
  treat = (socket) => socket.destroy();
  await expect(answerToRepeatable(begin)).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(requests).toBe(1);
});

test('a request that was called off on a kept connection is not sent again', async () => {
  await keep(1);
  const off = new AbortController();
  treat = () => off.abort();
  const aborted = answerToRepeatable(() => request(url, { agent, signal: off.signal }).end());
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  expect(requests).toBe(2);
});
