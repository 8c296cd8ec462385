import { interruptedWrites, projectRoot, recoverWrites } from '../fs/index.js';
import { type CommandManifest, goOnWith } from '../manifests/index.js';

/** With one of these, a command writes nothing. */
const READING: ReadonlySet<string> = new Set(['--check', '--dry-run', '--help', '-h']);

/**
 * Puts right what an earlier command or server was interrupted in, before this one looks at the project, and says so on standard
 * error. A command that only reads, `fw start` above all, reports it.
 *
 * @param typed - what stands behind `fw`
 * @throws FwError `FW_LOCK_TIMEOUT`, `FW_LOCK_DIRECTORY`
 */
export async function settleInterruptedWrites(
  command: CommandManifest,
  typed: readonly string[],
  cwd: string,
): Promise<void> {
  // A new project is not part of the one around it: its journal lies where it is made.
  const folder = command.makesProject ? cwd : projectRoot(cwd);
  const found = doesWrite(command, typed)
    ? await recoverWrites(folder, { followUp: goOnWith })
    : await interruptedWrites(folder);
  for (const { text } of found) process.stderr.write(`${text}\n`);
}

function doesWrite({ writes = false }: CommandManifest, typed: readonly string[]): boolean {
  const isWriting = typeof writes === 'boolean' ? writes : writes.some((word) => typed.includes(word));
  return isWriting && !typed.some((each) => READING.has(each));
}
