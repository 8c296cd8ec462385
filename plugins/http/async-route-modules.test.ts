import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { definePlugin, HttpRoutes, HttpServer, plugin, type Router } from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp } from '../../kernel/testing/index.js';
import docs from '../docs/index.js';
import http, { routes } from './index.js';

let app: BootedTestApp | undefined;
afterEach(async () => {
  await app?.stop();
  app = undefined;
});

// What the Fastify of many people looks like: a module that waits for something before its routes are there.
async function boot(register: (router: Router) => unknown): Promise<BootedTestApp> {
  app = await bootTestApp({
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(docs)),
      definePlugin({
        id: 'app',
        category: 'app',
        description: 'Answers',
        register({ contribute }) {
          contribute(HttpRoutes, () => routes(register, 'slow'));
          contribute(HttpRoutes, () => routes((router) => router.get('/last', () => 'last'), 'quick'));
        },
      }),
    ],
  });
  return app;
}

test('a module and its groups may wait before they register: served, listed and documented from the first request', async () => {
  const booted = await boot(async (router) => {
    await setTimeout(20);
    router.get('/behind', () => 'behind');
    router.group('/outer', async (outer) => {
      outer.get('/at-once', () => 'at once');
      await setTimeout(20);
      outer.group('/inner', async (inner) => {
        await setTimeout(20);
        inner.get('/deep', () => 'deep');
      });
    });
  });
  const server = booted.services.get(HttpServer);
  const paths = ['/behind', '/outer/at-once', '/outer/inner/deep', '/last'];
  const listed = server.routes().map(({ path }) => path);
  // In the order of the modules, however long one takes.
  expect(listed.filter((path) => paths.includes(path))).toEqual(paths);
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: object };
  expect(Object.keys(document.paths).sort()).toEqual([...paths].sort());
  expect(await (await fetch(`${server.url}/outer/inner/deep`)).text()).toBe('deep');
});

test.each<[string, (router: Router) => unknown]>([
  ['module', () => Promise.reject(new Error('no broker'))],
  ['group', (router) => router.group('/x', () => Promise.reject(new Error('no broker')))],
  [
    'group of a module that waits longer',
    (router) => {
      router.group('/x', () => Promise.reject(new Error('no broker')));
      return setTimeout(20);
    },
  ],
])('the start fails with the failure of a %s that waits', async (_what, register) => {
  await expect(boot(register)).rejects.toMatchObject({
    code: 'FW_HTTP_ROUTE_MODULE',
    message: 'The route module "slow" failed while it registered its routes: no broker',
  });
});

test('a route that comes when nobody waits any more is refused', async () => {
  let late: Router | undefined;
  const booted = await boot((router) => {
    late = router;
  });
  expect(() => late?.get('/late', () => 'late')).toThrow(
    expect.objectContaining({ code: 'FW_HTTP_ROUTE_LATE', message: expect.stringContaining('"slow" registers GET /late after the start') }), // prettier-ignore
  );
  expect((await fetch(`${booted.services.get(HttpServer).url}/late`)).status).toBe(404);
});
