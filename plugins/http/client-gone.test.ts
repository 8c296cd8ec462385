import { once } from 'node:events';
import { connect as connectHttp2, constants } from 'node:http2';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { HttpServer, plugin, type Router } from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest } from '../../kernel/testing/index.js';
import { until } from '../../kernel/testing/until.js';
import logging from '../middleware/logging/index.js';
import recovery from '../middleware/recovery/index.js';
import http from './index.js';

const running: BootedTestApp[] = [];
afterEach(async () => {
  for (const app of running.splice(0)) await app.stop();
});

async function serve(register: (router: Router) => void, withRecovery: boolean, options: object = {}) {
  const app = await bootTestApp({
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0, http2: true, ...options }),
      ...(withRecovery ? [plugin(() => Promise.resolve(recovery))] : []),
      plugin(() => Promise.resolve(logging)),
      routesUnderTest(register),
    ],
  });
  running.push(app);
  const { url, port } = app.services.get(HttpServer);
  return { app, url, port };
}

const errors = (app: BootedTestApp) => app.log.lines.filter(({ level }) => level === 'error' || level === 'warn');

describe.each(['off', 'public', 'full'])('fast path %s', (fastPath) => {
  describe.each([false, true])('with recovery: %s', (withRecovery) => {
    /** What a handler may be doing when its client goes away. */
    const WORK: Readonly<Record<string, (signal: AbortSignal, body: AsyncIterable<unknown>) => Promise<unknown>>> = {
      'waits with the signal': (signal) => sleep(60_000, undefined, { signal }),
      'throws its reason': async (signal) => {
        await once(signal, 'abort');
        signal.throwIfAborted();
      },
      'wraps it': (signal) =>
        sleep(60_000, undefined, { signal }).catch((cause: unknown) => {
          throw new Error('The stock cannot be read.', { cause });
        }),
      'reads the body': async (_signal, body) => {
        for await (const chunk of body) void chunk;
      },
    };

    test.each(Object.keys(WORK))(
      'a client that leaves while the handler %s is no error of the program',
      async (work) => {
        let begun = 0;
        const { app, url, port } = await serve(
          (router) => {
            router.post('/', (ctx) => {
              begun++;
              return WORK[work]?.(ctx.signal, ctx.req);
            });
          },
          withRecovery,
          { fastPath },
        );
        const socket = connect(port, '127.0.0.1');
        socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf');
        await until(() => begun === 1, 'the first request');
        socket.destroy();
        const session = connectHttp2(url);
        const stream = session.request({ ':method': 'POST' });
        stream.on('error', () => {}).write('half');
        await until(() => begun === 2, 'the second request');
        stream.destroy();
        const answered = () => app.log.lines.filter(({ message }) => message === 'request');
        await until(() => answered().length === 2, 'two lines');
        session.destroy();
        expect(answered().map(({ fields }) => fields['status'])).toEqual([499, 499]);
        expect(app.log.messages('debug')).toContain('the client went away');
        expect(errors(app)).toEqual([]);
        if (withRecovery) expect(app.diagnostics.get('recovery')).toMatchObject({ status: 'ok' });
      },
    );

    test('work that goes on behind a whole answer keeps its signal', async () => {
      const signals: AbortSignal[] = [];
      const closed: Promise<unknown>[] = [];
      const { url } = await serve(
        (router) => {
          router.get('/', (ctx) => {
            signals.push(ctx.signal);
            closed.push(once(ctx.res, 'close'));
            return { a: 1 };
          });
        },
        withRecovery,
        { fastPath },
      );
      expect(await (await fetch(url)).json()).toEqual({ a: 1 });
      await Promise.all(closed);
      expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    });

    test.each(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'])(
      '%s of an upstream, while the client waits, is one',
      async (code) => {
        const { app, url } = await serve(
          (router) => {
            router.get('/', () => {
              throw Object.assign(new Error('the database went away'), { code });
            });
          },
          withRecovery,
          { fastPath },
        );
        expect((await fetch(url)).status).toBe(500);
        expect(errors(app)).toMatchObject([{ level: 'error', fields: { err: { code } } }]);
      },
    );
  });
});

test.each(['HTTP/1.1', 'HTTP/2'])(
  'a body that its client left before anything read it ends its request: %s',
  async (version) => {
    let [begun, ended] = [0, 0];
    const { app, url, port } = await serve(
      (router) => {
        router.use(async (ctx, next) => {
          begun++;
          await new Promise((closed) => ctx.req.once('close', closed));
          await next().finally(() => ended++);
        });
        router.post('/', { input: { body: Type.Object({ a: Type.Integer() }) } }, () => 1);
      },
      true,
      { requestTimeout: 0 },
    );
    const type = 'application/json';
    if (version === 'HTTP/2') {
      const session = connectHttp2(url);
      const stream = session.request({ ':method': 'POST', 'content-type': type });
      stream.on('error', () => {}).write('{"a"');
      await until(() => begun === 1, 'request');
      stream.close(constants.NGHTTP2_CANCEL);
      await until(() => ended === 1, 'end of the middleware');
      session.destroy();
    } else {
      const socket = connect(port, '127.0.0.1');
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\n{"a"`);
      await until(() => begun === 1, 'request');
      socket.destroy();
      await until(() => ended === 1, 'end of the middleware');
    }
    expect(errors(app)).toEqual([]);
  },
);
