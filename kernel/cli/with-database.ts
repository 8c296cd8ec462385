import type { Database as OpenDatabase } from '../../plugins/orm/index.js';
import { bootApp } from '../boot/index.js';
import { type LoadedConfig, loadConfig } from '../config/index.js';
import { createLogger } from '../log/index.js';

/** Which database a command works on. */
export interface DatabaseOptions {
  /** Configuration whose `orm` plugin opens the database; default dist/app.config.js. */
  readonly config?: string;
  readonly profile?: string;
}

/**
 * Opens the application's database for one command: boots its `orm` plugin and nothing else, without touching the schema.
 *
 * @throws FwError of the configuration, or `FW_CONTAINER_UNBOUND` when it has no `orm` plugin
 */
export async function withDatabase<Result>(
  { config: file, profile }: DatabaseOptions,
  work: (db: OpenDatabase, loaded: LoadedConfig) => Promise<Result>,
): Promise<Result> {
  const loaded = await loadConfig(file);
  const { Database } = await import('../../plugins/orm/index.js');
  const app = await bootApp(loaded.config, {
    profile,
    root: loaded.root,
    only: ['orm'],
    overrides: { orm: { schema: 'none' } },
    log: createLogger({ name: loaded.config.name, level: 'warn', destination: process.stderr }),
  });
  try {
    return await work(app.services.get(Database), loaded);
  } finally {
    await app.stop();
  }
}
