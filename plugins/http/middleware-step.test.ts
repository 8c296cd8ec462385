import { expect, test } from '@jest/globals';
import { definePlugin, HttpMiddleware, plugin } from '../../kernel/index.js';
import { bootTestApp, routesUnderTest } from '../../kernel/testing/index.js';

const http = plugin(() => import('./index.js'), { port: 0 });

const UNFIT: readonly (readonly [what: string, handle: unknown, problem: string])[] = [
  ['nothing', undefined, 'it is a value of the type undefined'],
  ['null', null, 'it is null'],
  ['a module', { default: () => undefined }, 'it is a value of the type object'],
  ['a class', class Guard {}, 'it is a class'],
  ['a generator function', function* old() {}, 'it is a generator function'],
];

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
    message: expect.stringContaining(`http: the middleware audit is none: ${problem}`),
  });
});

test('so does one of a route', async () => {
  const routes = routesUnderTest((router) => {
    router.get('/orders', { use: [{} as never] }, () => ({}));
  });
  await expect(bootTestApp({ plugins: [http, routes] })).rejects.toMatchObject({
    message: expect.stringContaining('http: a middleware of GET /orders is none'),
  });
});
