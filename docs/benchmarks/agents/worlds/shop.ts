import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootTestApp, type BootedTestApp } from '../../../../kernel/testing/index.js';
import {
  definePlugin,
  DiagnosticsRegistry,
  HttpRoutes,
  HttpServer,
  type Logger,
  plugin,
} from '../../../../kernel/index.js';
import dashboard from '../../../../plugins/dashboard/index.js';
import http, { routes } from '../../../../plugins/http/index.js';
import logging from '../../../../plugins/middleware/logging/index.js';
import recovery from '../../../../plugins/middleware/recovery/index.js';
import { anyOptions } from '../../../../plugins/orm/contract/any-database.js';
import orm, { Database } from '../../../../plugins/orm/index.js';
import { rowsIn, stock } from './stock.js';

/** The rows of a model, by its name. */
type RowsOf = (name: string) => unknown;

/** What a module of a task exports: it adds its routes. */
type AddRoutes = (router: Parameters<Parameters<typeof routes>[0]>[0], log: Logger, rowsOf: RowsOf) => void;

/** Source of one module of the shop, and what is to be true of its health. */
export interface ShopPart {
  /** Name of the module, `app/<name>.mjs`. */
  readonly name: string;
  readonly source: string;
  readonly probe?: { readonly status: 'ok' | 'degraded'; readonly summary: string };
}

/** One application that all tasks about a running service share. Their bugs are in different modules and routes. */
export interface ShopWorld {
  readonly app: BootedTestApp;
  readonly url: string;
  readonly root: string;
}

/** Buyers in the database of the shop. */
export const BUYERS = 12;

/** Writes the modules below a folder, boots them, and begins to listen. */
export async function shopWorld(root: string, parts: readonly ShopPart[]): Promise<ShopWorld> {
  await mkdir(path.join(root, 'app'), { recursive: true });
  await writeFile(path.join(root, 'package.json'), '{ "name": "shop", "version": "1.0.0", "type": "module" }\n');
  const modules: AddRoutes[] = [];
  for (const { name, source } of parts) {
    const file = path.join(root, 'app', `${name}.mjs`);
    await writeFile(file, source);
    if (!source.includes('export default')) continue;
    modules.push(((await import(pathToFileURL(file).href)) as { default: AddRoutes }).default);
  }
  const app: BootedTestApp = await bootTestApp({
    profile: 'dev',
    root,
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(dashboard), {}),
      recovery,
      logging,
      plugin(() => Promise.resolve(orm), { ...(await anyOptions()), schema: 'create-missing' }),
      shopPlugin(modules, (name) => rowsIn(app.services.get(Database), name)),
    ],
  });
  await stock(app.services.get(Database), BUYERS);
  const diagnostics = app.services.get(DiagnosticsRegistry);
  for (const { name, probe } of parts) if (probe) diagnostics.register(name, () => probe);
  return { app, root, url: app.services.get(HttpServer).url };
}

const shopPlugin = (modules: readonly AddRoutes[], rowsOf: RowsOf) =>
  definePlugin({
    id: 'shop',
    category: 'app',
    description: 'The routes of the tasks.',
    needs: ['http'],
    register: ({ contribute, log }) =>
      contribute(HttpRoutes, () =>
        routes((router) => {
          for (const addTo of modules) addTo(router, log, rowsOf);
        }, 'shop'),
      ),
  });
