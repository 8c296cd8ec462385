import path from 'node:path';
import { type LoadedConfig, loadConfig, MIGRATIONS_FOLDER, staleSources } from '../../../kernel/config/index.js';
import type { CommandAction } from '../../../kernel/contracts/command.js';
import { isFwError } from '../../../kernel/errors/index.js';
import { developmentDatabase } from '../db-read/index.js';
import { DEFAULT_DATABASE } from '../dialect/index.js';
import {
  type MigrateFacts,
  type MigrateOptions,
  type MigrateRequest,
  migrateRequest,
  runMigrateCommand,
  writeNewMigration,
} from '../migrations/index.js';
import { modelsOf } from '../model-databases.js';
import { migrationsFolder } from '../schema-at-start.js';
import { buildModels, isByModels } from './built-models.js';
import { type DatabaseOptions, withDatabase } from './with-database.js';

interface CommandOptions extends DatabaseOptions, MigrateOptions {
  readonly dir?: string;
  readonly development?: boolean;
  readonly json?: boolean;
}

/** `fw migrate`: runs and writes database migrations (SPEC "States and transitions", Migration). */
const migrate: CommandAction<CommandOptions, [subcommand: string, argument?: string]> = async (call) => {
  const { args, options, out, err, progress } = call;
  const messages: string[] = [];
  const found: MigrateFacts[] = [];
  const print = (line: string) => (options.json ? void messages.push(line) : out(`${line}\n`));
  const report = (facts: MigrateFacts) => void found.push(facts);
  const told = (code: number) => {
    if (options.json) out(`${JSON.stringify({ ...joined(found), messages }, null, 2)}\n`);
    return code;
  };
  let request: MigrateRequest;
  try {
    // Read first, so that a wrong argument does not open the database.
    request = migrateRequest(
      args.filter((word) => word !== undefined),
      options,
    );
    if (request.subcommand === 'new') {
      const loaded = await loadConfig(options.config, options);
      const place = { root: loaded.root, folder: folderOf(loaded, options), print, report };
      return told(await writeNewMigration(place, request));
    }
  } catch (error) {
    if (!isFwError(error) || error.code !== 'FW_MIGRATE_USAGE') throw error;
    if (options.json) out(`${JSON.stringify({ error: { code: error.code, message: error.message } }, null, 2)}\n`);
    else err(`${error.message}\n`);
    return 2;
  }
  if (options.config === undefined) await buildModels(request.subcommand, { root: process.cwd(), print, progress });
  if (options.development) await developmentDatabase(options);
  return withDatabase(options, { progress, doing: `fw migrate ${request.subcommand}` }, async (db, loaded) => {
    // Compiled migrations and the configuration are those of the build, which a comparison of models has just made.
    const stale =
      options.config === undefined && !isByModels(request.subcommand) ? await staleSources(loaded.root) : [];
    if (stale.length > 0)
      print(`warning: ${stale.join(', ')} changed since dist/ was built: npm run build comes first`);
    return told(
      await runMigrateCommand({
        ...{ db, root: loaded.root, folder: folderOf(loaded, options), isNamed: options.dir !== undefined },
        ...{ request, print, report, models: modelsOf(options.database ?? DEFAULT_DATABASE) },
      }),
    );
  });
};

export default migrate;

// A diff may write two migrations.
function joined(found: readonly MigrateFacts[]): MigrateFacts {
  const written = found.flatMap((each) => each.written ?? []);
  return { ...Object.assign({}, ...found), ...(written.length > 0 && { written }) };
}

// Each database has its own migrations: app/migrations, app/migrations-reports.
function folderOf({ config, root }: LoadedConfig, { dir, database }: CommandOptions): string {
  const own = config.migrations ?? MIGRATIONS_FOLDER;
  return path.resolve(root, dir ?? (database === undefined ? own : migrationsFolder(own, database)));
}
