import type { CommandAction } from '../../../kernel/contracts/command.js';
import { makeReader } from '../db-read/index.js';
import type { DatabaseOptions } from './with-database.js';

interface ReaderOptions extends DatabaseOptions {
  readonly print?: boolean;
}

/** `fw db reader`: makes a login that only reads, for `fw db read` and the tools of an agent. */
const reader: CommandAction<ReaderOptions> = async ({ options: { print = false, ...database }, out, progress }) => {
  const { statements, login, variable } = await progress('making the login', () => makeReader(database, print));
  if (print) out([...statements.map((each) => `${each};`), `-- ${variable}=${login}`, ''].join('\n'));
  else out(`made the login, and put its address into .env.local as ${variable}\n`);
  return 0;
};

export default reader;
