import path from 'node:path';
import type { CommandAction } from '../../../kernel/contracts/command.js';
import { runDbPull } from '../db-pull/index.js';
import { type DatabaseOptions, withDatabase } from './with-database.js';

interface PullOptions extends DatabaseOptions {
  readonly dir: string;
  readonly force?: boolean;
  readonly schema?: readonly string[];
  readonly json?: boolean;
}

/** `fw db pull`: writes model declarations from a database that exists. */
const pull: CommandAction<PullOptions> = ({
  options: { dir, force = false, schema = [], json, ...database },
  out,
  progress,
}) =>
  withDatabase(database, { progress, doing: 'reading the tables' }, (db, { root }) =>
    runDbPull({
      ...{ db, root, folder: path.resolve(root, dir), force, schemas: schema },
      ...(database.database !== undefined && { database: database.database }),
      print: (line) => void (json || out(`${line}\n`)),
      ...(json && { report: (facts) => out(`${JSON.stringify(facts, null, 2)}\n`) }),
    }),
  );

export default pull;
