import path from 'node:path';
import { Argument, Command } from 'commander';
import { type LoadedConfig, loadConfig } from '../config/index.js';
import { isFwError } from '../errors/index.js';
import { type DatabaseOptions, withDatabase } from './with-database.js';

interface MigrateOptions extends DatabaseOptions {
  readonly dir?: string;
  readonly name?: string;
  readonly dropTables?: boolean;
}

const HELP = `
Subcommands:
  up [count]     apply every pending migration, or the next so many
  down [count]   roll the last applied one back, or the last so many
  status         list migrations and their state
  diff           write a migration from the difference between the models and the database
  new <name>     write an empty migration`;

/** `fw migrate`: runs and writes database migrations (SPEC "States and transitions", Migration). */
export function migrateCommand(finish: (exitCode: number) => void): Command {
  return new Command('migrate')
    .description('Run and write database migrations')
    .addArgument(new Argument('<subcommand>').choices(['up', 'down', 'status', 'diff', 'new']))
    .argument('[argument]', 'name of a new migration, or how many to apply or roll back')
    .option('--config <file>', 'configuration whose orm plugin opens the database; default dist/app.config.js')
    .option('--profile <name>', 'dev, test or prod')
    .option('--dir <folder>', "folder of the migrations; default the configuration's, else app/migrations")
    .option('--name <name>', 'name of the migration that diff writes')
    .option('--drop-tables', 'let diff drop tables that no model has')
    .addHelpText('after', HELP)
    .action(async (subcommand: string, argument: string | undefined, options: MigrateOptions) => {
      finish(await migrate(subcommand, argument, options));
    });
}

async function migrate(subcommand: string, argument: string | undefined, options: MigrateOptions): Promise<number> {
  const { migrateArguments, runMigrateCommand, writeNewMigration } =
    await import('../../plugins/orm/migrations/index.js');
  const args = [
    subcommand,
    ...(argument === undefined ? [] : [argument]),
    ...(options.name === undefined ? [] : ['--name', options.name]),
    ...(options.dropTables ? ['--drop-tables'] : []),
  ];
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  try {
    // Before the database is opened for nothing.
    const given = migrateArguments(args);
    if (given.subcommand === 'new')
      return await writeNewMigration(
        { folder: folderOf(await loadConfig(options.config), options), print },
        given.name,
      );
  } catch (error) {
    if (!isFwError(error) || error.code !== 'FW_MIGRATE_USAGE') throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
  return withDatabase(options, (db, loaded) =>
    runMigrateCommand({ db, folder: folderOf(loaded, options), isNamed: options.dir !== undefined, args, print }),
  );
}

const folderOf = ({ config, root }: LoadedConfig, { dir }: MigrateOptions): string =>
  path.resolve(root, dir ?? config.migrations ?? 'app/migrations');
