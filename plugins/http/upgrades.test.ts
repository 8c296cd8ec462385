import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { WebSocket } from 'ws';
import { definePlugin, HttpRoutes, HttpServer, HttpUpgrade, plugin, type Router } from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp } from '../../kernel/testing/index.js';
import http from './index.js';

const FAST_PATHS = ['full', 'public', 'off'] as const;
const TAKERS = ['nobody', 'a WebSocket route', 'a plugin', 'both'] as const;

const routes = (taker: string) => (router: Router) => {
  router.get('/plain', (ctx) => ({ said: ctx.query['n'] ?? '' }));
  router.post('/echo', { input: { body: Type.Object({ n: Type.Integer() }) } }, (ctx) => ctx.input.body);
  router.post('/unread', () => ({ read: false }));
  router.get('/mixed', () => 'mixed');
  if (taker === 'a WebSocket route' || taker === 'both') router.websocket('/socket', (socket) => socket.send('hello'));
};

const apps = new Map<string, BootedTestApp>();

beforeAll(async () => {
  for (const fastPath of FAST_PATHS) {
    for (const taker of TAKERS) {
      const app = definePlugin({
        id: 'app',
        category: 'app',
        description: 'Takes connections over',
        register({ contribute }) {
          contribute(HttpRoutes, () => ({ name: 'app', register: routes(taker) }));
          if (taker === 'nobody' || taker === 'a WebSocket route') return;
          contribute(HttpUpgrade, () => ({
            path: '/taken',
            handle: (_request, socket) => void socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\ntaken'),
          }));
          contribute(HttpUpgrade, () => ({
            path: '/own',
            protocol: 'own/1',
            handle: (_request, socket) => void socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\nown'),
          }));
          contribute(HttpUpgrade, () => ({ path: '/broken', handle: () => { throw new Error('broken'); } })); // prettier-ignore
        },
      });
      const plugins = [plugin(() => Promise.resolve(http), { port: 0, fastPath }), app];
      apps.set(`${fastPath} ${taker}`, await bootTestApp({ plugins }));
    }
  }
});

afterAll(async () => {
  for (const app of apps.values()) await app.stop();
});

const H2C = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n';
const head = (line: string, more = '', upgrade = H2C) => `${line} HTTP/1.1\r\nHost: x\r\n${upgrade}${more}\r\n`;
const LAST = 'GET /plain?n=last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const BODY = `${JSON_TYPE}Content-Length: 7\r\n`;
const CHUNKED = `${JSON_TYPE}Transfer-Encoding: chunked\r\n`;

/** Status and body of each answer in what a server has sent; those whose body has not come yet are left out. */
function answersIn(text: string): string[] {
  return text
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((part) => /^HTTP\/1\.1 (?!100)/.test(part))
    .map((part) => [
      part.slice(9, 12),
      part
        .split('\r\n\r\n')
        .slice(1)
        .join('')
        .replace(/^[0-9a-f]+\r\n|\r\n0/g, ''),
    ])
    .filter(([, body]) => body !== '')
    .map((parts) => parts.join(' '));
}

/** Sends packets one after the other, or each when the one before was answered, and waits for answers or the connection's end. */
async function exchange(port: number, packets: readonly string[], expected = 1, { answered = false } = {}) {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  let text = '';
  let isClosed = false;
  socket.on('error', () => {}).on('close', () => (isClosed = true)); // prettier-ignore
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  const answers = async (count: number) => {
    while (!isClosed && answersIn(text).length < count) await new Promise((resolve) => setTimeout(resolve, 2));
  };
  for (const [index, packet] of packets.entries()) {
    socket.write(packet);
    if (answered) await answers(index + 1);
    // A part should be read before the next is sent, or they arrive as one.
    else if (packets.length > 1) await new Promise((resolve) => setTimeout(resolve, 25));
  }
  await answers(expected);
  socket.destroy();
  return { answers: answersIn(text), text, isClosed };
}

