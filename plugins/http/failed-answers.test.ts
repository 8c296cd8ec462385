import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Context, Next } from 'koa';
import {
  HttpMiddleware,
  HttpRoutes,
  HttpServer,
  type HttpContext,
  type Middleware,
  definePlugin,
  plugin,
  type Router,
} from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp, sendRaw } from '../../kernel/testing/index.js';
import recovery from '../middleware/recovery/index.js';
import http from './index.js';

type Way = 'full' | 'public' | 'off';
const WAYS: readonly Way[] = ['full', 'public', 'off'];

/** What a handler or middleware does to its response, one step after the other. */
type Step = (ctx: Context) => unknown;
let steps: readonly Step[] = [];
let before: Step = () => {};

const run = async (ctx: HttpContext): Promise<unknown> => {
  for (const step of steps) await step(ctx as unknown as Context);
  return undefined;
};

const outer: Middleware = async (ctx, next) => {
  before(ctx as unknown as Context);
  ctx.set('Cache-Control', 'no-store');
  ctx.set('X-Outer', 'kept');
  ctx.append('Set-Cookie', 'session=1');
  try {
    await next();
  } finally {
    if (!ctx.headerSent) ctx.set('X-After', 'kept');
  }
};

const register = (router: Router) => {
  router.get('/run', run);
  router.get('/alive', () => 'alive');
  router.get('/at-once', (ctx) => {
    for (const step of steps) step(ctx as unknown as Context);
  });
  router.group('/within', async (ctx: HttpContext, next: Next) => {
    ctx.set('X-Group', 'kept');
    await next();
    if (ctx.query['after'] !== undefined) throw new RangeError('after the answer');
  }, (group) => group.get('/run', run)); // prettier-ignore
};

const apps = {} as Record<Way, BootedTestApp>;
const url = (way: Way) => apps[way].services.get(HttpServer).url;
const port = (way: Way) => apps[way].services.get(HttpServer).port;

beforeAll(async () => {
  const application = definePlugin({
    id: 'app',
    category: 'app',
    description: 'Handlers that fail',
    register({ contribute }) {
      contribute(HttpRoutes, () => ({ name: 'app', register }));
      contribute(HttpMiddleware, () => ({ name: 'outer', handle: outer }));
      // Answers by itself, as a router of somebody else does.
      const foreign: Middleware = async (ctx, next) => (ctx.path === '/foreign' ? void (await run(ctx)) : next());
      contribute(HttpMiddleware, () => ({ name: 'foreign', handle: foreign }));
    },
  });
  for (const fastPath of WAYS) {
    apps[fastPath] = await bootTestApp({
      plugins: [plugin(() => Promise.resolve(http), { port: 0, fastPath }), recovery, application],
    });
  }
});

afterAll(async () => {
  for (const way of WAYS) await apps[way].stop();
});

