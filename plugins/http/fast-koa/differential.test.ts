import { once } from 'node:events';
import { createServer, type Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import Koa from 'koa';
import { RecordingLogger, sendRaw } from '../../../kernel/testing/index.js';
import { KoaApplication } from '../koa-application.js';
import { FastApplication } from './fast-application.js';
import { FastResponse } from './fast-response.js';
import { LineResponse } from './line-response.js';

/** Random programs; more by FW_TEST_FUZZ_RUNS, for an hour that nobody waits for. */
const RUNS = Number(process.env['FW_TEST_FUZZ_RUNS'] ?? 100);

/** What a middleware does, one after the other. As data, so that a program that differs can be read, and shrunk. */
type Step = readonly [name: keyof typeof STEPS, ...args: unknown[]];

const BODIES: Readonly<Record<string, () => unknown>> = {
  text: () => 'text é',
  html: () => '<p>',
  empty: () => '',
  object: () => ({ a: 1, b: ['é'] }),
  list: () => [],
  number: () => 7,
  false: () => false,
  bytes: () => Buffer.from([0, 255]),
  null: () => null,
  undefined: () => undefined,
  stream: () => Readable.from(['a', 'b']),
  web: () => new Blob(['ab']).stream(),
  blob: () => new Blob(['ab'], { type: 'text/css' }),
  response: () => new Response('ab', { status: 203, headers: { 'X-R': '1' } }),
};

const STEPS = {
  status: (ctx: Koa.Context, status: number) => void (ctx.status = status),
  body: (ctx: Koa.Context, kind: string) => void (ctx.body = BODIES[kind]?.()),
  type: (ctx: Koa.Context, type: string) => void (ctx.type = type),
  // Of a list of its own: packages add to it.
  set: (ctx: Koa.Context, name: string, value: string | string[]) => ctx.set(name, [value].flat()),
  append: (ctx: Koa.Context, name: string, value: string) => ctx.append(name, value),
  remove: (ctx: Koa.Context, name: string) => ctx.remove(name),
  vary: (ctx: Koa.Context, name: string) => ctx.vary(name),
  redirect: (ctx: Koa.Context, to: string) => ctx.redirect(to),
  back: (ctx: Koa.Context) => ctx.back('/else'),
  cookie: (ctx: Koa.Context, name: string) => void ctx.cookies.set(name, '1', { overwrite: name === 'b' }),
  etag: (ctx: Koa.Context, tag: string) => void (ctx.etag = tag),
  modified: (ctx: Koa.Context) => void (ctx.lastModified = new Date(0)),
  attachment: (ctx: Koa.Context, name: string) => ctx.attachment(name),
  message: (ctx: Koa.Context) => void (ctx.message = 'Fine'),
  unlessFresh: (ctx: Koa.Context) => void (ctx.fresh && (ctx.status = 304)),
  tell: (ctx: Koa.Context) => {
    const { status, message, method, path, query, querystring, host, protocol } = ctx;
    const { type } = ctx.response;
    // Koa goes on to state the length of the body before, of which ours knows nothing any more.
    const isReplaced = ctx.body === 'null' || ctx.body instanceof Response || ctx.body instanceof ReadableStream;
    const { 'content-length': stated, ...others } = ctx.response.headers;
    const length = isReplaced ? undefined : ctx.response.length;
    const headers = isReplaced ? others : { ...others, 'content-length': stated };
    ctx.body = {
      status,
      message,
      method,
      path,
      query,
      querystring,
      host,
      protocol,
      type,
      length,
      headers,
      is: ctx.is('json'),
      accepts: ctx.accepts('html', 'json'),
    };
  },
  throw: (ctx: Koa.Context, status: number) => ctx.throw(status, 'said'),
  fail: () => {
    throw new TypeError('x');
  },
} as const;

interface Layer {
  readonly before: readonly Step[];
  readonly after: readonly Step[];
  readonly next: 'returned' | 'awaited' | 'none';
  /** Whether what is thrown within becomes a body. */
  readonly catches: boolean;
}

const names = fc.constantFrom('X-A', 'x-a', 'Content-Type', 'Cache-Control', 'Set-Cookie', 'ETag');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('body' as const), fc.constantFrom(...Object.keys(BODIES))) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('status' as const), fc.constantFrom(200, 201, 203, 204, 205, 304, 404, 418, 500)) },
  fc.tuple(fc.constant('type' as const), fc.constantFrom('json', 'text/plain', 'html', 'application/vnd.x+json', '')),
  fc.tuple(fc.constant('set' as const), names, fc.oneof(fc.constantFrom('1', 'text/x'), fc.constant(['1', '2']))),
  fc.tuple(fc.constant('append' as const), names, fc.constantFrom('3', '4')),
  fc.tuple(fc.constant('remove' as const), fc.oneof(names, fc.constant('Content-Length'))),
  fc.tuple(fc.constant('vary' as const), fc.constantFrom('A', 'B, a', '*')),
  fc.tuple(fc.constant('redirect' as const), fc.constantFrom('/x?y=é', 'http://y.example/"<', '//z')),
  fc.tuple(fc.constant('cookie' as const), fc.constantFrom('a', 'b')),
  fc.tuple(fc.constant('etag' as const), fc.constantFrom('v1', 'W/"v1"', '"v2"')),
  fc.tuple(fc.constant('attachment' as const), fc.constantFrom('a.txt', 'b c.bin')),
  fc.tuple(fc.constantFrom('modified' as const, 'message' as const, 'unlessFresh' as const, 'tell' as const, 'back' as const)),
  { weight: 1, arbitrary: fc.oneof(fc.tuple(fc.constant('throw' as const), fc.constantFrom(400, 404, 500)), fc.tuple(fc.constant('fail' as const))) },
); // prettier-ignore

