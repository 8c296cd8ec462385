import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import cors from '@koa/cors';
import helmet from 'koa-helmet';
import { Type } from 'typebox';
import {
  type AnyMiddleware,
  bootApp,
  defineApp,
  HttpServer,
  type Middleware,
  plugin,
  type Router,
} from '../../kernel/index.js';
import {
  bootTestApp,
  type BootedTestApp,
  RecordingLogger,
  routesUnderTest,
  sendRaw,
} from '../../kernel/testing/index.js';
import { until } from '../../kernel/testing/until.js';
import http, { type HttpOptions } from './index.js';

const running: BootedTestApp[] = [];

afterEach(async () => {
  for (const app of running.splice(0)) await app.stop();
});

interface Setup {
  readonly options?: Partial<HttpOptions>;
  readonly middlewares?: readonly AnyMiddleware[];
}

async function serve(register: (router: Router) => void, { options = {}, middlewares = [] }: Setup = {}) {
  const app = routesUnderTest(register, middlewares);
  const booted = await bootTestApp({ plugins: [plugin(() => Promise.resolve(http), { port: 0, ...options }), app] });
  running.push(booted);
  return { app: booted, server: booted.services.get(HttpServer), url: booted.services.get(HttpServer).url };
}

/** A promise that the test settles itself. */
function deferred<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => (resolve = settle));
  return { promise, resolve };
}

const json = { 'Content-Type': 'application/json' };

