import path from 'node:path';
import { PREPARED } from '../prepared.mjs';
import { SECRET } from '../work.mjs';

/** @param {string} file */
export async function start(file) {
  Object.assign(process.env, { DATABASE_FILE: file, JWT_SECRET: SECRET });
  const { listen } = await import(path.join(PREPARED, 'nest/dist/main.js'));
  return listen();
}
