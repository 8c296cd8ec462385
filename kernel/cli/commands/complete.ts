import type { CommandAction } from '../../contracts/command.js';
import { allCommands } from '../brought-commands.js';
import { candidatesFor } from '../completion/candidates.js';
import { SHELLS } from '../completion/shells.js';

/** `fw complete <shell> -- <words...>`: what the scripts of `fw completion` ask. */
const complete: CommandAction<unknown, readonly string[]> = async ({ args: [shell = '', ...words], cwd, out }) => {
  const form = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (form === undefined) return 2;
  const { commands } = await allCommands(cwd);
  for (const each of candidatesFor(commands, words)) out(`${form.line(each)}\n`);
  return 0;
};

export default complete;
