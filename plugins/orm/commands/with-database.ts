import { type App, bootApp } from '../../../kernel/boot/index.js';
import { BUILT_CONFIG, type LoadedConfig, loadConfig } from '../../../kernel/config/index.js';
import type { Progress } from '../../../kernel/contracts/index.js';
import { type FwError, fwError } from '../../../kernel/errors/index.js';
import { createLogger } from '../../../kernel/log/index.js';
import { ORM_ERRORS } from '../core/index.js';
import { Database, type DatabaseHandle, Databases } from '../index.js';

/** Which database a command works on. */
export interface DatabaseOptions {
  /** Configuration whose `orm` plugin opens the database; default dist/app.config.js. */
  readonly config?: string;
  readonly profile?: string;
  /** Name of the database; default the one without a name. */
  readonly database?: string;
}

/**
 * Opens the application's database for one command: boots its plugins of the category `orm` and what they need, without touching the
 * schema.
 *
 * @param showing - describes the work, for the progress line
 * @throws FwError of the configuration, `FW_ORM_NO_DATABASE`, or `FW_ORM_DATABASE_NAME`
 */
export async function withDatabase<Result>(
  { config: file, profile, database }: DatabaseOptions,
  { progress, doing }: { readonly progress: Progress; readonly doing: string },
  work: (db: DatabaseHandle, loaded: LoadedConfig) => Promise<Result>,
): Promise<Result> {
  return progress('opening the database', async (next) => {
    const { db, loaded, close } = await opened({ config: file, profile, database });
    try {
      next(doing);
      return await work(db, loaded);
    } finally {
      next('closing the database');
      await close();
    }
  });
}

/** Boots the plugins of the category `orm` and what they need, without touching the schema. */
export const bootDatabases = (
  { config, root }: LoadedConfig,
  profile: string | undefined,
  level: 'warn' | 'fatal',
): Promise<App> =>
  bootApp(config, {
    profile,
    root,
    onlyCategory: 'orm',
    overrides: { orm: { schema: 'none', pendingMigrations: 'ignore', drift: 'ignore' } },
    log: createLogger({ name: config.name, level, destination: process.stderr }),
  });

async function opened({ config: file, profile, database }: DatabaseOptions) {
  const loaded = await loadConfig(file, { profile });
  const app = await bootDatabases(loaded, profile, 'warn');
  try {
    const { services } = app;
    const databases = services.getOptional(Databases);
    if (databases === undefined) throw withoutDatabase(file);
    const db = database === undefined ? services.get(Database) : databases.get(database);
    return { db, loaded, close: () => app.stop() };
  } catch (error) {
    await app.stop();
    throw error;
  }
}

/** The error for an application without a database. @param config - the configuration that was asked for */
export const withoutDatabase = (config = BUILT_CONFIG): FwError => fwError(ORM_ERRORS.FW_ORM_NO_DATABASE, { config });