describe.each(FAST_PATHS)('fastPath %s', (fastPath) => {
  describe.each(TAKERS)('and connections are taken over by %s', (taker) => {
    const port = () => (apps.get(`${fastPath} ${taker}`) as BootedTestApp).services.get(HttpServer).port;

    test.each<[string, string[], string[]]>([
      ['a GET', [head('GET /plain?n=1')], ['200 {"said":"1"}']],
      ['a POST with a length', [head('POST /echo', BODY) + '{"n":1}'], ['200 {"n":1}']],
      ['a POST in chunks', [head('POST /echo', CHUNKED) + '7\r\n{"n":1}\r\n0\r\n\r\n'], ['200 {"n":1}']],
      ['a POST whose body comes later', [head('POST /echo', BODY), '{"n"', ':1}'], ['200 {"n":1}']],
      ['a POST that waits for 100', [head('POST /echo', `${BODY}Expect: 100-continue\r\n`), '{"n":1}'], ['200 {"n":1}']],
      ['a path that is not there', [head('GET /none')], ['404 ']],
      ['a method that is not there', [head('DELETE /plain')], ['405 ']],
      ['a body that is wrong', [head('POST /echo', BODY) + '{"n":x}'], ['400 ']],
      ['a body that nobody reads', [head('POST /unread', BODY) + '{"n":1}'], ['200 {"read":false}']],
      ['another protocol', [head('GET /plain?n=1', '', 'Connection: Upgrade\r\nUpgrade: TLS/1.0\r\n')], ['200 {"said":"1"}']],
      ['a list of protocols', [head('GET /plain?n=1', '', 'Connection: upgrade\r\nUpgrade: h2c, websocket\r\n')], ['200 {"said":"1"}']],
      ['a WebSocket by POST', [head('POST /echo', BODY, 'Connection: Upgrade\r\nUpgrade: websocket\r\n') + '{"n":1}'], ['200 {"n":1}']],
    ])('%s with an upgrade that is not ours is answered as without', async (_name, packets, expected) => {
      const { answers } = await exchange(port(), packets);
      expect(answers.map((answer, index) => answer.slice(0, expected[index]?.length))).toEqual(expected);
    }); // prettier-ignore

    test.each<[string, string]>([
      ['a GET', head('GET /plain?n=1')],
      ['a POST with a length', head('POST /echo', BODY) + '{"n":1}'],
      ['a POST in chunks', head('POST /echo', CHUNKED) + '7\r\n{"n":1}\r\n0\r\n\r\n'],
    ])('%s: what is pipelined behind it is answered, or the connection closes', async (_name, request) => {
      const { answers, isClosed, text } = await exchange(port(), [request + LAST], 2);
      expect(answers[0]).toMatch(/^200 /);
      expect(answers[1] ?? (isClosed && /connection: close/i.test(text))).toBeTruthy();
    });

    test.each<[string, string]>([
      ['a GET', head('GET /plain?n=1')],
      ['a POST with a length', head('POST /echo', BODY) + '{"n":1}'],
    ])('%s: the connection is kept when nothing came behind it', async (_name, request) => {
      const { answers, text } = await exchange(port(), [request, LAST], 2, { answered: true });
      expect(text).not.toMatch(/connection: close[^]*HTTP\/1\.1 200/i);
      expect(answers[1]).toBe('200 {"said":"last"}');
    });

    test('requests for a WebSocket', async () => {
      const to = (path: string) => new WebSocket(`ws://127.0.0.1:${port()}${path}`);
      const refused = async (path: string) => {
        const socket = to(path);
        socket.on('error', () => {});
        const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
        socket.terminate();
        return response.statusCode;
      };
      expect(await refused('/none')).toBe(404);
      const isRouted = taker === 'a WebSocket route' || taker === 'both';
      if (isRouted) {
        const socket = to('/socket');
        expect(String((await once(socket, 'message'))[0])).toBe('hello');
        socket.terminate();
        expect((await exchange(port(), [head('GET /socket')])).answers[0]).toMatch(/^426 /);
      } else expect(await refused('/socket')).toBe(404);
      const isTaken = taker === 'a plugin' || taker === 'both';
      const ask = async (path: string, protocol: string) => {
        const upgrade = `Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`;
        return (await exchange(port(), [head(`GET ${path}`, '', upgrade)])).text;
      };
      expect(await ask('/taken', 'WebSocket')).toMatch(isTaken ? /taken$/ : /^HTTP\/1\.1 404/);
      expect(await ask('/own', 'own/1')).toMatch(isTaken ? /own$/ : /^HTTP\/1\.1 404/);
      expect(await ask('/own', 'websocket')).toMatch(/^HTTP\/1\.1 404/);
      expect(await ask('/taken', 'h2c')).toMatch(/^HTTP\/1\.1 404/);
    });

    test('a handler of a plugin that throws cuts its connection, and nothing else', async () => {
      const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
      const { text } = await exchange(port(), [head('GET /broken', '', upgrade)]);
      expect(text).toMatch(taker === 'a plugin' || taker === 'both' ? /^$/ : /^HTTP\/1\.1 404/);
      expect((await exchange(port(), [LAST])).answers).toEqual(['200 {"said":"last"}']);
    });
  });
});
