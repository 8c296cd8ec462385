import { expect, test } from '@jest/globals';
import compose from 'koa-compose';
import {
  type AnyMiddleware,
  definePlugin,
  HttpMiddleware,
  HttpServer,
  plugin,
  type Router,
} from '../../kernel/index.js';
import { bootTestApp, routesUnderTest } from '../../kernel/testing/index.js';

const http = plugin(() => import('./index.js'), { port: 0 });

const EXPRESS = 'it takes (req, res, next), as in Express';

const UNFIT: readonly (readonly [what: string, handle: unknown, problem: string])[] = [
  ['nothing', undefined, 'it is a value of the type undefined'],
  ['null', null, 'it is null'],
  ['a module', { default: () => undefined }, 'it is a value of the type object'],
  ['a class', class Guard {}, 'it is a class'],
  ['a generator function', function* old() {}, 'it is a generator function'],
  ['one of Express', (_req: unknown, _res: unknown, next: () => void) => next(), EXPRESS],
  ['an asynchronous one of Express', async (_a: unknown, _b: unknown, next: () => void) => next(), EXPRESS],
  ['one of Express for errors', (_e: unknown, _a: unknown, _b: unknown, next: () => void) => next(), EXPRESS],
  ['a bound one of Express', ((_a: unknown, _b: unknown, next: () => void) => next()).bind({}), EXPRESS],
  ['a listener of Node', (req: { url: string }, res: Writable) => res.end(req.url), EXPRESS],
  [
    'a function as a listener',
    async function answer(request: unknown, response: Writable) {
      response.end(request);
    },
    EXPRESS,
  ],
];

interface Writable {
  end(value: unknown): void;
}

test.each(UNFIT)('%s in place of a middleware ends the boot, and no request', async (_what, handle, problem) => {
  const given = definePlugin({
    id: 'app/audit',
    category: 'middleware',
    description: 'Is under test',
    needs: ['http'],
    register: ({ contribute }) => contribute(HttpMiddleware, () => ({ name: 'audit', handle: handle as never })),
  });
  await expect(
    bootTestApp({ plugins: [http, plugin(() => Promise.resolve({ default: given }))] }),
  ).rejects.toMatchObject({
    code: 'FW_HTTP_MIDDLEWARE',
    message: expect.stringMatching(
      new RegExp(`^http: the middleware audit( \\(\\w+\\))? cannot run: ${problem.replace(/[()]/g, '\\$&')}`),
    ),
  });
});

test('so does one of a route', async () => {
  const routes = routesUnderTest((router) => {
    router.get('/orders', { use: [{} as never] }, () => ({}));
  });
  await expect(bootTestApp({ plugins: [http, routes] })).rejects.toMatchObject({
    message: expect.stringContaining('http: a middleware of GET /orders cannot run'),
  });
});

type Rest = Parameters<AnyMiddleware>[1];

test('middlewares and handlers of Express are refused by name in every place of a route module', async () => {
  const guard = ((_req: unknown, _res: unknown, next: () => void) => next()) as never;
  const places: readonly (readonly [named: string, register: (router: Router) => void])[] = [
    ['a middleware of GET /use (guard)', (router) => router.get('/use', { use: [guard] }, () => ({}))],
    ['a middleware of GET /between (guard)', (router) => router.get('/between', guard, () => ({}))],
    [
      'a middleware of GET /group/in (guard)',
      (router) => router.group('/group', guard, (group) => group.get('/in', () => ({}))),
    ],
    [
      'a middleware of GET /after (guard)',
      (router) => {
        router.use(guard);
        router.get('/after', () => ({}));
      },
    ],
    ['the handler of GET /handler (guard)', (router) => router.get('/handler', guard)],
  ];
  for (const [named, register] of places) {
    await expect(bootTestApp({ plugins: [http, routesUnderTest(register)] })).rejects.toMatchObject({
      code: 'FW_HTTP_MIDDLEWARE',
      message: expect.stringContaining(`http: ${named} cannot run: ${EXPRESS}`),
    });
  }
});

test('`koa.use` refuses them too', async () => {
  const app = await bootTestApp({ plugins: [http] });
  const { koa } = app.services.get(HttpServer);
  expect(() => koa.use(((_req: unknown, _res: unknown, next: () => void) => next()) as never)).toThrow(EXPRESS);
  await app.stop();
});

test('no middleware of Koa is taken for one of Express, and koa-compose gives none', async () => {
  const seen: string[] = [];
  const note = (name: string) => (_ctx: unknown, next: Rest) => (seen.push(name), next());
  const middlewares: readonly AnyMiddleware[] = [
    note('plain'),
    async (_ctx, next) => void (await next()),
    async (_ctx, next, ...rest: unknown[]) => void (rest.length === 0 && (await next())),
    ...[(_ctx: unknown, next: Rest, _limit = 3) => next()],
    ((...args: [unknown, Rest]) => args[1]()) as AnyMiddleware,
    async function request(_ctx, next) {
      await next();
    },
    ((request: { readonly url: string }, next: Rest) => (seen.push(request.url), next())) as AnyMiddleware,
    ((_options: unknown, _ctx: unknown, next: Rest) => next()).bind(undefined, {}) as AnyMiddleware,
    compose([async (_ctx: unknown, next: Rest) => next(), note('composed')] as never) as AnyMiddleware,
  ];
  const app = await bootTestApp({
    plugins: [http, routesUnderTest((router) => router.get('/', { use: middlewares }, () => ({ seen })))],
  });
  expect(await fetch(app.services.get(HttpServer).url).then((answer) => answer.json())).toEqual({
    seen: ['plain', '/', 'composed'],
  });
  await app.stop();
});