const layer = fc.record<Layer>({
  before: fc.array(step, { maxLength: 3 }),
  after: fc.array(step, { maxLength: 3 }),
  next: fc.constantFrom('awaited', 'awaited', 'returned', 'none'),
  catches: fc.boolean(),
});
const SLOTS = 3;
const program = fc.array(layer, { minLength: 1, maxLength: SLOTS });

const line = fc.constantFrom(
  ...[
    'If-None-Match: "v1"',
    'If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT',
    'Accept: text/html',
    'Accept: */*;q=0',
  ],
  ...['Cookie: a=1; b', 'Referrer: http://x/here', 'X-Forwarded-Proto: https', 'Content-Type: application/json'],
  ...['Accept-Encoding: gzip', 'Connection: close', 'Connection: keep-alive'],
);
const request = fc
  .record({
    method: fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'PUT', 'OPTIONS'),
    target: fc.constantFrom('/', '/a?x=1&x=2&y', '/a/b%20c?q=%C3%A9', '/?', 'http://x/abs?z'),
    version: fc.constantFrom('1.1', '1.1', '1.0'),
    lines: fc.uniqueArray(line, { maxLength: 3, selector: (text) => text.split(':')[0] }),
    body: fc.constantFrom('', 'sent'),
  })
  .map(({ method, target, version, lines, body }) => {
    // A right length, where Koa has none or a wrong one, decides in HTTP/1.0 whether a connection is kept.
    const said = lines.filter((each) => version === '1.1' || each !== 'Connection: keep-alive');
    const length = body === '' ? [] : [`Content-Length: ${body.length}`];
    return [`${method} ${target} HTTP/${version}`, 'Host: x', ...said, ...length, '', body].join('\r\n');
  });

type Way = 'stock' | 'kept' | 'public' | 'full';
const log = new RecordingLogger();
const APPLICATIONS: Readonly<Record<Way, () => [Koa, typeof ServerResponse]>> = {
  stock: () => [Object.assign(new Koa(), { silent: true }), ServerResponse],
  kept: () => [new KoaApplication(log), ServerResponse],
  public: () => [new FastApplication(log), LineResponse],
  full: () => [new FastApplication(log), FastResponse],
};

let running: readonly Layer[] = [];
const servers = {} as Record<Way, Server>;

async function run(ctx: Koa.Context, steps: readonly Step[]): Promise<void> {
  for (const [name, ...args] of steps) {
    (STEPS[name] as (ctx: Koa.Context, ...args: unknown[]) => unknown)(ctx, ...args);
    if (name === 'type') await new Promise((resolve) => setImmediate(resolve));
  }
}

