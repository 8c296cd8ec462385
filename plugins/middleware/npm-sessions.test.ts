import { afterEach, describe, expect, test } from '@jest/globals';
import Koa, { type Context } from 'koa';
import koaSession, { type CreateSessionOptions } from 'koa-session';
import { type AnyMiddleware, definePlugin, HttpMiddleware, HttpServer, plugin } from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest, servePlain } from '../../kernel/testing/index.js';
import http from '../http/index.js';
import { nineMiddlewares } from './testing/nine-middlewares.js';

const running: BootedTestApp[] = [];
afterEach(async () => {
  for (const app of running.splice(0)) await app.stop();
});

type Options = CreateSessionOptions;
type WithSession = Context & { session: unknown };
type Step = (ctx: WithSession, next: () => Promise<unknown>) => unknown;

/** Requests of one browser, one after the other. */
interface Visit {
  readonly method?: string;
  /** What the browser does to its cookies before. */
  readonly cookies?: (jar: Map<string, string>) => void;
}

/** A session program: what the middleware is told, what runs outside of it, the handler, and the visits. */
interface Program {
  readonly options?: Options | ((kept: Map<string, unknown>) => Options);
  readonly outside?: Step;
  readonly handle: Step;
  readonly visits: readonly Visit[];
}

const get: Visit = {};
const post: Visit = { method: 'POST' };
const session = (ctx: WithSession) => ctx.session as unknown as Record<string, unknown> & { save(): void; maxAge: number | string; regenerate(): void; isNew: boolean; length: number; populated: boolean }; // prettier-ignore

/** A store outside of the cookie. */
const inStore = (kept: Map<string, unknown>): Options => ({
  store: {
    get: (key) => Promise.resolve(kept.get(key)),
    set: (key, value) => Promise.resolve(void kept.set(key, structuredClone(value))),
    destroy: (key) => Promise.resolve(void kept.delete(key)),
  } as NonNullable<Options['store']>,
  genid: () => 'an id of the tests',
});

/** Writes with POST, and reads with GET. */
const writeAndRead: Step = (ctx) => {
  if (ctx.method === 'POST') session(ctx)['message'] = 'semi;colon, and ü';
  ctx.body = { message: session(ctx)['message'] ?? 'nothing' };
};

const PROGRAMS: Readonly<Record<string, Program>> = {
  'that is never looked at': { handle: (ctx) => (ctx.body = 'ok'), visits: [get, get] },
  'that is only read': { handle: (ctx) => (ctx.body = { new: session(ctx).isNew }), visits: [get, get] },
  'that is written, then read': { handle: writeAndRead, visits: [get, post, get] },
  'that is written alike twice': { handle: writeAndRead, visits: [post, post] },
  'in a store': { options: inStore, handle: writeAndRead, visits: [get, post, get, post] },
  'in a store that forgets': {
    options: (kept) => ({ ...inStore(kept), store: { ...inStore(kept).store, get: () => Promise.resolve(undefined) } as never }),
    handle: writeAndRead,
    visits: [post, get],
  },
  'without a signature': { options: { signed: false }, handle: writeAndRead, visits: [post, get] },
  'whose cookie somebody changed': {
    handle: writeAndRead,
    visits: [post, { cookies: (jar) => void jar.set('koa.sess', Buffer.from('{"message":"mine"}').toString('base64')) }],
  },
  'whose signature is lost': { handle: writeAndRead, visits: [post, { cookies: (jar) => void jar.delete('koa.sess.sig') }] },
  'whose cookie is no JSON': { options: { signed: false }, handle: writeAndRead, visits: [{ cookies: (jar) => void jar.set('koa.sess', 'bm8ganNvbg') }] },
  'that ends': {
    handle: (ctx) => {
      if (ctx.method === 'POST') session(ctx)['a'] = 1;
      else ctx.session = null;
      ctx.body = { is: String(ctx.session) };
    },
    visits: [post, get, get],
  },
  'that is replaced': {
    handle: (ctx) => {
      ctx.session = ctx.method === 'POST' ? { a: 1, b: { c: 2 } } : {};
      ctx.body = { length: session(ctx).length, populated: session(ctx).populated };
    },
    visits: [post, get],
  },
  'that is replaced by what is none': { handle: (ctx) => (ctx.session = 'text'), visits: [get] },
  'that is saved without a change': { handle: (ctx) => (session(ctx).save(), (ctx.body = 'ok')), visits: [get] },
  'with an age': {
    handle: (ctx) => ((session(ctx).maxAge = 100_000), (session(ctx)['a'] = 1), (ctx.body = { age: session(ctx).maxAge })),
    visits: [get, get],
  },
  'for as long as the browser is open': { options: { maxAge: 'session' }, handle: writeAndRead, visits: [post, get] },
  'that is sent again with each answer': { options: { rolling: true }, handle: writeAndRead, visits: [get, post, get] },
  'that gets another key': {
    options: inStore,
    handle: (ctx) => ((session(ctx)['a'] = 1), session(ctx).regenerate(), (ctx.body = 'ok')),
    visits: [get, get],
  },
  'for other sites too': { options: { sameSite: 'lax', httpOnly: false }, handle: writeAndRead, visits: [post] },
  'under another name': { options: { key: 'mine', prefix: 'of:' }, handle: writeAndRead, visits: [post, get] },
  'that is committed by hand': {
    options: { autoCommit: false },
    handle: async (ctx) => {
      session(ctx)['a'] = 1;
      if (ctx.method === 'POST') await (session(ctx) as unknown as { manuallyCommit(): Promise<void> }).manuallyCommit();
      ctx.body = 'ok';
    },
    visits: [get, post, get],
  },
  'that is not valid any more': { options: { valid: (_, value) => (value as { message?: string }).message === undefined }, handle: writeAndRead, visits: [post, get] },
  'whose coder is the own one': {
    options: { encode: (value) => Buffer.from(JSON.stringify(value)).toString('hex'), decode: (text) => JSON.parse(Buffer.from(text, 'hex').toString()) as object },
    handle: writeAndRead,
    visits: [post, get],
  },
  'of a refusal that somebody outside answers': {
    outside: async (ctx, next) => {
      try {
        await next();
      } catch (error) {
        Object.assign(ctx, { status: (error as { status: number }).status, body: (error as Error).message });
      }
    },
    handle: (ctx) => {
      session(ctx)['name'] = 'kept';
      ctx.throw(401);
    },
    visits: [get],
  },
  'that is asked for before it is there': {
    outside: (ctx, next) => {
      ctx.state['before'] = session(ctx)['message'] ?? 'nothing';
      return next();
    },
    handle: (ctx) => {
      if (ctx.method === 'POST') session(ctx)['message'] = 'hi';
      ctx.body = { before: ctx.state['before'] };
    },
    visits: [post, get],
  },
}; // prettier-ignore

