import { interruptedWrites, projectRoot, recordRecoveries, recoverWrites } from '../fs/index.js';
import { type CommandManifest, goOnWith } from '../manifests/index.js';

/** Flags with which a command writes nothing. */
const READING: ReadonlySet<string> = new Set(['--check', '--dry-run', '--help', '-h']);

/**
 * Repairs writes that an earlier command or server left unfinished, before this command reads the project, and prints what it did to
 * standard error. A command that only reads, above all `fw start`, only reports them.
 *
 * @param typed - the words after `fw`
 * @throws FwError `FW_LOCK_TIMEOUT`, `FW_LOCK_DIRECTORY`
 */
export async function settleInterruptedWrites(
  command: CommandManifest,
  typed: readonly string[],
  cwd: string,
): Promise<void> {
  // A new project is not part of the one around it: its journal lies where it is made.
  const folder = command.makesProject ? cwd : projectRoot(cwd);
  const repairs = doesWrite(command, typed);
  const found = repairs ? await recoverWrites(folder, { followUp: goOnWith }) : await interruptedWrites(folder);
  if (repairs) await recordRecoveries(folder, found);
  for (const { text } of found) process.stderr.write(`${text}\n`);
}

function doesWrite({ writes = false }: CommandManifest, typed: readonly string[]): boolean {
  const isWriting = typeof writes === 'boolean' ? writes : writes.some((word) => typed.includes(word));
  return isWriting && !typed.some((each) => READING.has(each));
}
