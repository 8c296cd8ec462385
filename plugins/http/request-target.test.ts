import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  definePlugin,
  direct,
  type HttpContext,
  HttpMiddleware,
  HttpServer,
  HttpUpgrade,
  plugin,
  type Router,
} from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest, sendRaw } from '../../kernel/testing/index.js';
import logging from '../middleware/logging/index.js';
import http, { type HttpOptions } from './index.js';
import { decodedSegments } from './request-path.js';
import { decidedTarget, plainPath } from './request-target.js';

const GET = { method: 'GET' };
const code = (target: string, surroundings: Parameters<typeof decidedTarget>[1] = GET): string => {
  try {
    return decidedTarget(target, surroundings).path;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

const AMBIGUOUS = 'FW_HTTP_PATH_AMBIGUOUS';
const MALFORMED = 'FW_HTTP_PATH_MALFORMED';
const TARGET = 'FW_HTTP_TARGET';

describe('the decision about a target', () => {
  // Shapes of the traversal and path-confusion lists that scanners use, and of published holes in routers and proxies.
  test.each([
    ['/..', AMBIGUOUS],
    ['/a/../b', AMBIGUOUS],
    ['/a/./b', AMBIGUOUS],
    ['/a/%2e%2e/b', AMBIGUOUS],
    ['/a/.%2E/b', AMBIGUOUS],
    ['/a/..;/b', AMBIGUOUS],
    ['/a/%2e%2e%3b/b', AMBIGUOUS],
    ['/a/.;x=1/b', AMBIGUOUS],
    ['/a/..%09/b', AMBIGUOUS],
    ['/a/%20../b', AMBIGUOUS],
    ['/a/..%C2%A0/b', AMBIGUOUS],
    ['/a/..%2fb', AMBIGUOUS],
    ['/a/..%5cb', AMBIGUOUS],
    ['/a/..\\b', AMBIGUOUS],
    ['/a\\b', AMBIGUOUS],
    ['/a%5Cb', AMBIGUOUS],
    ['//a', AMBIGUOUS],
    ['/a//b', AMBIGUOUS],
    ['/a//', AMBIGUOUS],
    ['//', AMBIGUOUS],
    ['/a%2Fb', AMBIGUOUS],
    ['/%2f', AMBIGUOUS],
    ['/a%00.html', AMBIGUOUS],
    ['/%c0%ae%c0%ae/', MALFORMED],
    ['/%e0%80%af', MALFORMED],
    ['/%f0%80%80%af', MALFORMED],
    ['/%ed%a0%80', MALFORMED],
    ['/%ff', MALFORMED],
    ['/%u002e', MALFORMED],
    ['/%', MALFORMED],
    ['/%2', MALFORMED],
    ['/\ud800', MALFORMED],
    ['/a#b', TARGET],
    ['/a?b#c', TARGET],
    ['*', TARGET],
    ['a', TARGET],
    ['', TARGET],
    ['?x', TARGET],
    ['ftp://x/a', TARGET],
    ['file:///etc/passwd', TARGET],
    ['http:///a', TARGET],
    ['http://', TARGET],
    ['http://user@x/a', TARGET],
    ['http://x\\@y/a', TARGET],
    ['http://x', '/'],
    ['HTTPS://X?q', '/'],
    ['http://x/a/?q', '/a'],
    ['http://x//a', AMBIGUOUS],
    ['/', '/'],
    ['/?a//b/../c', '/'],
    ['/a/', '/a'],
    ['/.well-known/x', '/.well-known/x'],
    ['/a/...', '/a/...'],
    ['/a/..b', '/a/..b'],
    ['/%61%2Db', '/a-b'],
    ['/a%3bb%3D1', '/a;b=1'],
    ['/%252f%252e%252e', '/%252f%252e%252e'],
    ['/caf%c3%a9', '/caf%C3%A9'],
    ['/café', '/caf%C3%A9'],
    ['/a b"<>', '/a%20b%22%3C%3E'],
    ['/%3f%23', '/%3F%23'],
  ])('%j gives %s', (target, expected) => {
    expect(code(target)).toBe(expected);
  });

  test('takes * for OPTIONS, and an absolute form of the same host only', () => {
    expect(code('*', { method: 'OPTIONS' })).toBe('*');
    expect(code('http://Shop.example/a', { method: 'GET', host: 'shop.example' })).toBe('/a');
    expect(code('http://other.example/a', { method: 'GET', host: 'shop.example' })).toBe(TARGET);
  });

  test('asks the route about an encoded slash, and never lets dots through beside it', () => {
    const asking = { method: 'GET', takesEncodedSlash: (_method: string, path: string) => path.startsWith('/take/') };
    expect(code('/take/a%2fb', asking)).toBe('/take/a%2Fb');
    expect(code('/take/a%2f..%2fb', asking)).toBe(AMBIGUOUS);
    expect(code('/other/a%2fb', asking)).toBe(AMBIGUOUS);
  });

  const segment = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter(
      (text) => !/[\\/\0]/.test(text) && !/^[\s\0- \x85]*\.\.?[\s\0- \x85]*(?:;|$)/.test(text) && text.isWellFormed(),
    );
  const encoded = (byte: number, lower: boolean) => {
    const hex = byte.toString(16).padStart(2, '0');
    return `%${lower ? hex : hex.toUpperCase()}`;
  };

  test('gives every spelling of the same segments the same path, which says what they are', () => {
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 4 }), fc.infiniteStream(fc.nat(2)), (segments, choices) => {
        const spelt = segments.map((text) =>
          [...Buffer.from(text)]
            .map((byte) => {
              const choice = choices.next().value as number;
              const mayStay = /[A-Za-z0-9_~!$&'()*+,;=:@-]/.test(String.fromCharCode(byte));
              return choice === 0 && mayStay ? String.fromCharCode(byte) : encoded(byte, choice === 1);
            })
            .join(''),
        );
        const plainest = `/${segments.map(encodeURIComponent).join('/')}`;
        const { url, path } = decidedTarget(`/${spelt.join('/')}`, GET);
        expect(decidedTarget(plainest, GET)).toEqual({ url, path });
        expect(decodedSegments(path)).toEqual(segments);
        expect(decidedTarget(url, GET)).toEqual({ url, path });
      }),
    );
  });

  test('is the same by the quick look as by the close one', () => {
    const targets = fc.string({ unit: fc.constantFrom(..."/.a;%2fFéK#?\\*:@=-~ '"), maxLength: 12 });
    fc.assert(
      fc.property(targets, (tail) => {
        const target = `/${tail}`;
        const quick = plainPath(target);
        // An absolute target is never looked at quickly.
        const close = code(`http://x${target}`);
        expect(quick === undefined || quick === close).toBe(true);
        // What a close look leaves as it is: a dot at the start of a segment, and an encoding that has to be there.
        if (quick === undefined && close === target) expect(target).toMatch(/\/\.|%/);
      }),
      { numRuns: 2000 },
    );
  });
});

