import path from 'node:path';
import { Argument, Command } from 'commander';
import { type DatabaseOptions, withDatabase } from './with-database.js';

interface MigrateOptions extends DatabaseOptions {
  readonly dir?: string;
  readonly name?: string;
  readonly dropTables?: boolean;
}

const HELP = `
Subcommands:
  up             apply every pending migration
  down           roll the last applied one back
  status         list migrations and their state
  diff           write a migration from the difference between the models and the database
  new <name>     write an empty migration`;

/** `fw migrate`: runs and writes database migrations (SPEC "States and transitions", Migration). */
export function migrateCommand(finish: (exitCode: number) => void): Command {
  return new Command('migrate')
    .description('Run and write database migrations')
    .addArgument(new Argument('<subcommand>').choices(['up', 'down', 'status', 'diff', 'new']))
    .argument('[name]', 'name of a new migration')
    .option('--config <file>', 'configuration whose orm plugin opens the database; default dist/app.config.js')
    .option('--profile <name>', 'dev, test or prod')
    .option('--dir <folder>', "folder of the migrations; default the configuration's, else app/migrations")
    .option('--name <name>', 'name of the migration that diff writes')
    .option('--drop-tables', 'let diff drop tables that no model has')
    .addHelpText('after', HELP)
    .action(async (subcommand: string, name: string | undefined, options: MigrateOptions) => {
      finish(await migrate(subcommand, name, options));
    });
}

async function migrate(subcommand: string, name: string | undefined, options: MigrateOptions): Promise<number> {
  const { runMigrateCommand } = await import('../../plugins/orm/migrations/index.js');
  return withDatabase(options, (db, { config, root }) =>
    runMigrateCommand({
      db,
      folder: path.resolve(root, options.dir ?? config.migrations ?? 'app/migrations'),
      args: [
        subcommand,
        ...(name === undefined ? [] : [name]),
        ...(options.name === undefined ? [] : ['--name', options.name]),
        ...(options.dropTables ? ['--drop-tables'] : []),
      ],
      print: (line) => void process.stdout.write(`${line}\n`),
    }),
  );
}
