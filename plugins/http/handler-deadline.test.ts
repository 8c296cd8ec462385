import { on } from 'node:events';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, test } from '@jest/globals';
import WebSocket from 'ws';
import { HttpServer, plugin, type RouteOptions, type Router } from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest } from '../../kernel/testing/index.js';
import { until } from '../../kernel/testing/until.js';
import http, { type HttpOptions } from './index.js';

const running: BootedTestApp[] = [];
afterEach(async () => {
  for (const app of running.splice(0)) await app.stop();
});

async function serve(register: (router: Router) => void, options: Partial<HttpOptions> = {}) {
  const app = await bootTestApp({
    plugins: [plugin(() => Promise.resolve(http), { port: 0, ...options }), routesUnderTest(register)],
  });
  running.push(app);
  return app.services.get(HttpServer).url;
}
const forEver = () => new Promise<never>(() => undefined);

describe.each(['full', 'off'] as const)('a handler that takes too long (fast path %s)', (fastPath) => {
  test('is answered for with 503, and its signal aborted with the reason', async () => {
    let reason: unknown;
    const url = await serve(
      (router) => {
        router.get('/slow/:id', { timeout: 20 }, ({ signal }) => {
          signal.addEventListener('abort', () => (reason = signal.reason));
          return forEver();
        });
      },
      { fastPath },
    );
    const response = await fetch(`${url}/slow/1`);
    expect(response.status).toBe(503);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    await until(() => reason !== undefined, 'the abort');
    expect(reason).toMatchObject({ code: 'FW_HTTP_HANDLER_TIMEOUT', details: { route: 'GET /slow/:id', limit: '20' } });
  });

  test('has the time of the plugin where the route names none, and none with 0', async () => {
    let release = () => {};
    const released = new Promise<string>((resolve) => (release = () => resolve('late')));
    const url = await serve(
      (router) => {
        router.get('/by-option', forEver);
        router.get('/endless', { timeout: 0 }, () => released);
        router.get('/quick', () => Promise.resolve('quick'));
        router.get('/failing', () => Promise.reject(Object.assign(new Error('mine'), { status: 418 })));
      },
      { fastPath, handlerTimeout: 20 },
    );
    const endless = fetch(`${url}/endless`);
    const statuses = ['by-option', 'quick', 'failing'].map(async (path) => (await fetch(`${url}/${path}`)).status);
    expect(await Promise.all(statuses)).toEqual([503, 200, 418]);
    release();
    expect(await (await endless).text()).toBe('late');
  });

  test('a body that is streamed, and a WebSocket, go on', async () => {
    const url = await serve(
      (router) => {
        router.get('/stream', () => Readable.from(slowly()));
        router.websocket('/echo', async (socket) => {
          for await (const [data] of messagesOf(socket)) socket.send(data);
        });
      },
      { fastPath, handlerTimeout: 20 },
    );
    expect(await (await fetch(`${url}/stream`)).text()).toBe('first last');
    const socket = new WebSocket(`${url.replace('http', 'ws')}/echo`);
    await new Promise((resolve) => socket.once('open', resolve));
    await fetch(`${url}/stream`);
    socket.send('still here');
    expect(String(await new Promise((resolve) => socket.once('message', resolve)))).toBe('still here');
    socket.terminate();
  });
});

// Twice as long as the handler may take.
async function* slowly() {
  yield 'first ';
  await new Promise((resolve) => setTimeout(resolve, 40));
  yield 'last';
}

async function* messagesOf(socket: WebSocket) {
  yield* on(socket, 'message', { close: ['close'] }) as AsyncIterable<[Buffer]>;
}

test('what a handler fails with after its time is logged, unless it is about the signal', async () => {
  let fail: (error: Error) => void = () => {};
  const app = await bootTestApp({
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0, handlerTimeout: 20 }),
      routesUnderTest((router) => {
        router.get('/late', () => new Promise((_, reject) => (fail = reject)));
        router.get('/obedient', async ({ signal }) => {
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          signal.throwIfAborted();
        });
      }),
    ],
  });
  running.push(app);
  const { url } = app.services.get(HttpServer);
  await fetch(`${url}/obedient`);
  await fetch(`${url}/late`);
  fail(new Error('much later'));
  const failures = () => app.log.lines.filter(({ message }) => message === 'request failed');
  await until(() => failures().length === 3, 'three lines');
  expect(failures().map(({ fields }) => (fields['err'] as Error).message)).toEqual([
    'The handler of GET /obedient took longer than 20 ms.',
    'The handler of GET /late took longer than 20 ms.',
    'much later',
  ]);
});

test('a stream that a handler returns after its time is ended', async () => {
  let cancelled = 0;
  const late = {
    '/node': new Readable({ read() {}, destroy: (error, done) => (cancelled++, done(error)) }),
    '/web': new ReadableStream({ cancel: () => void cancelled++ }),
    '/response': new Response(new ReadableStream({ cancel: () => void cancelled++ })),
  };
  const url = await serve(
    (router) => {
      for (const [path, body] of Object.entries(late))
        router.get(path, () => new Promise((resolve) => setTimeout(resolve, 40, body)));
    },
    { handlerTimeout: 20 },
  );
  for (const path of Object.keys(late)) expect((await fetch(url + path)).status).toBe(503);
  await until(() => cancelled === 3, 'the end of all three');
});

test.each(['25d', 'soon', -1])('the timeout %j of a route is refused at boot', async (timeout) => {
  const options = { timeout } as unknown as RouteOptions;
  await expect(serve((router) => router.get('/', options, () => 'x'))).rejects.toThrow(
    /timeout of GET|not a duration/i,
  );
});
