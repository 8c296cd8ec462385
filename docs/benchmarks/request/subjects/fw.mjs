import path from 'node:path';
import { PREPARED } from '../prepared.mjs';
import { SECRET } from '../work.mjs';

/**
 * @param {string} file
 * @param {{ readonly tokenCacheSize?: number }} variant
 */
export async function start(file, { tokenCacheSize }) {
  const { env } = process;
  Object.assign(env, { DATABASE_FILE: file, JWT_SECRET: SECRET });
  if (tokenCacheSize !== undefined) env['TOKEN_CACHE_SIZE'] = String(tokenCacheSize);
  const root = path.join(PREPARED, 'fw');
  const [{ bootApp, HttpServer }, { default: config }] = await Promise.all([
    import(path.join(PREPARED, 'node_modules/fw/dist/kernel/index.js')),
    import(path.join(root, 'dist/app.config.js')),
  ]);
  const app = await bootApp(config, { root, profile: 'prod' });
  return app.services.get(HttpServer).port;
}
