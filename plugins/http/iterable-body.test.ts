import { afterEach, describe, expect, test } from '@jest/globals';
import {
  answer,
  definePlugin,
  HttpMiddleware,
  HttpServer,
  type Middleware,
  plugin,
  type Router,
  Type,
} from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest } from '../../kernel/testing/index.js';
import compression from '../middleware/compression/index.js';
import http, { type HttpOptions } from './index.js';

let app: BootedTestApp | undefined;
afterEach(async () => {
  await app?.stop();
  app = undefined;
});

const Row = Type.Object({ id: Type.Integer() });
const secret = { id: 1, secret: 'hush' };
async function* rows() {
  yield secret;
  yield { ...secret, id: 2 };
}
async function* none() {}
async function* words() {
  yield 'one ';
  yield '';
  yield Buffer.from('two');
}

let ended = 0;
async function* endless() {
  try {
    for (let id = 0; ; id++) yield { id, filler: 'x'.repeat(10_000) };
  } finally {
    ended++;
  }
}

function register(router: Router) {
  router.get('/lines', () => rows());
  router.get('/values', () => new Map([[1, 2n]]).values());
  router.get('/set', (ctx) => void (ctx.body = rows()));
  router.get('/words', () => words());
  router.get('/none', () => none());
  router.get('/list', { output: Type.Array(Row) }, () => rows());
  router.get('/list/set', { output: Type.Array(Row) }, (ctx) => void (ctx.body = rows()));
  router.get('/list/none', { output: Type.Array(Row) }, () => none());
  router.get('/list/words', { output: Type.Array(Type.String()) }, () => ['a', 'b'].values());
  router.get('/text', { output: Type.String() }, () => ['a', 'b'].values());
  router.get('/one', { output: Row }, (() => rows()) as never);
  router.get(
    '/declared',
    { responses: { 200: { content: { 'application/x-ndjson': Row, 'text/csv': Type.String() } } } },
    () => answer(200, rows()),
  );
  router.get(
    '/declared/plain',
    { responses: { 200: { content: { 'text/csv': Type.String(), 'application/jsonl': Row } } } },
    () => rows(),
  );
  router.get(
    '/declared/set',
    { responses: { 200: { content: { 'application/jsonl': Row } } } },
    (ctx) => void (ctx.body = rows()),
  );
  router.get(
    '/csv',
    { responses: { 200: { content: { 'application/x-ndjson': Row, 'text/csv': Type.String() } } } },
    () => answer(200, ['id\n', '1\n'].values(), { type: 'text/csv' }),
  );
  router.get('/mixed', () => ['a', 1].values());
  router.get('/late', async function* () {
    yield 1;
    throw new Error('later');
  });
  router.get('/refused', async function* (ctx) {
    ctx.throw(409, 'Not now.');
    yield 1;
  });
  router.get('/endless', () => endless());
}

async function serve(
  fastPath: HttpOptions['fastPath'] = 'full',
  more: Parameters<typeof bootTestApp>[0]['plugins'] = [],
) {
  const entry = plugin(() => Promise.resolve(http), { port: 0, fastPath });
  app = await bootTestApp({ plugins: [entry, ...more, routesUnderTest(register)] });
  return app.services.get(HttpServer).url;
}

async function got(url: string, init?: RequestInit) {
  const response = await fetch(url, init);
  return [response.status, response.headers.get('content-type'), await response.text()];
}

const NDJSON = 'application/x-ndjson; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const whole = '{"id":1,"secret":"hush"}\n{"id":2,"secret":"hush"}\n';

describe('what a generator or an iterator gives is sent item by item', () => {
  test.each(['full', 'public', 'off'] as const)('with the fast path %s', async (fastPath) => {
    const url = await serve(fastPath);
    expect(await got(`${url}/lines`)).toEqual([200, NDJSON, whole]);
    expect(await got(`${url}/values`)).toEqual([200, NDJSON, '"2"\n']);
    expect(await got(`${url}/set`)).toEqual([200, NDJSON, whole]);
    expect(await got(`${url}/words`)).toEqual([200, TEXT, 'one two']);
    expect(await got(`${url}/none`)).toEqual([200, NDJSON, '']);
    expect(await got(`${url}/lines`, { method: 'HEAD' })).toEqual([200, NDJSON, '']);
    expect(await got(`${url}/list`)).toEqual([200, JSON_TYPE, '[{"id":1},{"id":2}]']);
    expect(await got(`${url}/list/set`)).toEqual([200, JSON_TYPE, '[{"id":1},{"id":2}]']);
    expect(await got(`${url}/list/none`)).toEqual([200, JSON_TYPE, '[]']);
    expect(await got(`${url}/list/words`)).toEqual([200, JSON_TYPE, '["a","b"]']);
    expect(await got(`${url}/text`)).toEqual([200, TEXT, 'ab']);
    expect(await got(`${url}/declared`)).toEqual([200, 'application/x-ndjson', '{"id":1}\n{"id":2}\n']);
    for (const path of ['plain', 'set']) {
      expect(await got(`${url}/declared/${path}`)).toEqual([200, 'application/jsonl', '{"id":1}\n{"id":2}\n']);
    }
    expect(await got(`${url}/csv`)).toEqual([200, 'text/csv; charset=utf-8', 'id\n1\n']);
    expect((await got(`${url}/refused`)).slice(0, 2)).toEqual([409, 'application/problem+json']);
  });

  test('compressed, too', async () => {
    const url = await serve('full', [plugin(() => Promise.resolve(compression), {})]);
    const response = await fetch(`${url}/lines`, { headers: { 'accept-encoding': 'gzip' } });
    expect([response.headers.get('content-encoding'), await response.text()]).toEqual(['gzip', whole]);
  });

  test('also behind a proxy that collects answers, unless it is one value of JSON or a middleware says otherwise', async () => {
    const own: Middleware = (ctx, next) => {
      if (ctx.path === '/set') ctx.set('X-Accel-Buffering', 'yes');
      return next();
    };
    const collecting = definePlugin({
      id: 'collecting',
      category: 'middleware',
      description: 'Lets a proxy collect one answer',
      needs: ['http'],
      register: ({ contribute }) => contribute(HttpMiddleware, () => ({ name: 'collecting', handle: own })),
    });
    const url = await serve('full', [collecting]);
    const collected = async (path: string) => (await fetch(url + path)).headers.get('x-accel-buffering');
    expect(await Promise.all(['/lines', '/words', '/list', '/set'].map(collected))).toEqual(['no', 'no', null, 'yes']);
  });

  test('and what the declaration has no place for is an error and no silence', async () => {
    const url = await serve();
    expect((await got(`${url}/one`))[0]).toBe(500);
    await expect(got(`${url}/late`)).rejects.toThrow('e');
    await expect(got(`${url}/mixed`)).rejects.toThrow('e');
  });

  test('no faster than it is read, and no longer', async () => {
    const url = await serve();
    const leaving = new AbortController();
    const response = await fetch(`${url}/endless`, { signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    await app?.stop();
    app = undefined;
    expect(ended).toBe(1);
  });
});
