import path from 'node:path';
import { bootApp, HttpServer } from '../../../../dist/kernel/index.js';

/**
 * A project of so many models, built as its users build one.
 *
 * @param {number} _size
 * @param {string} folder
 */
export async function open(_size, folder) {
  const { default: config } = await import(path.join(folder, 'dist/app.config.js'));
  const app = await bootApp(config, { root: folder, profile: 'prod' });
  return { port: app.services.get(HttpServer).port };
}