const slot = (index: number) => (ctx: Koa.Context, next: Koa.Next) => {
  const own = running[index];
  if (own === undefined) return index < running.length ? next() : undefined;
  const within = async () => {
    await run(ctx, own.before);
    if (own.next === 'awaited') await next();
    if (own.next === 'returned') return next();
    return run(ctx, own.after);
  };
  return own.catches ? within().catch((error: Error) => void (ctx.body = error.message)) : within();
};

beforeAll(async () => {
  for (const [way, make] of Object.entries(APPLICATIONS) as [Way, (typeof APPLICATIONS)[Way]][]) {
    const [app, Response] = make();
    for (let index = 0; index < SLOTS; index++) app.use(slot(index) as Koa.Middleware);
    servers[way] = createServer({ ServerResponse: Response }, app.callback());
    await once(servers[way].listen(0, '127.0.0.1'), 'listening');
  }
});
afterAll(() => Object.values(servers).forEach((server) => (server.close(), server.closeAllConnections())));

const FRAMING = /^(?:content-length|transfer-encoding):/i;

/**
 * What may not differ of an answer. How its end is told may: a length where Koa sends chunks, or nothing in answer to HEAD, is the
 * better word, and has to be right. Problems have words, types and headers of their own (RFC 9457).
 */
function comparable(raw: string): unknown {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  const isChunked = lines.some((each) => /^transfer-encoding: chunked/i.test(each));
  const body = isChunked ? unchunked(rest.join('\r\n\r\n')) : rest.join('\r\n\r\n');
  const length = lines.find((each) => /^content-length:/i.test(each))?.split(': ')[1];
  const isWrong = body !== '' && length !== undefined && body.length !== Number(length);
  return {
    status,
    lines: lines
      .filter((each) => !each.startsWith('Date: ') && !FRAMING.test(each))
      .map(withoutCase)
      .sort(),
    body,
    ...(isWrong && { length }),
    ...(!isChunked && length === undefined && body !== '' && { isUnframed: true }),
  };
}

// The names of fields have no case (RFC 9110, section 5.1). Koa takes those of a Response in small letters, ours its type as Koa writes types.
const withoutCase = (line: string) => line.replace(/^[^:]*/, (name) => name.toLowerCase());

function unchunked(text: string): string {
  let body = '';
  for (let at = 0; ;) {
    const end = text.indexOf('\r\n', at);
    const size = Number.parseInt(text.slice(at, end), 16);
    if (!(size > 0)) return body;
    body += text.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
  }
}

const answersOf = (raw: string) => raw.split(/(?=HTTP\/1\.1 \d{3} )/).map(comparable);
const isProblem = (answer: unknown) => JSON.stringify(answer).includes('application/problem+json');

async function ask(way: Way, bytes: string): Promise<readonly unknown[]> {
  return answersOf(await sendRaw((servers[way].address() as AddressInfo).port, bytes));
}

describe('random middlewares, asked over a socket', () => {
  test.each(['kept', 'public', 'full'] as const)(
    'are answered by stock Koa and by the application (%s) alike',
    async (way) => {
      const last = 'GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
      const property = fc.asyncProperty(program, fc.array(request, { maxLength: 2 }), async (layers, requests) => {
        running = layers;
        const bytes = [...requests, last].join('');
        const [all, actual] = await Promise.all([ask('stock', bytes), ask(way, bytes)]);
        // What ends with its connection is the last of it: Node sends so what has no length and may not be chunked any more.
        const expected = (actual.at(-1) as { isUnframed?: true }).isUnframed ? all.slice(0, actual.length) : all;
        // A length that is not that of the body is Koa's alone.
        for (const each of expected) delete (each as { length?: string }).length;
        for (const each of [...expected, ...actual]) delete (each as { isUnframed?: true }).isUnframed;
        const statuses = (all: readonly unknown[]) =>
          all.map((each) => (each as { status: string }).status.slice(0, 12));
        expect(statuses(actual)).toEqual(statuses(expected));
        expect(actual.filter((each) => !isProblem(each))).toEqual(expected.filter((_, at) => !isProblem(actual[at])));
      });
      await fc.assert(property, { numRuns: RUNS });
    },
  );
});
