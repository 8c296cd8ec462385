import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { definePlugin, HttpRoutes, plugin, type Router } from '../../../kernel/index.js';
import { bootTestApp } from '../../../kernel/testing/index.js';
import docs from '../../docs/index.js';
import http, { routes } from '../../http/index.js';
import jwt from './index.js';
import { GuardedPaths } from './path-patterns.js';

const SECRET = 'x'.repeat(32);

/** What the boot warns of. */
async function warnings(register: (router: Router) => void, options: object | undefined): Promise<readonly string[]> {
  await using app = await bootTestApp({
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(docs)),
      ...(options ? [plugin(() => Promise.resolve(jwt), { accessSecret: SECRET, ...options })] : []),
      definePlugin({
        id: 'app',
        category: 'app',
        description: 'Answers',
        register: ({ contribute }) => contribute(HttpRoutes, () => routes(register, 'app')),
      }),
    ],
  });
  return app.log.lines.filter(({ level }) => level === 'warn').map(({ message }) => message);
}

const none = () => ({});

describe('routes that are open without saying so', () => {
  test('are named once at boot, the first of them', async () => {
    const register = (router: Router) => {
      router.get('/said', { public: true }, none);
      router.get('/guarded', { roles: [] }, none);
      router.get('/api/orders', none);
      router.get('/a', none);
      router.post('/b', none);
      router.websocket('/c', none as never);
      router.get('/d', none);
      // Some of it is protected, so that somebody thought of it.
      router.get('/files/*rest', none);
    };
    expect(await warnings(register, { protect: ['/api/**', '/files/private/**'] })).toEqual([
      '4 routes are open to everybody without saying so: GET /a, POST /b, GET /c, and 1 more. ' +
        'Say `roles` or `public: true` there, or cover them with `protect`',
    ]);
  });

  test('are as many as methods leave open', async () => {
    const register = (router: Router) => {
      router.get('/a', none);
      router.post('/a', none);
    };
    expect(await warnings(register, { methods: ['POST'] })).toEqual([
      expect.stringMatching(/^1 route is open .*: GET \/a\. Say/),
    ]);
  });

  test.each<[string, object | undefined, (router: Router) => void]>([
    ['without jwt', undefined, (router) => router.get('/a', none)],
    ['with everything protected', {}, (router) => router.get('/a', none)],
    ['when each says who may call', { protect: [] }, (router) => router.get('/a', { public: true }, none)],
    [
      'when its group does',
      { protect: [] },
      (router) => router.group('/g', { roles: [] }, (group) => group.get('/a', none)),
    ],
    ['without routes', { protect: [] }, () => undefined],
  ])('are none %s', async (_name, options, register) => {
    expect(await warnings(register, options)).toEqual([]);
  });
});

describe('how much of a route is protected', () => {
  const part = fc.constantFrom('a', 'b', 'A');
  const pathOf = (parts: readonly string[]) => `/${parts.join('/')}`;
  const pattern = fc
    .tuple(fc.array(fc.oneof(part, fc.constant('*')), { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([parts, open]) => pathOf(open ? [...parts, '**'] : parts));
  const route = fc.tuple(fc.array(fc.oneof(part, fc.constant(':x')), { minLength: 1, maxLength: 3 }), fc.boolean());
  const paths = fc.array(fc.array(part, { minLength: 1, maxLength: 5 }), { minLength: 20, maxLength: 40 });

  test('agrees with what happens to each path that the route answers', () => {
    fc.assert(
      fc.property(
        fc.array(pattern, { maxLength: 2 }), fc.array(pattern, { maxLength: 1 }), route, paths,
        (protect, except, [parts, isWild], many) => {
          const guarded = new GuardedPaths(protect, except);
          const share = guarded.shareOf(pathOf(isWild ? [...parts, '*rest'] : parts));
          const answers = many
            // What differs in case alone is protected too, which says nothing about the share.
            .map((path) => path.map((each) => each.toLowerCase()))
            .filter((path) => (isWild ? path.length > parts.length : path.length === parts.length))
            .map((path) => path.map((each, index) => (parts[index] === undefined || parts[index] === ':x' ? each : (parts[index] as string))));
          for (const path of answers) {
            const isProtected = guarded.has(pathOf(path));
            if (share === 'all') expect([path, isProtected]).toEqual([path, true]);
            if (share === 'none') expect([path, isProtected]).toEqual([path, false]);
          }
        },
      ),
      { numRuns: 2000 },
    ); // prettier-ignore
  });

  test.each([
    [['/**'], [], '/a/*rest', 'all'],
    [['/a/**'], [], '/a/*rest', 'all'],
    [['/a/private/**'], [], '/a/*rest', 'some'],
    [['/a/private/**'], [], '/a/:x', 'some'],
    [['/a/private/**'], [], '/b/*rest', 'none'],
    [['/a/**'], ['/a/login'], '/a/:x', 'some'],
    [['/a/**'], ['/a/login'], '/a/login', 'none'],
    [['/a/*'], [], '/a/:x', 'all'],
    [['/a/*'], [], '/a/*rest', 'some'],
    [['/**'], [], '/', 'all'],
  ])('%j without %j protect of %s: %s', (protect, except, pattern, share) => {
    expect(new GuardedPaths(protect, except).shareOf(pattern)).toBe(share);
  });

  test('leaves out, for a public route, patterns that stand for more than it', () => {
    const guarded = new GuardedPaths(['/**', '/files/private/**'], []);
    expect([guarded.shareOf('/login', true), guarded.shareOf('/files/*rest', true)]).toEqual(['none', 'some']);
  });

  test('compares a path of a million dots at once', () => {
    const paths = new GuardedPaths(['/files/a/**'], []);
    expect(['x', ''].map((end) => paths.has(`/files/a${'.'.repeat(1_000_000)}${end}`))).toEqual([false, true]);
  });
});

test('paths that a stranger makes long are not remembered', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const guarded = new GuardedPaths(['/api/**'], []);
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < 1000; index++) expect(guarded.has(`/${index}/${'x'.repeat(40_000)}`)).toBe(false);
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(8 * 1024 * 1024);
  expect(guarded.has(`/API/${'x'.repeat(40_000)}`)).toBe(true);
});

test('a secret of refresh tokens that nobody takes is told at boot', async () => {
  const options = { refreshSecret: 'y'.repeat(32) };
  expect(await warnings(() => undefined, options)).toEqual([expect.stringContaining('`enableRefreshToken: true`')]);
  expect(await warnings(() => undefined, { ...options, enableRefreshToken: true })).toEqual([]);
});
