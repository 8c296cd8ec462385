import type { CommandAction } from '../../../kernel/contracts/command.js';
import { runDbCheck } from '../db-check/index.js';
import { type DatabaseOptions, withDatabase } from './with-database.js';

interface CheckOptions extends DatabaseOptions {
  readonly write?: boolean;
  readonly rows?: string;
  readonly schema?: readonly string[];
  readonly keep?: boolean;
  readonly json?: boolean;
}

/** `fw db check`: checks that the models describe a database, and that rows are read and written back without a change. */
const check: CommandAction<CheckOptions> = ({ options, out, err, progress }) => {
  const { write, rows, schema = [], keep, json, ...database } = options;
  if (rows !== undefined && !/^[1-9]\d{0,8}$/.test(rows)) {
    err(`--rows takes a whole number from 1 on; got "${rows}"\n`);
    return 2;
  }
  return withDatabase(database, { progress, doing: 'checking the database' }, (db, { root }) =>
    runDbCheck({
      ...{ db, root, schemas: schema, print: (line: string) => out(`${line}\n`) },
      ...(database.database !== undefined && { database: database.database }),
      ...(rows !== undefined && { rows: Number(rows) }),
      ...{ write: write ?? false, keep: keep ?? false, json: json ?? false },
    }),
  );
};

export default check;