describe('routing', () => {
  test('answers literal, parameter and wildcard routes with decoded parameters', async () => {
    const { url } = await serve((router) => {
      router.get('/api/products', () => ({ list: true }));
      router.get('/api/products/:id', { encodedSlashes: true }, (ctx) => ({ id: ctx.params.id }));
      router.get('/files/*path', (ctx) => ({ path: ctx.params.path }));
    });
    expect(await (await fetch(`${url}/api/products`)).json()).toEqual({ list: true });
    expect(await (await fetch(`${url}/api/products/`)).json()).toEqual({ list: true });
    expect(await (await fetch(`${url}/api/products/a%20b%2Fc`)).json()).toEqual({ id: 'a b/c' });
    expect(await (await fetch(`${url}/files/a/b/c.txt?x=1`)).json()).toEqual({ path: 'a/b/c.txt' });
    expect(await (await fetch(`${url}/files`)).json()).toEqual({ path: '' });
  });

  test('lets the route that was registered first win between a literal and a parameter', async () => {
    const { url, app } = await serve((router) => {
      router.get('/a/:id', () => 'param');
      router.get('/a/me', () => 'literal');
      router.get('/b/me', () => 'literal');
      router.get('/b/:id', () => 'param');
    });
    expect(await (await fetch(`${url}/a/me`)).text()).toBe('param');
    expect(await (await fetch(`${url}/b/me`)).text()).toBe('literal');
    expect(app.log.messages('warn')).toEqual(['route never answers: GET /a/me (by /a/:id) is registered earlier']);
    expect(app.diagnostics.get('router')).toMatchObject({ status: 'degraded', notes: ['GET /a/me (by /a/:id)'] });
  });

  test('goes back from a literal branch that leads nowhere', async () => {
    const { url } = await serve((router) => {
      router.get('/x/y/z', () => 'literal');
      router.get('/x/:name/w', (ctx) => ctx.params.name);
    });
    expect(await (await fetch(`${url}/x/y/w`)).text()).toBe('y');
  });

  test('answers 404 as problem+json, with the headers of the middlewares', async () => {
    const mark: Middleware = (ctx, next) => {
      ctx.set('X-Mark', 'yes');
      return next();
    };
    const { url } = await serve(() => {}, { middlewares: [mark] });
    const response = await fetch(`${url}/nothing/here?x=1`);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('x-mark')).toBe('yes');
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'No route matches GET /nothing/here.',
      instance: '/nothing/here',
      code: 'FW_HTTP_NOT_FOUND',
    });
  });

  test('answers HEAD from GET, OPTIONS with Allow, and 405 with Allow', async () => {
    const { url } = await serve((router) => {
      router.get('/r/:id', () => ({ some: 'body' }));
      router.delete('/r/:id', () => ({}));
    });
    const head = await fetch(`${url}/r/1`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '15', '']);
    const options = await fetch(`${url}/r/1`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, DELETE, HEAD, OPTIONS']);
    const put = await fetch(`${url}/r/1`, { method: 'PUT' });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, DELETE, HEAD, OPTIONS']);
    expect(await put.json()).toMatchObject({ code: 'FW_HTTP_METHOD_NOT_ALLOWED' });
  });

  test('refuses a path that is not valid percent-encoding with 400', async () => {
    const { server } = await serve((router) => router.get('/r/:id', () => 'ok'));
    for (const path of ['/r/%zz', '/r/%', '/r/%ff']) {
      const answer = await sendRaw(server.port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('FW_HTTP_PATH_MALFORMED');
    }
  });

  test('reads a request target in absolute form', async () => {
    const { server } = await serve((router) => router.get('/r', () => 'found'));
    const answer = await sendRaw(server.port, 'GET http://x/r?a=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*found$/);
  });

  test('refuses at boot a second route of the same shape, naming both', async () => {
    const booting = serve((router) => {
      router.get('/users/:id', () => 1);
      router.get('/users/:name', () => 2);
    });
    await expect(booting).rejects.toMatchObject({
      code: 'FW_HTTP_ROUTE_TWICE',
      message: expect.stringMatching(
        /^GET \/users\/:name of routes under test \(plugins\/http\/http\.test\.ts:\d+\) is registered already, as GET \/users\/:id of routes under test \(plugins\/http\/http\.test\.ts:\d+\)\. Remove one/,
      ),
    });
  });

  test.each([
    ['users', 'it must start with "/"'],
    ['/a//b', 'it has an empty segment ("//")'],
    ['/a/*rest/b', 'a *wildcard must be the last segment'],
    ['/:a/:a', 'the parameter "a" appears twice'],
    ['/:__proto__', '"__proto__" cannot be the name of a parameter'],
    ['/a?b', 'a path has no query and no fragment; declare a query with `input: { query }`'],
    ['/50%', 'no path that is answered holds "50%" (FW_HTTP_PATH_MALFORMED)'],
    ['/a/../b', 'no path that is answered holds ".." (FW_HTTP_PATH_AMBIGUOUS)'],
    ['/a/b%2fc', 'no path that is answered holds "b%2fc" (FW_HTTP_PATH_AMBIGUOUS)'],
  ])('refuses at boot the pattern %s and says why', async (path, problem) => {
    await expect(serve((router) => router.get(path, () => 1))).rejects.toMatchObject({
      code: 'FW_HTTP_ROUTE_PATTERN',
      details: { pattern: path, problem },
    });
  });

  test('gives groups a prefix, tags and middlewares, and nests them', async () => {
    const seen: string[] = [];
    const note =
      (name: string): Middleware =>
      (_ctx, next) => (seen.push(name), next());
    const { url, server } = await serve((router) => {
      router.group('/api', { tags: ['api'] }, note('outer'), (api) => {
        api.group('/admin', note('inner'), (admin) => {
          admin.get('/', { tags: ['admin'], use: [note('own')] }, () => 'admin');
        });
      });
      router.get('/plain', note('route'), () => 'plain');
    });
    expect(await (await fetch(`${url}/api/admin`)).text()).toBe('admin');
    expect(await (await fetch(`${url}/plain`)).text()).toBe('plain');
    expect(seen).toEqual(['outer', 'inner', 'own', 'route']);
    expect(server.routes()).toMatchObject([
      { method: 'GET', path: '/api/admin', middlewares: 3, tags: ['api', 'admin'], module: 'routes under test' },
      { method: 'GET', path: '/plain', middlewares: 1, tags: [] },
    ]);
  });
});

