import { spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeProject } from '../codegen/make-project.mjs';
import { PRODUCT_ROOT } from '../harness/index.mjs';

const FW = path.join(PRODUCT_ROOT, 'dist/kernel/bin/fw.js');

/** Models that requests read, at most. */
export const READ = 8;

/**
 * A project of so many models in SQLite, generated and built, whose tables are there. A request reads a row of one of eight models,
 * which are spread over all of them.
 *
 * @param {string} folder
 * @param {number} models
 */
export async function modelProject(folder, models) {
  await makeProject(folder, models);
  await rm(path.join(folder, 'app/use'), { recursive: true });
  await writeFile(path.join(folder, 'app.config.ts'), configText(path.join(folder, 'growth.sqlite')));
  await writeFile(path.join(folder, 'app/read.ts'), readText(models));
  for (const args of [['codegen'], ['build', '--no-check']]) run([FW, ...args], folder);
  run(['--input-type=module', '--eval', FILL], folder, { MODELS: String(models) });
}

/** @type {(args: readonly string[], cwd: string, env?: Readonly<Record<string, string>>) => void} */
function run(args, cwd, env = {}) {
  const options = { cwd, env: { ...process.env, ...env }, encoding: /** @type {const} */ ('utf8') };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
}

const FILL = `import { bootApp } from 'fw';
import { Database } from 'fw/orm';
const { default: config } = await import('./dist/app.config.js');
const app = await bootApp(config, { root: process.cwd(), profile: 'dev' });
const db = app.services.get(Database).sqlDB();
for (let n = 0; n < Number(process.env.MODELS); n++) {
  const columns = 'owner_id, name, email, price_cents, ratio, active, created_at';
  await db.execute('INSERT INTO items_' + n + ' (' + columns + ') VALUES (1, ?, ?, 5, 0.5, 1, ?)', ['one', 'a@b.c', '2026-01-02T03:04:05.000Z']);
}
await app.stop();
`;

/** @param {string} file - of the database */
const configText = (file) => `import { defineApp, plugin } from 'fw';

export default defineApp({
  name: 'growth',
  models: ['app/models/*.ts'],
  generated: () => import('./generated/index.js'),
  plugins: [
    plugin(() => import('fw/http'), { port: 0 }),
    plugin(() => import('fw/orm'), { driver: 'sqlite', file: ${JSON.stringify(file)}, pendingMigrations: 'ignore', drift: 'ignore' }),
    plugin(() => import('./app/read.js')),
  ],
});
`;

/** @param {number} models */
function readText(models) {
  const read = Array.from({ length: READ }, (_, at) => Math.floor((at * (models - 1)) / (READ - 1)));
  const distinct = [...new Set(read)];
  return `import { Database, definePlugin, HttpRoutes } from 'fw';
import { Database, model } from 'fw/orm';
import { routes } from 'fw/http';
${distinct.map((n) => `import { item${n} } from '../generated/item${n}.js';\nimport { Item${n} } from './models/item${n}.js';`).join('\n')}

export default definePlugin({
  id: 'read',
  category: 'app',
  description: 'Reads a row of a model.',
  needs: ['http'],
  uses: [Database],
  register: ({ contribute }) =>
    contribute(HttpRoutes, ({ get }) => {
      const db = get(Database);
      return routes((router) => {
${read.map((n, at) => `        router.get('/things${at}', () => model(db, Item${n}).where(item${n}.id.eq(1)).first());`).join('\n')}
      }, 'read');
    }),
});
`;
}
