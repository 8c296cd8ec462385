import path from 'node:path';
import { Command } from 'commander';
import { type DatabaseOptions, withDatabase } from './with-database.js';

interface PullOptions extends DatabaseOptions {
  readonly dir?: string;
  readonly force?: boolean;
}

/** `fw db pull`: writes model declarations from a database that exists. */
export function dbCommand(finish: (exitCode: number) => void): Command {
  const pull = new Command('pull')
    .description('Write a model class for each table of the database')
    .option('--config <file>', 'configuration whose orm plugin opens the database; default dist/app.config.js')
    .option('--profile <name>', 'dev, test or prod')
    .option('--dir <folder>', 'folder of the models', 'app/models')
    .option('--force', 'overwrite models that are there')
    .action(async (options: PullOptions) => finish(await pullModels(options)));
  return new Command('db').description('Work with the database').addCommand(pull.exitOverride());
}

async function pullModels({ dir = 'app/models', force = false, ...database }: PullOptions): Promise<number> {
  const { runDbPull } = await import('../../plugins/orm/db-pull/index.js');
  return withDatabase(database, (db, { root }) =>
    runDbPull({ db, folder: path.resolve(root, dir), force, print: (line) => void process.stdout.write(`${line}\n`) }),
  );
}