describe('responses', () => {
  test('sends returned values as JSON, text as text/plain, and honours the status of the route', async () => {
    const { url } = await serve((router) => {
      router.post('/created', { status: 201 }, () => ({ id: 1 }));
      router.get('/text', () => '<b>x</b>');
      router.get('/number', () => 42);
      router.get('/koa', (ctx) => {
        ctx.status = 202;
        ctx.body = { by: 'koa' };
      });
      router.delete('/gone', { status: 204 }, () => undefined);
    });
    const created = await fetch(`${url}/created`, { method: 'POST' });
    expect([created.status, await created.json()]).toEqual([201, { id: 1 }]);
    const text = await fetch(`${url}/text`);
    expect([text.headers.get('content-type'), await text.text()]).toEqual(['text/plain; charset=utf-8', '<b>x</b>']);
    const number = await fetch(`${url}/number`);
    expect([number.headers.get('content-type'), await number.text()]).toEqual([
      'application/json; charset=utf-8',
      '42',
    ]);
    const koa = await fetch(`${url}/koa`);
    expect([koa.status, await koa.json()]).toEqual([202, { by: 'koa' }]);
    expect((await fetch(`${url}/gone`, { method: 'DELETE' })).status).toBe(204);
  });

  describe.each(['full', 'public', 'off'] as const)('on the path %s', (fastPath) => {
    class Row {
      constructor(readonly id = 9_007_199_254_740_993n) {}
    }

    test('bigints are text in JSON, as in the schema of a model', async () => {
      const { url } = await serve(
        (router) => {
          router.get('/object', () => ({ id: 9_007_199_254_740_993n, list: [1n], at: new Date(0), none: null }));
          router.get('/row', () => new Row());
          router.get('/rows', () => [new Row(), new Row(2n)]);
          router.get('/alone', () => 5n);
          router.get('/koa', (ctx) => {
            ctx.body = 5n;
          });
          router.get('/problem', (ctx) => {
            ctx.type = 'application/problem+json';
            ctx.status = 202;
            return new Row();
          });
          router.get('/empty', (ctx) => {
            ctx.body = new Row();
            ctx.status = 204;
          });
        },
        { options: { fastPath } },
      );
      const expected = {
        '/object': [
          200,
          { id: '9007199254740993', list: ['1'], at: '1970-01-01T00:00:00.000Z', none: null },
          'application/json; charset=utf-8',
        ],
        '/row': [200, { id: '9007199254740993' }, 'application/json; charset=utf-8'],
        '/rows': [200, [{ id: '9007199254740993' }, { id: '2' }], 'application/json; charset=utf-8'],
        '/alone': [200, '5', 'application/json; charset=utf-8'],
        '/koa': [200, '5', 'application/json; charset=utf-8'],
        '/problem': [202, { id: '9007199254740993' }, 'application/problem+json'],
      };
      for (const [path, answer] of Object.entries(expected)) {
        const response = await fetch(`${url}${path}`);
        const { status, headers } = response;
        expect([path, status, await response.json(), headers.get('content-type')]).toEqual([path, ...answer]);
        const head = await fetch(`${url}${path}`, { method: 'HEAD' });
        expect([path, head.status, head.headers.get('content-length')]).toEqual([
          path,
          status,
          String(Buffer.byteLength(JSON.stringify(answer[1]))),
        ]);
      }
      expect((await fetch(`${url}/empty`)).status).toBe(204);
    });

    test('what JSON cannot say is a coded error that names the route and tells the client nothing', async () => {
      const circle: Record<string, unknown> = {};
      circle['self'] = circle;
      const { url, app } = await serve(
        (router) => {
          router.get('/circle/:id', () => circle);
          router.get('/row', () => Object.assign(new Row(), circle));
          router.get('/function', () => (() => 1) as never);
          router.get('/symbol', () => Symbol('secret') as never);
        },
        { options: { fastPath } },
      );
      const reasons = {
        '/circle/1': ['/circle/:id', /circular structure/],
        '/row': ['/row', /circular structure/],
        '/function': ['/function', /JSON has no form for a function/],
        '/symbol': ['/symbol', /JSON has no form for a symbol/],
      } as const;
      for (const [path, [route, reason]] of Object.entries(reasons)) {
        const response = await fetch(`${url}${path}`);
        expect([response.status, await response.json()]).toEqual([
          500,
          {
            type: 'about:blank',
            title: 'Internal Server Error',
            status: 500,
            instance: path,
            code: 'FW_HTTP_BODY_UNWRITABLE',
          },
        ]);
        const { message } = app.log.lines.at(-1)?.fields['err'] as Error;
        expect(message).toContain(`What GET ${route} answers cannot be written as JSON: `);
        expect(message).toMatch(reason);
      }
    });
  });

  test('says that a handler returned nothing, and leaves alone what was said', async () => {
    const later: Middleware = async (ctx, next) => {
      await next();
      ctx.body = 'said by a middleware';
    };
    const { url } = await serve((router) => {
      router.get('/nothing', () => undefined);
      router.get('/later', async () => {});
      router.get('/null', () => null);
      router.get('/explicit', (ctx) => {
        ctx.status = 404;
      });
      router.get('/own', (ctx) => {
        ctx.respond = false;
        ctx.res.statusCode = 404;
        ctx.res.end('own');
      });
      router.get('/wrapped', later, () => undefined);
    });
    for (const path of ['/nothing', '/later']) {
      const response = await fetch(`${url}${path}`);
      expect([response.status, response.headers.get('content-type'), await response.json()]).toEqual([
        404,
        'application/problem+json',
        {
          type: 'about:blank',
          title: 'Not Found',
          status: 404,
          detail: `GET ${path} has no answer: its handler returned undefined.`,
          instance: path,
          code: 'FW_HTTP_NO_ANSWER',
        },
      ]);
    }
    const told = async (path: string) => {
      const response = await fetch(`${url}${path}`);
      return [response.status, await response.text()];
    };
    expect(await told('/null')).toEqual([200, 'null']);
    expect(await told('/explicit')).toEqual([404, 'Not Found']);
    expect(await told('/own')).toEqual([404, 'own']);
    expect(await told('/wrapped')).toEqual([200, 'said by a middleware']);
  });

  test('refuses at boot an input that is typed as a bigint and would arrive as text', async () => {
    const body = Type.Object({ lines: Type.Array(Type.Object({ id: Type.BigInt() })) });
    await expect(serve((router) => router.post('/x', { input: { body } }, () => 1))).rejects.toMatchObject({
      code: 'FW_HTTP_INPUT_BIGINT',
      message: expect.stringContaining('POST /x declares a bigint in input.body'),
    });
  });

  test('turns every thrown value into a response whose body says nothing about the cause', async () => {
    const secret = new Error('password is hunter2');
    const throwers: Record<string, unknown> = { error: secret, text: 'hunter2', nothing: null, object: { hunter2: 1 } };
    const { url, app } = await serve((router) => {
      for (const [name, value] of Object.entries(throwers)) {
        router.get(`/${name}`, () => {
          throw value;
        });
      }
    });
    for (const name of Object.keys(throwers)) {
      const response = await fetch(`${url}/${name}`);
      expect([response.status, response.headers.get('content-type')]).toEqual([500, 'application/problem+json']);
      expect(await response.text()).not.toContain('hunter2');
    }
    expect(app.log.messages('error')).toHaveLength(4);
  });

  test('keeps the status, text and headers of errors that are made for clients', async () => {
    const { url } = await serve((router) => {
      router.get('/teapot', (ctx) => ctx.throw(418, 'short and stout', { headers: { 'X-Spout': 'here' } }));
      router.get('/down', (ctx) => ctx.throw(503, 'the database is on fire'));
    });
    const teapot = await fetch(`${url}/teapot`);
    expect(teapot.headers.get('x-spout')).toBe('here');
    expect(await teapot.json()).toMatchObject({ status: 418, title: "I'm a Teapot", detail: 'short and stout' });
    expect(await (await fetch(`${url}/down`)).json()).toEqual({
      type: 'about:blank',
      title: 'Service Unavailable',
      status: 503,
      instance: '/down',
    });
  });

  test('cuts the connection when a stream fails after the status is out', async () => {
    const { url } = await serve((router) => {
      router.get('/stream', (ctx) => {
        ctx.res.writeHead(200);
        ctx.res.write('half');
        throw new Error('no more');
      });
    });
    await expect(fetch(`${url}/stream`).then((response) => response.text())).rejects.toThrow();
  });

  test.each(['full', 'public', 'off'] as const)(
    'logs a stream that fails midway once, and tells error trackers once, fastPath %s',
    async (fastPath) => {
      const { app, server, url } = await serve(
        (router) => {
          router.get('/stream', async function* () {
            yield 'half';
            await new Promise((resolve) => setTimeout(resolve, 20));
            throw new Error('no more');
          });
        },
        { options: { fastPath } },
      );
      const told: unknown[] = [];
      server.koa.on('error', (error: Error) => told.push(error.message));
      await expect(fetch(`${url}/stream`).then((response) => response.text())).rejects.toThrow();
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect([told, app.log.messages('error')]).toEqual([['no more'], ['request failed']]);
    },
  );

  test('runs npm Koa middlewares unchanged, globally and on one route [MW-SHAPE-01]', async () => {
    const { url } = await serve(
      (router) => {
        router.get('/x', cors({ origin: 'https://shop.example' }), () => ({}));
      },
      { middlewares: [helmet()] },
    );
    const response = await fetch(`${url}/x`, { headers: { Origin: 'https://shop.example' } });
    expect(response.headers.get('access-control-allow-origin')).toBe('https://shop.example');
    expect(response.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect((await fetch(`${url}/missing`)).headers.get('x-frame-options')).toBe('SAMEORIGIN');
  });

  test('aborts ctx.signal when the client goes away', async () => {
    const aborted = deferred<void>();
    const entered = deferred<void>();
    const { url } = await serve((router) => {
      router.get('/wait', async (ctx) => {
        ctx.signal.addEventListener('abort', () => aborted.resolve());
        entered.resolve();
        await aborted.promise;
      });
    });
    const controller = new AbortController();
    const answer = fetch(`${url}/wait`, { signal: controller.signal });
    await entered.promise;
    controller.abort();
    await expect(answer).rejects.toThrow();
    await aborted.promise;
  });
});

describe('inputs', () => {
  const order = Type.Object({
    customer: Type.String({ minLength: 1 }),
    lines: Type.Array(Type.Object({ sku: Type.String(), quantity: Type.Integer({ minimum: 1 }) })),
    note: Type.Optional(Type.String()),
  });

  const shop = (router: Router) => {
    router.post(
      '/orders/:id',
      {
        input: {
          params: Type.Object({ id: Type.Integer() }),
          query: Type.Object({ dry: Type.Optional(Type.Boolean()), tag: Type.Optional(Type.Array(Type.String())) }),
          header: Type.Object({ 'X-Tenant': Type.String() }),
          body: order,
        },
      },
      (ctx) => ({ ...ctx.input }),
    );
  };

  test('binds and coerces every source, and drops what no schema names', async () => {
    const { url } = await serve(shop);
    const response = await fetch(`${url}/orders/7?dry=on&tag=a&other=1`, {
      method: 'POST',
      headers: { ...json, 'x-tenant': 't1' },
      body: JSON.stringify({ customer: 'c', lines: [{ sku: 's', quantity: 2, price: 0 }], admin: true }),
    });
    expect(await response.json()).toEqual({
      params: { id: 7 },
      query: { dry: true, tag: ['a'] },
      header: { 'X-Tenant': 't1' },
      body: { customer: 'c', lines: [{ sku: 's', quantity: 2 }] },
    });
  });

  test('answers 422 with every invalid field of every source', async () => {
    const { url } = await serve(shop);
    const response = await fetch(`${url}/orders/x?dry=perhaps`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ lines: [{ sku: 's', quantity: '2' }], note: 5 }),
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([422, 'application/problem+json']);
    const problem = (await response.json()) as { title: string; detail: string; errors: object[] };
    expect(problem.title).toBe('Validation Failed');
    expect(problem.detail).toBe('6 of the inputs are not valid; see errors.');
    expect(problem.errors).toEqual([
      { in: 'params', field: 'id', rule: 'type', message: 'must be an integer' },
      { in: 'query', field: 'dry', rule: 'type', message: 'must be a boolean' },
      { in: 'header', field: 'X-Tenant', rule: 'required', message: 'is required' },
      { in: 'body', field: 'customer', rule: 'required', message: 'is required' },
      { in: 'body', field: 'lines.0.quantity', rule: 'type', message: 'must be an integer' },
      { in: 'body', field: 'note', rule: 'type', message: 'must be a string' },
    ]);
  });

  test('says of one invalid field that it is one', async () => {
    const { url } = await serve(echo);
    const { status, detail } = (await (await post(url, '{"a":"x"}')).json()) as { status: number; detail: string };
    expect([status, detail]).toEqual([422, 'One of the inputs is not valid; see errors.']);
  });

  const echo = (router: Router) => {
    const body = Type.Object({ a: Type.Optional(Type.Integer()) }, { additionalProperties: true });
    router.post('/echo', { input: { body }, bodyLimit: 100 }, (ctx) => ({ got: ctx.input.body }));
  };
  const post = (url: string, body: string | Uint8Array, type: string | undefined = 'application/json', more = {}) =>
    fetch(`${url}/echo`, { method: 'POST', body, headers: { ...(type && { 'Content-Type': type }), ...more } });

  test.each([
    ['{"a": 1', 400, 'it is malformed at position 7'],
    ['', 422, 'is required'],
    ['  ', 400, 'it is empty'],
    ['{"a": 1,}', 400, 'it is malformed at position 8'],
    [new Uint8Array([0x22, 0xff, 0x22]), 400, 'it is not valid UTF-8'],
    [`{"a": "${'x'.repeat(100)}"}`, 413, 'The request body is larger than 100 bytes.'],
  ])('answers the JSON body %p with %d', async (body, status, words) => {
    const { url } = await serve(echo);
    const response = await post(url, body);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(words);
  });

  test.each([
    ['text/plain', {}, 'text/plain'],
    ['application/json; charset=utf-16', {}, 'charset utf-16'],
    ['application/json', { 'Content-Encoding': 'gzip' }, 'Content-Encoding'],
  ])('answers the content type %s with 415 and says what it reads', async (type, more, found) => {
    const { url } = await serve(echo);
    const response = await post(url, '{}', type, more);
    const text = await response.text();
    expect(response.status).toBe(415);
    expect(text).toContain(found);
    expect(text).toContain('application/json');
    expect(response.headers.get('accept-encoding')).toBe('Content-Encoding' in more ? 'identity' : null);
  });

  test('reads application/*+json and urlencoded forms', async () => {
    const { url } = await serve(echo);
    expect(await (await post(url, '{"a":1}', 'application/merge-patch+json')).json()).toEqual({ got: { a: 1 } });
    const form = await post(url, 'a=5&b=x&b=y', 'application/x-www-form-urlencoded; charset=UTF-8');
    expect(await form.json()).toEqual({ got: { a: 5, b: ['x', 'y'] } });
    expect((await post(url, 'a=%zz', 'application/x-www-form-urlencoded')).status).toBe(400);
  });

  test('counts the bytes of a body without a declared length, and answers 413', async () => {
    const { server } = await serve(echo);
    const chunk = 'x'.repeat(101);
    const head =
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const answer = await sendRaw(server.port, `${head}65\r\n${chunk}\r\n0\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('Connection: close');
  });

  test('says that the body is gone when a middleware has read it and left nothing', async () => {
    const drain: Middleware = async (ctx, next) => {
      for await (const _chunk of ctx.req);
      await next();
    };
    const { app, url } = await serve(echo, { middlewares: [drain] });
    expect((await post(url, '{"a":1}')).status).toBe(500);
    expect(app.log.lines.find(({ message }) => message === 'request failed')?.fields['err']).toMatchObject({
      code: 'FW_HTTP_BODY_TAKEN',
      message: expect.stringMatching(/^The request body was read before the route could: POST \/echo declares/),
    });
  });

  test('drops __proto__ and constructor from bodies and queries, however they are spelt', async () => {
    const { url } = await serve((router) => {
      echo(router);
      const query = Type.Object({}, { additionalProperties: true });
      router.get('/query', { input: { query } }, (ctx) => ({ got: ctx.input.query }));
    });
    const body = '{"a":1,"__proto__":{"x":1},"\\u005f_proto__":2,"constructor":{"prototype":{}}}';
    expect(await (await post(url, body)).text()).toBe('{"got":{"a":1}}');
    expect(await (await fetch(`${url}/query?__proto__=1&constructor=2&b=3`)).text()).toBe('{"got":{"b":"3"}}');
  });

  test('drops what a body parser from npm left of __proto__ and constructor, which may be declared', async () => {
    const parse: Middleware = async (ctx, next) => {
      const chunks: Buffer[] = [];
      for await (const chunk of ctx.req) chunks.push(chunk as Buffer);
      (ctx.request as { body?: unknown }).body = JSON.parse(Buffer.concat(chunks).toString());
      await next();
    };
    const register = (router: Router) => {
      const declared = Type.Object({ a: Type.Object({ constructor: Type.Object({}) }) });
      router.post('/echo', { input: { body: Type.Unknown() } }, (ctx) => JSON.stringify(ctx.input.body));
      router.post('/declared', { input: { body: declared } }, (ctx) => JSON.stringify(ctx.input.body));
    };
    const { url } = await serve(register, { middlewares: [parse] });
    const body = '{"__proto__":{"x":1},"a":{"constructor":{},"b":[{"__proto__":1}]}}';
    const sent = async (path: string) => (await fetch(`${url}${path}`, { method: 'POST', headers: json, body })).text();
    expect(await sent('/echo')).toBe('{"a":{"b":[{}]}}');
    expect(await sent('/declared')).toBe('{"a":{"constructor":{}}}');
  });

  test('gives a query that names __proto__ twice, which is a list, no other prototype', async () => {
    const { url } = await serve((router) => {
      const query = Type.Object({}, { additionalProperties: true });
      router.get('/query', { input: { query } }, (ctx) => ({
        isPlain: Object.getPrototypeOf(ctx.input.query) === Object.prototype,
      }));
    });
    expect(await (await fetch(`${url}/query?__proto__=1&__proto__=2`)).json()).toEqual({ isPlain: true });
  });

  test('refuses a body that is nested deeper than depthLimit, whatever its schema', async () => {
    const tree = Type.Cyclic({ Tree: Type.Object({ of: Type.Optional(Type.Array(Type.Ref('Tree'))) }) }, 'Tree');
    const { url } = await serve((router) => {
      router.post('/any', { input: { body: Type.Unknown() } }, () => 'read');
      router.post('/tree', { input: { body: tree } }, (ctx) => ctx.input.body);
    });
    const lists = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const trees = (levels: number) => `${'{"of":['.repeat(levels)}${']}'.repeat(levels)}`;
    const send = async (path: string, body: string) => {
      const response = await fetch(`${url}${path}`, { method: 'POST', headers: json, body });
      return [response.status, ((await response.json().catch(() => ({}))) as { code?: string }).code];
    };
    expect(await send('/any', lists(100))).toEqual([200, undefined]);
    expect(await send('/tree', trees(50))).toEqual([200, undefined]);
    for (const levels of [101, 5000, 100_000]) {
      expect(await send('/any', lists(levels))).toEqual([400, 'FW_HTTP_BODY_TOO_DEEP']);
      expect(await send('/tree', trees(levels))).toEqual([400, 'FW_HTTP_BODY_TOO_DEEP']);
    }
  });
});

describe('the server', () => {
  test('says host and port when the port is in use, and what to do', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const booting = serve(() => {}, { options: { port } });
    await expect(booting).rejects.toMatchObject({
      code: 'FW_HTTP_PORT_IN_USE',
      message: `Port ${port} on 127.0.0.1 is in use. Stop the process that holds it, or set another port: the option \`port\` of the http plugin, or the environment variable PORT; 0 takes any free one.`,
    });
    other.close();
  });

  test('says once that a trusted proxy is no address', async () => {
    const log = new RecordingLogger();
    const plugins = [plugin(() => Promise.resolve(http), { port: 0, trustedProxies: ['proxy.example'] })];
    const config = defineApp({ name: 'test', plugins });
    await expect(bootApp(config, { profile: 'test', log })).rejects.toMatchObject({
      code: 'FW_HTTP_TRUSTED_PROXY',
      message: expect.stringContaining('"proxy.example" in `trustedProxies` is not an address'),
    });
    expect(log.messages('error')).toEqual([]);
  });

  test('finishes running requests when it stops, closes idle connections at once and refuses new ones', async () => {
    const entered = deferred<void>();
    const finish = deferred<void>();
    const { app, server } = await serve((router) => {
      router.get('/slow', async () => {
        entered.resolve();
        await finish.promise;
        return 'done';
      });
    });
    const { port } = server;
    const idle = connect(port, '127.0.0.1').resume();
    await once(idle, 'connect');
    const answer = fetch(`${server.url}/slow`);
    await entered.promise;
    const stopping = app.stop();
    await once(idle, 'close');
    const refused = connect(port, '127.0.0.1');
    await expect(once(refused, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    finish.resolve();
    expect(await (await answer).text()).toBe('done');
    await stopping;
  });

  test('answers requests that have come on idle connections when it stops, and closes those then', async () => {
    const { app, server } = await serve((router) => router.get('/', () => 'ok'));
    const ask = (socket: Socket) => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const clients = Array.from({ length: 5 }, () => connect(server.port, '127.0.0.1').setEncoding('utf8'));
    const answers = clients.map((client) => {
      const answer = { text: '', closed: once(client, 'close') };
      client.on('data', (chunk: string) => (answer.text += chunk));
      return answer;
    });
    for (const client of clients) ask(client);
    await until(() => answers.every(({ text }) => text.endsWith('ok')), 'first answers');
    for (const client of clients) ask(client);
    const stopping = app.stop();
    await Promise.all(answers.map(({ closed }) => closed));
    await stopping;
    for (const { text } of answers) expect(text).toMatch(/ok(HTTP\/1\.1 200 OK)[^]*Connection: close[^]*ok$/);
  });

  test('cuts what still runs at the deadline', async () => {
    const entered = deferred<void>();
    const { app, url } = await serve(
      (router) => {
        router.get('/forever', () => (entered.resolve(), new Promise(() => {})));
      },
      { options: { shutdownTimeout: 30 } },
    );
    const answer = fetch(`${url}/forever`);
    const failed = expect(answer).rejects.toThrow();
    await entered.promise;
    await app.stop();
    await failed;
    expect(app.log.messages('warn')).toEqual(['requests still ran at the deadline; they were cut']);
  });

  test('answers pipelined requests in order, and honours Connection: close and HTTP/1.0', async () => {
    const { server } = await serve((router) => {
      const order = deferred<void>();
      router.get('/slow', async () => {
        await order.promise;
        return 'slow';
      });
      router.get('/fast', () => (order.resolve(), 'fast'));
    });
    const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
    const answer = await sendRaw(server.port, get('/slow') + get('/fast', 'Connection: close\r\n'));
    expect(answer.indexOf('slow')).toBeLessThan(answer.indexOf('fast'));
    expect(answer).toContain('fast');
    expect(await sendRaw(server.port, 'GET /fast HTTP/1.0\r\n\r\n')).toContain('Connection: close');
  });

  test('answers a malformed request with 400 and closes', async () => {
    const { server } = await serve(() => {});
    expect(await sendRaw(server.port, 'NOT HTTP\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close/);
    expect(await sendRaw(server.port, 'GET / HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('answers headers over the limit with 431', async () => {
    const { server } = await serve(() => {}, { options: { maxHeaderSize: 2048 } });
    const answer = await sendRaw(server.port, `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(4096)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });

  test('answers two Host headers with 400 and closes', async () => {
    const { server } = await serve((router) => router.get('/', () => 'ok'));
    const answer = await sendRaw(server.port, 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*FW_HTTP_TWO_HOSTS/);
  });

  test.each(['a b', 'a/b', 'a?b', 'a#b', 'u@a', 'a:b', '::1', '[::1', 'ä', 'a\\b', '"a"', '[::1]x'])(
    'answers the Host %s, which is none, with 400 and closes (RFC 9112, section 3.2)',
    async (host) => {
      const { server } = await serve((router) => router.get('/', () => 'ok'));
      const answer = await sendRaw(server.port, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*FW_HTTP_HOST"/);
    },
  );

  test.each([
    '',
    'a',
    'a.example:',
    'a_b.example:80',
    '127.0.0.1:1',
    '[::1]',
    '[2001:db8::1]:80',
    '[fe80::1%25en0]',
    'a%20b',
    'A~!$&.',
  ])('answers the Host %j', async (host) => {
    const { server } = await serve((router) => router.get('/', () => 'ok'));
    const answer = await sendRaw(server.port, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('answers cookies over the limit with 431', async () => {
    const { server } = await serve(() => {}, { options: { maxHeaderSize: 4096 } });
    const request = `GET / HTTP/1.1\r\nHost: x\r\nCookie: a=${'b'.repeat(8192)}\r\n\r\n`;
    expect(await sendRaw(server.port, request)).toMatch(/^HTTP\/1\.1 431 /);
  });

  test('never sends a header that was smuggled into a value', async () => {
    const { server } = await serve((router) => {
      router.get('/echo', (ctx) => {
        ctx.set('X-Echo', String(ctx.query['x']));
        return 'ok';
      });
    });
    const request = 'GET /echo?x=a%0d%0aX-Evil:%201 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const answer = await sendRaw(server.port, request);
    expect(answer).toMatch(/^HTTP\/1\.1 500 /);
    expect(answer).not.toMatch(/x-evil/i);
  });

  test('cuts a client that sends its headers too slowly', async () => {
    const { server } = await serve(() => {}, { options: { headersTimeout: 50, requestTimeout: 60 } });
    const socket = connect(server.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('answers 408 to a body that takes too long, and closes the connection', async () => {
    const { server } = await serve((router) => router.post('/', { input: { body: Type.Object({}) } }, () => 'never'), {
      options: { requestTimeout: 50 },
    });
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nContent-Type: ';
    const multipart = 'multipart/form-data; boundary=x\r\n\r\n--x';
    for (const rest of ['application/json\r\n\r\n{', multipart]) {
      const answer = await sendRaw(server.port, head + rest);
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toContain('FW_HTTP_REQUEST_TIMEOUT');
    }
  });

  test('closes a connection that is idle, and takes one with a running handler for busy', async () => {
    const released = deferred<void>();
    const { server } = await serve(
      (router) => {
        router.get('/quick', () => 'quick');
        router.get('/slow', async () => {
          await released.promise;
          return 'slow';
        });
      },
      { options: { keepAliveTimeout: 50 } },
    );
    const open = (path: string) => {
      const socket = connect(server.port, '127.0.0.1');
      const connection = { text: '', closed: once(socket, 'close') };
      socket.on('data', (bytes) => (connection.text += String(bytes)));
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      return connection;
    };
    const busy = open('/slow');
    const idle = open('/quick');
    await idle.closed;
    expect(idle.text).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*quick$/);
    expect(busy.text).toBe('');
    released.resolve();
    await busy.closed;
    expect(busy.text).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*slow$/);
  });

  test('joins repeated headers in order', async () => {
    const { server } = await serve((router) => router.get('/h', (ctx) => ctx.headers['x-forwarded-for']));
    const response = deferred<string>();
    const request = httpRequest(`${server.url}/h`, { headers: { 'X-Forwarded-For': ['1.1.1.1', '2.2.2.2'] } });
    request.on('response', async (message) => {
      let text = '';
      for await (const chunk of message) text += String(chunk);
      response.resolve(text);
    });
    request.end();
    expect(await response.promise).toBe('1.1.1.1, 2.2.2.2');
  });

  test('reports its routes to the probe', async () => {
    const { app } = await serve((router) => {
      router.get('/a', () => 1);
      router.post('/a/:id', { blocking: true }, () => 1);
    });
    expect(app.diagnostics.get('router')).toMatchObject({
      status: 'ok',
      detail: { routes: 2, by_method: { GET: 1, POST: 1 }, blocking: 1, non_blocking: 1, with_params: 1 },
    });
  });
});
