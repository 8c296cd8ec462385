import path from 'node:path';
import { type LoadedConfig, loadConfig, MIGRATIONS_FOLDER } from '../../../kernel/config/index.js';
import type { CommandAction } from '../../../kernel/contracts/command.js';
import { isFwError } from '../../../kernel/errors/index.js';
import { DEFAULT_DATABASE } from '../dialect/index.js';
import { migrateArguments, runMigrateCommand, writeNewMigration } from '../migrations/index.js';
import { modelsOf } from '../model-databases.js';
import { migrationsFolder } from '../schema-at-start.js';
import { type DatabaseOptions, withDatabase } from './with-database.js';

interface MigrateOptions extends DatabaseOptions {
  readonly dir?: string;
  readonly name?: string;
  readonly dropTables?: boolean;
  readonly as?: string;
  readonly code?: boolean;
  readonly concurrently?: boolean;
  readonly notValid?: boolean;
  readonly lockTimeout?: string;
  readonly rename?: readonly string[];
}

/** `fw migrate`: runs and writes database migrations (SPEC "States and transitions", Migration). */
const migrate: CommandAction<MigrateOptions, [subcommand: string, argument?: string]> = async (call) => {
  const { args: words, options, out, err, progress } = call;
  const args = [
    ...words.filter((word) => word !== undefined),
    ...(options.name === undefined ? [] : ['--name', options.name]),
    ...(options.as === undefined ? [] : ['--as', options.as]),
    ...(options.lockTimeout === undefined ? [] : ['--lock-timeout', options.lockTimeout]),
    ...(options.rename ?? []).flatMap((each) => ['--rename', each]),
    ...(options.code ? ['--code'] : []),
    ...(options.concurrently ? ['--concurrently'] : []),
    ...(options.notValid ? ['--not-valid'] : []),
    ...(options.dropTables ? ['--drop-tables'] : []),
  ];
  const print = (line: string) => out(`${line}\n`);
  try {
    // Before the database is opened for nothing.
    const given = migrateArguments(args);
    if (given.subcommand === 'new') {
      const loaded = await loadConfig(options.config, options);
      return await writeNewMigration({ root: loaded.root, folder: folderOf(loaded, options), print }, given);
    }
  } catch (error) {
    if (!isFwError(error) || error.code !== 'FW_MIGRATE_USAGE') throw error;
    err(`${error.message}\n`);
    return 2;
  }
  return withDatabase(options, { progress, doing: `fw migrate ${words[0]}` }, (db, loaded) =>
    runMigrateCommand({
      ...{ db, root: loaded.root, folder: folderOf(loaded, options), isNamed: options.dir !== undefined },
      ...{ args, print, models: modelsOf(options.database ?? DEFAULT_DATABASE) },
    }),
  );
};

export default migrate;

// Each database has its own migrations: app/migrations, app/migrations-reports.
function folderOf({ config, root }: LoadedConfig, { dir, database }: MigrateOptions): string {
  const own = config.migrations ?? MIGRATIONS_FOLDER;
  return path.resolve(root, dir ?? (database === undefined ? own : migrationsFolder(own, database)));
}
