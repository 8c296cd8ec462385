import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type Koa from 'koa';
import { type AnyMiddleware, type HttpContext, HttpServer, plugin, RouteGuard } from '../../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest, sendRaw } from '../../../kernel/testing/index.js';
import http from '../../http/index.js';
import jwt, { generateJWT } from './index.js';
import { GuardedPaths } from './path-patterns.js';

const SECRET = 'x'.repeat(32);
const LEAK = 'what nobody may see';

/**
 * Readers as other packages read a path, each lax in its own way. They stand behind the JWT middleware and answer whatever
 * they take for /files/private.
 */
const READERS: Readonly<Record<string, (context: HttpContext) => string>> = {
  // koa-send, serve-static: decode, then let the file system resolve.
  fileServer: ({ path: at }) => path.posix.normalize(decodeURIComponent(at)),
  windowsFileServer: ({ path: at }) => path.win32.normalize(decodeURIComponent(at)).replaceAll('\\', '/'),
  // path-to-regexp and most routers, without case.
  router: ({ path: at }) => at,
  looseRouter: ({ path: at }) => at.replace(/\/+/g, '/'),
  // A proxy that hands req.url on, to a server that reads it as browsers do.
  proxy: ({ req }) => new URL(req.url as string, 'http://upstream').pathname,
  whatwg: (context) => context.URL.pathname,
  // Servlet containers leave parameters of segments out, then resolve dots.
  servlet: ({ url }) => path.posix.normalize(decodeURIComponent((url.split('?')[0] ?? '').replace(/;[^/]*/g, ''))),
  unicode: ({ path: at }) => path.win32.normalize(decodeURIComponent(at).normalize('NFKC')).replaceAll('\\', '/'),
  upperCase: ({ path: at }) => decodeURIComponent(at).toUpperCase(),
  trimming: ({ path: at }) =>
    decodeURIComponent(at)
      .split('/')
      .map((segment) => segment.trim())
      .join('/'),
  mount: ({ path: at }) => (/^\/files(?=\/|$)/i.test(at) ? `/files${at.slice(6)}` : at),
};

const readers: AnyMiddleware[] = Object.entries(READERS).map(
  ([name, read]) =>
    (context: HttpContext, next: Koa.Next) => {
      if (!/^\/files\/private(?:\/|$)/i.test(read(context).toLowerCase())) return next();
      context.body = `${LEAK} (${name})`;
      return undefined;
    },
);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fw-protected-'));
  await mkdir(path.join(folder, 'private'));
  await writeFile(path.join(folder, 'private/x'), LEAK);
  await writeFile(path.join(folder, 'open'), 'open');
});
afterAll(() => rm(folder, { recursive: true }));

/** Ways to write a character that somebody, somewhere, takes for it. */
const LOOKALIKES: Readonly<Record<string, readonly string[]>> = {
  i: ['İ', 'ı', 'ｉ', 'I'],
  s: ['ſ', 'ｓ', 'S'],
  f: ['ｆ', 'F'],
  p: ['ｐ', 'P', 'ᵖ'],
  a: ['ａ', 'A', 'ª'],
  v: ['ⅴ', 'V'],
};
const SEPARATORS = [
  '/', '//', '/./', '/%2e/', '/x/../', '/x/%2E%2e/', '/x/..;/', '/;/', '/;a=1/', '%2f', '%2F', '%5c', '\\', '/%20/',
  '%252f', '/.%00/', '%c0%af', '%EF%BC%8F', '%EF%BC%BC', '/x/%E2%80%A5/', '/%E2%80%8B/', ';/', ';x=1/', '%3b/', '%20/', '%09/', '/%C2%A0', '%C2%85/', '%0d%0a/', './', '%2e/', '///',
]; // prettier-ignore
const PREFIXES = ['', '', '', '/.', '/', 'http://x', 'HTTP://x', 'http://a@x', 'http://y', '\\', '/%2e%2e', '/open/..'];
const SUFFIXES = [
  '',
  '',
  '/',
  '?',
  '?/files/open',
  '#',
  '#/files/open',
  ';',
  ';x',
  '%00',
  '%20',
  '.',
  '%2e',
  '//',
  '/.',
  '/..',
  '%3f',
  '%23',
];

const spelling = fc
  .record({
    prefix: fc.constantFrom(...PREFIXES),
    separators: fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant('/') }, fc.constantFrom(...SEPARATORS)), {
      minLength: 3,
      maxLength: 3,
    }),
    suffix: fc.constantFrom(...SUFFIXES),
    choices: fc.array(fc.nat(99), { minLength: 13, maxLength: 13 }),
  })
  .map(({ prefix, separators, suffix, choices }) => {
    let letter = 0;
    const words = ['files', 'private', 'x'].map((word) =>
      [...word].map((character) => speltCharacter(character, choices[letter++] as number)).join(''),
    );
    return prefix + words.map((word, index) => separators[index] + word).join('') + suffix;
  });

