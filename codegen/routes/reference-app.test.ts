import path from 'node:path';
import { describe, expect } from '@jest/globals';
import { HttpServer, plugin, type RouteInfo } from 'fw';
import type { TSchema } from 'typebox';
import shop from '../../docs/examples/shop/index.js';
import { validatorDigest } from '../../kernel/schema/index.js';
import { bootTestApp } from '../../kernel/testing/index.js';
import { anyOptions, test } from '../../plugins/orm/contract/any-database.js';
import { runCodegen } from '../engine/index.js';
import { readRouteRegistry } from './index.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** The routes of the running shop: its own plugin on the server and an empty database. */
async function liveRoutes(): Promise<readonly RouteInfo[]> {
  await using app = await bootTestApp({
    generated: () => import('../../generated/index.js'),
    plugins: [
      plugin(() => import('fw/http'), { port: 0 }),
      plugin(() => import('fw/orm'), { ...(await anyOptions()), schema: 'create-missing' }),
      plugin(() => import('fw/middleware/jwt'), { accessSecret: 'x'.repeat(32) }),
      plugin(() => Promise.resolve(shop), { adminPassword: 'x', accessSecret: 'x'.repeat(32) }),
    ],
  });
  return (app.services.get(HttpServer) as HttpServer).routes();
}

const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
const key = ({ method, path: pattern }: { method: string; path: string }) => `${pattern} ${method}`;

describe('generated/ of the reference app', () => {
  test('is what fw codegen makes of the sources', async () => {
    const { stale, problems } = await runCodegen({ root: ROOT, check: true });
    expect({ stale, problems }).toEqual({ stale: [], problems: [] });
  });

  test('lists the routes that the running shop has, with the same facts', async () => {
    const { routes } = readRouteRegistry(ROOT);
    const live = await liveRoutes();
    expect(live.length).toBeGreaterThan(10);
    expect(routes.map(key)).toEqual(live.map(key).sort());
    for (const info of live) {
      const { title, tags, status, input, output, middlewares, roles, public: isPublic } = info;
      const entry = routes.find((route) => key(route) === key(info));
      expect([entry?.roles, entry?.public]).toEqual([roles, isPublic]);
      expect(entry).toMatchObject({
        title,
        tags,
        status,
        middleware: middlewares,
        input: plain(input),
        output: plain(output),
        unresolved: [],
      });
    }
  });

  test('has a validator for every input, found by the digest that run time computes', async () => {
    const { validators } = (await import('../../generated/validators.js')) as { validators: Record<string, unknown> };
    const digests = (await liveRoutes()).flatMap(({ input }) =>
      Object.values(input).map((schema) => validatorDigest(schema as TSchema)),
    );
    expect(digests.filter((digest) => typeof validators[digest] !== 'function')).toEqual([]);
    expect(digests.length).toBeGreaterThan(5);
  });
});