const optionsOf = ({ options }: Program, kept: Map<string, unknown>): Options =>
  typeof options === 'function' ? options(kept) : (options ?? {});

/** Every visit's status, body, and cookies as they were set. */
async function browse(url: string, { visits }: Program): Promise<unknown[]> {
  const jar = new Map<string, string>();
  const seen: unknown[] = [];
  for (const { method = 'GET', cookies } of visits) {
    cookies?.(jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { method, headers: { cookie } });
    const set = response.headers.getSetCookie();
    for (const each of set) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const text = await response.text();
    seen.push({ status: response.status, ...(response.ok && { text }), set: set.map(withoutTimes) });
  }
  return seen;
}

// A session has the time of its end in it, and a cookie with an age its date; their signatures differ with them.
function withoutTimes(cookie: string): string {
  const [pair = '', ...attributes] = cookie.split('; ');
  const [name = '', value = ''] = pair.split(/=(.*)/s);
  const shown = value === '' ? '' : name.endsWith('.sig') ? 'signed' : decoded(value);
  return [`${name}=${shown}`, ...attributes.map((each) => each.replace(/^expires=(?!Thu, 01 Jan 1970).*/, 'expires=later'))].join('; '); // prettier-ignore
}

function decoded(value: string): string {
  const text = [Buffer.from(value, 'base64'), Buffer.from(value, 'hex')]
    .map(String)
    .find((each) => each.startsWith('{'));
  return text?.replace(/"_expire":\d+/, '"_expire":0') ?? value;
}

async function inKoa(program: Program): Promise<unknown[]> {
  const app = new Koa();
  app.keys = ['a key of the tests'];
  app.silent = true;
  if (program.outside) app.use(program.outside as never);
  app.use(koaSession(optionsOf(program, new Map()), app)).use(program.handle as never);
  await using server = await servePlain(app);
  return await browse(server.url, program);
}

const middleware = (id: string, make: (server: HttpServer) => unknown) =>
  definePlugin({
    id,
    category: 'app',
    description: 'A middleware of the test',
    register({ contribute }) {
      contribute(HttpMiddleware, (services) => ({ name: id, handle: make(services.get(HttpServer)) as AnyMiddleware }));
    },
  });

async function inFw(program: Program, fastPath: 'full' | 'public' | 'off'): Promise<unknown[]> {
  const { outside, handle } = program;
  const nine = nineMiddlewares();
  const app = await bootTestApp({
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0, fastPath, cookieKeys: ['a key of the tests'] }),
      ...[nine.recovery, nine.logging, nine['rate-limit'], nine.cors, nine['security-headers']],
      ...(outside ? [middleware('outside', () => outside)] : []),
      middleware('session', ({ koa }) => koaSession(optionsOf(program, new Map()), koa)),
      ...[nine.etag, nine.compression],
      routesUnderTest((router) => {
        router.get('/', handle as never);
        router.post('/', handle as never);
      }),
    ],
  });
  running.push(app);
  return await browse(app.services.get(HttpServer).url, program);
}

describe.each(['full', 'public', 'off'] as const)('koa-session between the middlewares, fast path %s', (fastPath) => {
  test.each(Object.keys(PROGRAMS))('a session %s is what it is in Koa', async (name) => {
    const program = PROGRAMS[name] as Program;
    expect(await inFw(program, fastPath)).toEqual(await inKoa(program));
  });
});
