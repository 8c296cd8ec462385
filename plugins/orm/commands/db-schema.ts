import type { CommandAction } from '../../../kernel/contracts/command.js';
import { readSchema } from '../db-read/index.js';
import type { DatabaseOptions } from './with-database.js';

interface SchemaOptions extends DatabaseOptions {
  readonly json?: boolean;
}

/** `fw db schema`: says which tables and columns a database has. */
const schema: CommandAction<SchemaOptions, readonly string[]> = async ({ args, options, out, progress }) => {
  const { json, ...database } = options;
  const tables = await progress('reading the tables', () => readSchema(database, args.flat()));
  if (json) out(`${JSON.stringify({ tables })}\n`);
  else
    for (const { name, view, columns, keys = [] } of tables)
      out([`${view ? 'view ' : ''}${name}`, ...[...columns, ...keys].map((each) => `  ${each}`), ''].join('\n'));
  return 0;
};

export default schema;