function speltCharacter(character: string, choice: number): string {
  const hex = character.charCodeAt(0).toString(16);
  if (choice < 70) return character;
  if (choice < 78) return character.toUpperCase();
  if (choice < 84) return `%${hex}`;
  if (choice < 88) return `%${hex.toUpperCase()}`;
  if (choice < 90) return `%25${hex}`;
  if (choice < 91) return `%c1%${(0x80 + (character.charCodeAt(0) & 0x3f)).toString(16)}`;
  if (choice < 92) return `${character}%CC%87`;
  const others = LOOKALIKES[character] ?? [character];
  return encodeURIComponent(others[choice % others.length] as string);
}

describe.each(['full', 'public', 'off'] as const)('a protected path, with fastPath %s', (fastPath) => {
  let app: BootedTestApp;
  let port: number;
  beforeAll(async () => {
    app = await bootTestApp({
      plugins: [
        plugin(() => Promise.resolve(http), { port: 0, fastPath }),
        plugin(() => Promise.resolve(jwt), { accessSecret: SECRET, protect: ['/files/private/**', '/proxy/admin/**'] }),
        routesUnderTest((router) => {
          router.static('/files', folder);
          router.get('/proxy/*rest', (ctx) => (/^admin/i.test(ctx.params.rest) ? LEAK : 'proxied'));
          router.get('/items/:name', { encodedSlashes: true }, (ctx) => ctx.params.name);
        }, readers),
      ],
    });
    ({ port } = app.services.get(HttpServer));
  });
  afterAll(() => app.stop());

  const ask = async (target: string, token = '') => {
    const authorization = token === '' ? '' : `Authorization: Bearer ${token}\r\n`;
    const lines = `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${authorization}\r\n`;
    const answer = await sendRaw(port, lines);
    return { status: answer.slice(9, 12), leaks: answer.includes(LEAK) };
  };

  test('is answered with a token, and not without', async () => {
    const token = await generateJWT(SECRET, {}, '1m');
    expect(await ask('/files/private/x', token)).toEqual({ status: '200', leaks: true });
    expect(await ask('/files/private/x')).toEqual({ status: '401', leaks: false });
    expect(await ask('/files/open')).toEqual({ status: '200', leaks: false });
  });

  test('leaks to no reader, however it is spelt', async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(spelling, async (target) => {
        const { status, leaks } = await ask(target);
        seen.set(status, (seen.get(status) ?? 0) + 1);
        expect([target, leaks]).toEqual([target, false]);
      }),
      { numRuns: 400 },
    );
    // The generator reaches both outcomes often, or it would prove nothing.
    expect(seen.get('400')).toBeGreaterThan(20);
    expect(seen.get('401')).toBeGreaterThan(20);
  });

  test.each([
    ['/files//private/x', '400'],
    ['/files/private%2fx', '400'],
    ['/./files/private/x', '400'],
    ['/FILES/PRIVATE/x', '401'],
    ['/files/private;a=1/x', '401'],
    ['/files/private./x', '401'],
    ['/files/%EF%BD%90rivate/x', '401'],
    ['/proxy//admin/x', '400'],
    ['/proxy/..;/admin/x', '400'],
    ['/proxy/Admin/x', '401'],
    ['/proxy/administration', '200'],
    ['/items/a%2fb', '200'],
    ['/items/..%2ffiles%2fprivate%2fx', '400'],
  ])('%s: %s', async (target, status) => {
    const answer = await ask(target);
    expect(answer.status).toBe(status);
    expect(answer.leaks && target !== '/proxy/administration').toBe(false);
  });
});

describe('patterns', () => {
  const segment = fc.oneof(
    fc.constantFrom('open', 'Open', 'OPEN', 'o/pen', 'open;x', 'a', 'ａ', '%'),
    fc.string({ minLength: 1 }),
  );

  test('an exception opens only what is written exactly like it', () => {
    const paths = new GuardedPaths(['/**'], ['/open/*', '/a']);
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 3 }), (segments) => {
        fc.pre(segments.every((each) => each.isWellFormed()));
        const isOpen = !paths.has(`/${segments.map(encodeURIComponent).join('/')}`);
        const isExact =
          (segments.length === 2 && segments[0] === 'open' && !segments[1]?.includes('/')) ||
          (segments.length === 1 && segments[0] === 'a');
        expect(isOpen).toBe(isExact);
      }),
    );
  });

  test.each([
    ['/admin/**', '/ADMIN/x', true],
    ['/admin/**', '/admin', true],
    ['/Straße', '/STRASSE', true],
    ['/Straße', '/stra%C5%BFse', true],
    ['/kelvin', '/%E2%84%AAelvin', true],
    ['/izmir', '/%C4%B0zmir', true],
    ['/caf%c3%a9', '/cafe%CC%81', true],
    ['/café', '/caf%C3%A9', true],
    ['/admin/*', '/x%2Fadmin/y', false],
    ['/x/admin/*', '/x%2Fadmin/y', true],
    ['/x/admin/*', '/x%2F%2Fadmin/y', true],
    ['/admin/**', '/;a/admin/x', true],
    ['/admin/**', '/administrator', false],
    ['/admin/*', '/admin/x/y', false],
  ])('%s and %s', (pattern, at, expected) => {
    expect(new GuardedPaths([pattern], []).has(at)).toBe(expected);
  });

  test.each([
    ['/a/**/b', '`**` stands at the end'],
    ['/a*', '`*` stands for a whole segment'],
    ['/a/:id', 'write * in place of :id'],
    ['/a?x', 'a path has no query'],
    ['/a//b', 'a request for such a path is refused as FW_HTTP_PATH_AMBIGUOUS'],
    ['/a%2fb', 'a request for such a path is refused as FW_HTTP_PATH_AMBIGUOUS'],
    ['/%zz', 'a request for such a path is refused as FW_HTTP_PATH_MALFORMED'],
  ])('%s is refused at boot, because it would match nothing', (pattern, problem) => {
    for (const [protect, except, option] of [
      [[pattern], [], 'protect'],
      [[], [pattern], 'except'],
    ] as const) {
      expect(() => new GuardedPaths(protect, except)).toThrow(
        expect.objectContaining({ code: 'FW_JWT_PATTERN', details: { pattern, option, problem } }),
      );
    }
  });
});

