import type { Candidate, CommandAction, CommandCompletion } from '../../contracts/command.js';
import { loadFunction } from '../../manifests/index.js';
import { allCommands } from '../brought-commands.js';
import { askedFor, candidatesFor, type Completing, completing } from '../completion/candidates.js';
import { SHELLS } from '../completion/shells.js';

/** `fw complete <shell> -- <words...>`: called by the scripts of `fw completion`. */
const complete: CommandAction<unknown, readonly string[]> = async ({ args: [shell = '', ...typed], cwd, out }) => {
  const form = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (form === undefined) return 2;
  const { commands } = await allCommands(cwd);
  const { words, prefix } = askedFor(typed);
  const own = completing(commands, words);
  const candidates = [...candidatesFor(commands, words), ...(own === undefined ? [] : await saidBy(own, cwd))];
  for (const { word, about } of candidates) out(`${form.line({ word: prefix + word, about })}\n`);
  return 0;
};

async function saidBy({ brought, module, words }: Completing, cwd: string): Promise<readonly Candidate[]> {
  const field = `${brought.field}.completes`;
  const complete = await loadFunction<CommandCompletion>({ by: brought.by, field, module });
  const found = await complete({ words, cwd });
  return found.filter(({ word }) => word.startsWith(words.at(-1) ?? ''));
}

export default complete;