const running: BootedTestApp[] = [];
afterEach(async () => {
  for (const app of running.splice(0)) await app.stop();
});

async function serve(register: (router: Router) => void, options: Partial<HttpOptions>, more: readonly object[] = []) {
  const app = await bootTestApp({
    plugins: [plugin(() => Promise.resolve(http), { port: 0, ...options }), ...(more as []), routesUnderTest(register)],
  });
  running.push(app);
  const { port } = app.services.get(HttpServer);
  const send = (target: string, more = '') =>
    sendRaw(port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`);
  return { app, port, send };
}

function middleware(look: (context: HttpContext) => void) {
  return definePlugin({
    id: 'test/look',
    category: 'middleware',
    description: 'Looks at what comes in',
    register: ({ contribute }) =>
      contribute(HttpMiddleware, () => ({ name: 'look', handle: direct((context, next) => (look(context), next())) })),
  });
}

describe.each(['full', 'public', 'off'] as const)('on the wire with fastPath %s', (fastPath) => {
  test('refuses before any middleware, as problem+json, and logs it', async () => {
    const seen: string[] = [];
    const { app, send } = await serve((router) => router.get('/files/*rest', (ctx) => ctx.params.rest), { fastPath }, [
      plugin(() => Promise.resolve(logging)),
      middleware((context) => void seen.push(context.path)),
    ]);
    const refused = ['/files/../x', '//x', '/files/a%2fb', '/files/%00', 'http://u@x/y', '/%ff', '/a#b'];
    for (const target of refused) {
      const answer = await send(target);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('application/problem+json');
    }
    expect(seen).toEqual([]);
    expect(await send('/files/%61/b/?q=1')).toMatch(/a\/b$/);
    expect(seen).toEqual(['/files/a/b/']);
    const lines = app.log.lines.filter(({ message }) => message === 'request');
    expect(lines.map(({ fields }) => `${String(fields['path'])} -> ${String(fields['status'])}`)).toEqual([
      ...['/files/../x', '//x', '/files/a%2fb', '/files/%00', '/y', '/%ff', '/a'].map((path) => `${path} -> 400`),
      '/files/a/b -> 200',
    ]);
  });

  test('shows everybody one spelling, and keeps what was sent in originalUrl', async () => {
    const { send } = await serve(
      (router) => {
        router.get('/:name/*rest', (ctx) => [
          ctx.path,
          ctx.url,
          ctx.req.url,
          ctx.URL.href,
          ctx.originalUrl,
          ctx.request.originalUrl,
        ]);
      },
      { fastPath },
    );
    const answer = await send('http://x/%61/caf%c3%a9/%7e?q=%61');
    expect(JSON.parse(answer.split('\r\n\r\n')[1] as string)).toEqual([
      '/a/caf%C3%A9/~',
      '/a/caf%C3%A9/~?q=%61',
      '/a/caf%C3%A9/~?q=%61',
      'http://x/a/caf%C3%A9/~?q=%61',
      'http://x/%61/caf%c3%a9/%7e?q=%61',
      'http://x/%61/caf%c3%a9/%7e?q=%61',
    ]);
  });

  test('lets a route take an encoded slash as data, for every method that the path answers', async () => {
    const { send, port } = await serve(
      (router) => {
        router.get('/packages/:name', { encodedSlashes: true }, (ctx) => ctx.params.name);
        router.get('/plain/:name', (ctx) => ctx.params.name);
      },
      { fastPath },
    );
    expect(await send('/packages/@scope%2fname')).toMatch(/^HTTP\/1\.1 200 [\s\S]*@scope\/name$/);
    expect(await send('/packages/%2e%2e%2fname')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await send('/plain/@scope%2fname')).toMatch(/^HTTP\/1\.1 400 /);
    const ask = (method: string) =>
      sendRaw(port, `${method} /packages/a%2fb HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(await ask('HEAD')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask('OPTIONS')).toMatch(/^HTTP\/1\.1 204 /);
    expect(await ask('DELETE')).toMatch(/^HTTP\/1\.1 405 /);
  });

  test('decides again what a middleware has put in place of a path', async () => {
    const { send } = await serve(
      (router) => {
        router.get('/new/:name', (ctx) => ctx.params.name);
      },
      { fastPath },
      [middleware((ctx) => (ctx.path = ctx.path.replace('/old/', '/new/').replace('DOTS', '..').replace('E', 'é')))],
    );
    expect(await send('/old/x')).toMatch(/^HTTP\/1\.1 200 [\s\S]*x$/);
    expect(await send('/old/E')).toMatch(/^HTTP\/1\.1 200 [\s\S]*\xc3\xa9$/);
    expect(await send('/old/DOTS')).toMatch(/^HTTP\/1\.1 400 [\s\S]*AMBIGUOUS/);
  });

  test('answers OPTIONS *', async () => {
    const { port } = await serve((router) => router.get('/', () => 'x'), { fastPath });
    const answer = await sendRaw(port, 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 204 [\s\S]*Allow: GET/);
  });

  test('hands an upgrade over by the same path', async () => {
    const taken: string[] = [];
    const upgrades = definePlugin({
      id: 'test/upgrades',
      category: 'http',
      description: 'Takes upgrades',
      register: ({ contribute }) =>
        contribute(HttpUpgrade, () => ({
          path: '/live',
          handle: (request, socket) => (
            taken.push(request.url as string),
            void socket.end('HTTP/1.1 101 Mine\r\n\r\n')
          ),
        })),
    });
    const { send } = await serve(
      (router) => {
        router.websocket('/rooms/:room', () => {});
      },
      { fastPath },
      [upgrades],
    );
    const upgrade = 'Upgrade: websocket\r\nConnection: Upgrade\r\n';
    expect(await send('/live?x=1', upgrade)).toMatch(/ 101 Mine/);
    for (const target of ['//live', '/./live', '/live%00', '/rooms/../live', '/rooms/a%2fb']) {
      expect([target, (await send(target, upgrade)).slice(9, 12)]).toEqual([target, '400']);
    }
    expect(taken).toEqual(['/live?x=1']);
  });
});
