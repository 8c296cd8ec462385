import type { CommandAction } from '../../../kernel/contracts/command.js';
import { readDatabase } from '../db-read/index.js';
import type { DatabaseOptions } from './with-database.js';

interface ReadOptions extends DatabaseOptions {
  readonly rows: string;
  readonly json?: boolean;
}

/** Milliseconds that the database works on a statement. */
const TIMEOUT_MS = 10_000;

/** `fw db read`: runs one statement, which the database refuses where it does more than read. */
const read: CommandAction<ReadOptions, [sql: string]> = async ({ args: [sql], options, out, err, progress }) => {
  const { rows, json, ...database } = options;
  if (!/^[1-9]\d{0,4}$/.test(rows)) {
    err(`--rows takes a whole number from 1 to 99999; got "${rows}"\n`);
    return 2;
  }
  const found = await progress('reading', () =>
    readDatabase({ ...database, sql, maxRows: Number(rows), timeoutMs: TIMEOUT_MS }),
  );
  if (json) out(`${JSON.stringify(found)}\n`);
  else {
    const cells = found.rows.map((row) => row.map((value) => (value === null ? 'NULL' : String(value))));
    out([found.columns, ...cells].map((row) => `${row.join('\t')}\n`).join(''));
    if (found.isCut) out(`... and more than these ${rows} rows\n`);
  }
  return 0;
};

export default read;