describe('a rewritten request', () => {
  test.each([
    ['a path', '/old/x', 'GET', '401'],
    ['a method', '/notes', 'GET', '401'],
    ['neither', '/open', 'GET', '200'],
  ])(
    'whose %s changes behind the JWT middleware is guarded by what it became',
    async (_what, target, method, status) => {
      const rewrite: AnyMiddleware = (ctx: HttpContext, next: Koa.Next) => {
        if (ctx.path.startsWith('/old/')) ctx.path = ctx.path.replace('/old/', '/admin/');
        if (ctx.path === '/notes') ctx.method = 'POST';
        return next();
      };
      await using app = await bootTestApp({
        plugins: [
          plugin(() => Promise.resolve(http), { port: 0 }),
          plugin(() => Promise.resolve(jwt), { accessSecret: SECRET, protect: ['/admin/**', '/notes'], except: [] }),
          routesUnderTest(
            (router) => {
              router.get('/admin/:name', () => LEAK);
              router.post('/notes', () => LEAK);
              router.get('/open', () => 'open');
            },
            [rewrite],
          ),
        ],
      });
      const { url } = app.services.get(HttpServer);
      expect(String((await fetch(url + target, { method })).status)).toBe(status);
      const headers = { Authorization: `Bearer ${await generateJWT(SECRET, {}, '1m')}` };
      expect((await fetch(url + target, { method, headers })).status).toBe(200);
    },
  );
});

describe('public routes', () => {
  test('lift a pattern that stands for more than they answer, and no other', async () => {
    await using app = await bootTestApp({
      plugins: [
        plugin(() => Promise.resolve(http), { port: 0 }),
        plugin(() => Promise.resolve(jwt), {
          accessSecret: SECRET,
          protect: ['/api/**', '/files/private/**', '/exact', '/pages/secret'],
        }),
        routesUnderTest((router) => {
          router.post('/api/login', { public: true }, () => 'token');
          router.get('/api/login', () => 'form');
          router.get('/api/me', () => 'me');
          router.static('/files', folder, { public: true });
          router.get('/exact', { public: true }, () => 'exact');
          router.get('/pages/:page', { public: true }, (ctx) => ctx.params.page);
          router.websocket('/api/live', { public: true }, (socket) => socket.close());
        }),
      ],
    });
    const { url } = app.services.get(HttpServer);
    const status = async (method: string, at: string) => (await fetch(url + at, { method })).status;
    expect(await status('POST', '/api/login')).toBe(200);
    expect(await status('POST', '/API/login')).toBe(401);
    expect(await status('GET', '/api/login')).toBe(401);
    expect(await status('HEAD', '/api/login')).toBe(401);
    expect(await status('GET', '/api/me')).toBe(401);
    expect(await status('GET', '/api/none')).toBe(401);
    expect(await status('GET', '/files/open')).toBe(200);
    expect(await status('GET', '/files/private/x')).toBe(401);
    expect(await status('GET', '/exact')).toBe(401);
    expect(await status('GET', '/pages/imprint')).toBe(200);
    expect(await status('GET', '/pages/secret')).toBe(401);
    // An ordinary request is not answered by the WebSocket route, and therefore not by a public one.
    expect(await status('GET', '/api/live')).toBe(401);
    const [guard] = app.services.all(RouteGuard);
    expect([
      guard?.guards('POST', '/api/login', { public: true }),
      guard?.guards('GET', '/api/login', {}),
      guard?.guards('GET', '/elsewhere', { roles: [] }),
      guard?.guards('GET', '/elsewhere', {}),
    ]).toEqual([false, true, true, false]);
  });
});