/** Everything about an answer that must not depend on the way. */
async function answerOf(way: Way, path: string, method = 'GET') {
  const raw = await sendRaw(port(way), `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  const isFraming = /^(?:date|connection|keep-alive|content-length|transfer-encoding|trailer):/i;
  const headers = lines.filter((line) => !isFraming.test(line)).map((line) => line.replace(/^[^:]*/, (name) => name.toLowerCase())); // prettier-ignore
  return {
    status,
    headers: headers.sort(),
    body: /^transfer-encoding: chunked$/im.test(head) ? unchunked(rest.join('\r\n\r\n')) : rest.join('\r\n\r\n'),
  };
}

/** Chunks put together: where one ends is a matter of time. What was cut off stays as it came. */
function unchunked(body: string): string {
  const [, size, rest = ''] = /^([0-9a-f]+)\r\n([^]*)$/i.exec(body) ?? [];
  if (size === undefined) return body;
  const length = Number.parseInt(size, 16);
  return length === 0 ? '' : rest.slice(0, length) + unchunked(rest.slice(length + 2));
}

async function answers(path: string, method?: string) {
  const [full, open, off] = [await answerOf('full', path, method), await answerOf('public', path, method), await answerOf('off', path, method)]; // prettier-ignore
  expect(full).toEqual(off);
  expect(open).toEqual(off);
  return off;
}

const ABOUT_THE_ANSWER: Readonly<Record<string, string | string[]>> = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Set-Cookie': ['secret=1', 'other=2'],
  'Content-Disposition': 'attachment; filename="report.pdf"',
  'Content-Encoding': 'br',
  'Content-Language': 'de',
  'Content-Length': '5',
  'Content-Location': '/other',
  'Content-Range': 'bytes 0-1/2',
  'Content-Type': 'application/pdf',
  ETag: '"v1"',
  Expires: 'Thu, 31 Dec 2099 00:00:00 GMT',
  'Last-Modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
  Link: '</next>; rel=next',
  Location: '/elsewhere',
  Refresh: '0; url=/elsewhere',
  'Surrogate-Control': 'max-age=31536000',
  'Transfer-Encoding': 'chunked',
  Trailer: 'X-Sum',
  Vary: 'X-Handler',
  'X-Outer': 'replaced',
  'X-Handler': 'mine',
};

const FAILURES: Readonly<Record<string, Step>> = {
  thrown: () => { throw new Error('boom'); }, // prettier-ignore
  rejected: () => Promise.reject(new TypeError('boom')),
  'thrown with a status': (ctx) => ctx.throw(409, 'taken'),
  'thrown nothing': () => { throw null; }, // prettier-ignore
  'a stream that fails before its first byte': (ctx) =>
    (ctx.body = new Readable({ read() { this.destroy(new Error('disk')); } })), // prettier-ignore
  'a body that is not JSON': (ctx) => (ctx.body = Object.assign([], { toJSON: () => { throw new Error('no'); } })), // prettier-ignore
  'a status that is none': (ctx) => ((ctx.body = 'x'), (ctx.res.statusCode = 99)),
  'no answer': (ctx) => ((ctx.status = 404), (ctx.response as unknown as { _explicitStatus: boolean })._explicitStatus = false), // prettier-ignore
};

describe('what a handler has set for its answer does not go out with an error', () => {
  test.each(Object.entries(FAILURES))('%s', async (_name, fail) => {
    steps = [(ctx) => ctx.set(ABOUT_THE_ANSWER), fail];
    for (const path of ['/run', '/within/run', '/foreign']) {
      if (path === '/foreign' && _name === 'no answer') continue;
      const { status, headers } = await answers(path);
      const names = headers.map((line) => line.slice(0, line.indexOf(':')));
      const group = path.startsWith('/within') ? ['x-group'] : [];
      expect({ path, status: status.slice(9, 10) }).toEqual({ path, status: expect.stringMatching(/[45]/) });
      // A stream fails when the middlewares are done, and what they set after it was for its answer.
      const after = _name.startsWith('a ') ? [] : ['x-after'];
      expect(names).toEqual(['cache-control', 'content-type', 'set-cookie', ...after, ...group, 'x-outer']);
      expect(headers).toEqual(expect.arrayContaining(['cache-control: no-store', 'set-cookie: session=1', 'x-outer: kept'])); // prettier-ignore
    }
  });

  test('also when a middleware fails after the handler has answered', async () => {
    steps = [(ctx) => ctx.set(ABOUT_THE_ANSWER), (ctx) => ctx.remove('Transfer-Encoding'), (ctx) => (ctx.body = 'x')];
    const { status, headers } = await answers('/within/run?after');
    expect(status).toBe('HTTP/1.1 500 Internal Server Error');
    expect(headers).toEqual([
      'cache-control: no-store',
      'content-type: application/problem+json',
      'set-cookie: session=1',
      'x-after: kept',
      'x-group: kept',
      'x-outer: kept',
    ]);
  });

  test('keeps what the error says itself, and what is about errors', async () => {
    steps = [
      (ctx) => ctx.set({ 'Retry-After': '7', 'WWW-Authenticate': 'Bearer', Allow: 'GET', 'X-Handler': 'mine' }),
      (ctx) => ctx.throw(503, 'later', { headers: { 'X-Reason': 'own', 'Cache-Control': 'max-age=5', 'Content-Type': 'text/html' } }), // prettier-ignore
    ];
    expect((await answers('/run')).headers).toEqual([
      'allow: GET',
      'cache-control: max-age=5',
      'content-type: application/problem+json',
      'retry-after: 7',
      'set-cookie: session=1',
      'www-authenticate: Bearer',
      'x-after: kept',
      'x-outer: kept',
      'x-reason: own',
    ]);
  });

  test('and what an answer says is left alone', async () => {
    steps = [(ctx) => ctx.set({ 'Cache-Control': 'max-age=5', 'X-Outer': 'replaced' }), (ctx) => (ctx.body = 'x')];
    expect((await answers('/run')).headers).toEqual(
      expect.arrayContaining(['cache-control: max-age=5', 'x-outer: replaced', 'x-after: kept']),
    );
  });
});

/** Text that a head cannot hold, or that Node treats in a way of its own. */
const HOSTILE = fc.oneof(
  fc.constantFrom('é', '文', 'a\r\nX-Evil: 1', 'a\nb', 'a\0b', '\x7f', '', ' ', '\ud800', '😀', 'chunked', 'close', 'upgrade', '5', '-1', '0x5'), // prettier-ignore
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom<unknown>(undefined, null, 0, 5, true, [], ['a', 'b'], ['a', 'é'], ['a\r\n'], {}, Symbol('s'), 5n), // prettier-ignore
);
const NAMES = fc.oneof(
  fc.constantFrom('X-A', 'x-a', 'Content-Disposition', 'Content-Type', 'ETag', 'Location', 'Set-Cookie', 'Link', 'Vary', 'Trailer', 'X-Ü', '', ' ', 'a b', 'X:', '__proto__', 'constructor', 'Expect'), // prettier-ignore
  fc.string({ maxLength: 5 }),
);
const HEADERS = fc
  .tuple(NAMES, HOSTILE)
  // Node itself throws a TypeError without a code at a Content-Disposition that is no text.
  .filter(([name, value]) => name !== 'Content-Disposition' || typeof value === 'string');
const STATUSES = fc.oneof(
  fc.integer({ min: 100, max: 1100 }),
  fc.constantFrom<unknown>(0, -1, 99, 1000, 2.5, NaN, '200', 'abc', null, undefined),
);
const BODIES = fc.constantFrom<() => unknown>(
  () => 'text', () => 'tëxt €', () => ({ a: 1 }), () => Buffer.from([0, 255]), () => null, () => undefined, () => '',
  () => Readable.from(['a', 'b']), () => new Blob(['a', 'b']), () => new Blob(['a']).stream(), () => new Response('a'), () => 5n, () => Symbol('s'), () => new Date(NaN), () => ({ big: 1n }),
); // prettier-ignore

const ANY_STEP: fc.Arbitrary<Step> = fc.oneof(
  HEADERS.map(
    ([name, value]) =>
      (ctx: Context) =>
        ctx.set(name, value as string),
  ),
  HEADERS.map(
    ([name, value]) =>
      (ctx: Context) =>
        ctx.res.setHeader(name, value as string),
  ),
  HEADERS.map(
    ([name, value]) =>
      (ctx: Context) =>
        ctx.append(name, value as string),
  ),
  STATUSES.map((status) => (ctx: Context) => (ctx.status = status as number)),
  STATUSES.map((status) => (ctx: Context) => (ctx.res.statusCode = status as number)),
  HOSTILE.map((message) => (ctx: Context) => (ctx.message = message as string)),
  HOSTILE.map((message) => (ctx: Context) => (ctx.res.statusMessage = message as string)),
  HOSTILE.map((name) => (ctx: Context) => ctx.attachment(name as string)),
  HOSTILE.map((type) => (ctx: Context) => (ctx.type = type as string)),
  HOSTILE.map((to) => (ctx: Context) => ctx.redirect(to as string)),
  BODIES.map((make) => (ctx: Context) => (ctx.body = make())),
  fc.tuple(STATUSES, NAMES, HOSTILE).map(([status, name, value]) => () => {
    throw Object.assign(new Error('own headers'), { status, expose: true, headers: { [name]: value } });
  }),
  fc.constantFrom<Step>(() => {
    throw { get status() { throw new Error('a getter'); } }; // prettier-ignore
  }),
  fc.constantFrom<Step>(() => {
    throw Object.assign(new Error('x'), { status: 422, errors: [5n] });
  }),
);

describe('a head that HTTP does not allow', () => {
  test('is answered alike on every path, and never ends the process', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(ANY_STEP, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('GET', 'HEAD'),
        async (todo, method) => {
          // prettier-ignore
          steps = [...todo, (ctx) => (ctx.body ??= 'end')];
          const { status } = await answers('/run', method);
          expect(status).toMatch(/^HTTP\/1\.1 \d{3} /);
        },
      ),
      { numRuns: 300 },
    );
    for (const way of WAYS) expect(await (await fetch(`${url(way)}/alive`)).text()).toBe('alive');
  });

  test.each<[string, Step]>([
    ['a header of two lines', (ctx) => ctx.set('X-A', 'a\r\nX-Evil: 1')],
    ['a name with a blank', (ctx) => ctx.set('X A', 'a')],
    ['a status message of two lines', (ctx) => ((ctx.body = 'x'), (ctx.message = 'a\r\nb'))],
    ['a status that is none', (ctx) => ((ctx.body = 'x'), (ctx.res.statusCode = 1000))],
    ['a trailer without chunks', (ctx) => ((ctx.body = 'x'), ctx.set('Trailer', 'X-Sum'))],
    ['a trailer beside an object', (ctx) => (ctx.set('Trailer', ''), (ctx.body = { a: 1 }))],
    ['a message of two lines before a stream', (ctx) => ((ctx.body = Readable.from(['x'])), (ctx.message = 'a\r\nb'))],
    ['a status that is none before a blob', (ctx) => ((ctx.body = new Blob(['x'])), (ctx.res.statusCode = 1000))],
    [
      'a message of two lines before a web stream',
      (ctx) => ((ctx.body = new Blob(['x']).stream()), (ctx.res.statusMessage = 'a\nb')),
    ],
    [
      'a message of two lines before a Response',
      (ctx) => ((ctx.body = new Response('x')), (ctx.res.statusMessage = '\0')),
    ],
  ])('%s is a coded problem, and logged', async (_name, step) => {
    steps = [step];
    const logged = () => WAYS.map((way) => apps[way].log.messages('error').length);
    const [was] = [logged()];
    const { status, body, headers } = await answers('/run');
    expect(status).toBe('HTTP/1.1 500 Internal Server Error');
    expect(JSON.parse(body)).toMatchObject({ status: 500, code: 'FW_HTTP_HEAD_INVALID', instance: '/run' });
    expect(headers).toEqual(expect.arrayContaining(['cache-control: no-store', 'x-outer: kept']));
    expect(logged()).toEqual(was.map((count) => count + 1));
  });

  test('that a middleware puts on every answer, errors too, is a problem without it', async () => {
    before = (ctx) => ctx.set('Trailer', 'X-Sum');
    steps = [(ctx) => (ctx.body = 'x')];
    try {
      const { status, body } = await answers('/run');
      expect([status, (JSON.parse(body) as { code: string }).code]).toEqual([
        'HTTP/1.1 500 Internal Server Error',
        'FW_HTTP_ERROR_UNWRITABLE',
      ]);
    } finally {
      before = () => {};
    }
  });

  test('names of files in any letters are sent by RFC 6266', async () => {
    for (const [name, sent] of [
      ['é.html', `attachment; filename="?.html"; filename*=UTF-8''%C3%A9.html`],
      ["it's (1).txt", 'attachment; filename="it\'s (1).txt"'],
      ['文 "x".txt', `attachment; filename="? \\"x\\".txt"; filename*=UTF-8''%E6%96%87%20%22x%22.txt`],
    ] as const) {
      steps = [(ctx) => ctx.attachment(name), (ctx) => (ctx.body = 'x')];
      expect((await answers('/run')).headers).toContain(`content-disposition: ${sent}`);
    }
  });

  test('a disposition that is set by hand is, too, by whatever means', async () => {
    const value = 'inline; filename="Übersicht é.pdf"';
    const means: ((ctx: Context) => unknown)[] = [
      (ctx) => (ctx.set('Content-Disposition', value), (ctx.body = 'x')),
      (ctx) => (ctx.append('content-disposition', value), (ctx.body = { a: 1 })),
      (ctx) => (ctx.res.setHeader('CONTENT-DISPOSITION', value), (ctx.body = Buffer.from('x'))),
      (ctx) => ((ctx.respond = false), ctx.res.writeHead(200, { 'Content-Disposition': value }).end('x')),
      (ctx) => (
        (ctx.respond = false),
        ctx.res.writeHead(200, 'OK', ['X-A', '1', 'Content-Disposition', value]).end('x')
      ),
    ];
    for (const set of means) {
      steps = [set as never];
      const sent = `inline; filename="?bersicht ?.pdf"; filename*=UTF-8''%C3%9Cbersicht%20%C3%A9.pdf`;
      expect((await answers('/run')).headers).toContain(`content-disposition: ${sent}`);
    }
    for (const [given, sent] of [
      ['attachment; filename=é b.txt ; size=1', `attachment; filename="? b.txt"; size=1; filename*=UTF-8''%C3%A9%20b.txt`],
      [`attachment; filename=é.txt; filename*=UTF-8''x`, `attachment; filename="?.txt"; filename*=UTF-8''x`],
      ['attachment; filename=e.txt', 'attachment; filename=e.txt'],
    ] as const) {
      steps = [(ctx) => (ctx.set('Content-Disposition', given), (ctx.body = 'x'))];
      expect((await answers('/run')).headers).toContain(`content-disposition: ${sent}`);
    } // prettier-ignore
  });
});

test('a client that goes away while its error is written harms nobody', async () => {
  steps = [() => new Promise((resolve) => setTimeout(resolve, 20)), () => { throw new Error('late'); }]; // prettier-ignore
  for (const way of WAYS) {
    const socket = connect(port(way), '127.0.0.1');
    socket.on('error', () => {}).write('GET /run HTTP/1.1\r\nHost: x\r\n\r\n');
    setTimeout(() => socket.destroy(), 5);
    await new Promise((resolve) => socket.once('close', resolve));
    expect(await (await fetch(`${url(way)}/alive`)).text()).toBe('alive');
  }
});
