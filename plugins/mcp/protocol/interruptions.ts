import { type FollowedUp, interruptedWrites, recordRecoveries, recoverWrites } from '../../../kernel/fs/index.js';
import type { Tool } from '../../../kernel/contracts/tool.js';

/**
 * Handles interrupted writes in the folders of a call: for a tool that may write they are repaired first; any other call only reports them.
 */
export async function interruptionsOf(
  { paths = [], reach }: Tool,
  input: Readonly<Record<string, unknown>>,
  mayRepair: boolean,
): Promise<readonly string[]> {
  if (reach !== 'workspace') return [];
  const texts: string[] = [];
  for (const name of paths) {
    const folder = input[name] as string;
    // The tool itself refuses a folder that does not exist.
    const found = await interruptedWrites(folder).catch(() => []);
    const handled = mayRepair && found.length > 0 ? await recoverWrites(folder, { followUp }) : found;
    if (handled !== found) await recordRecoveries(folder, handled);
    texts.push(...handled.map(({ text }) => text));
  }
  return texts;
}

// Loaded lazily, because calls without interrupted writes do not need it.
async function followUp(kind: string, root: string): Promise<FollowedUp> {
  const { goOnWith } = await import('../../../kernel/manifests/index.js');
  return goOnWith(kind, root);
}
