import { type FollowedUp, interruptedWrites, recoverWrites } from '../../../kernel/fs/index.js';
import type { Tool } from '../../../kernel/contracts/tool.js';

/**
 * What a call has to say about writes that were interrupted in the folders that it is about: a tool that may write puts them
 * right before it looks at anything, any other one only reports them.
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
    // A folder that does not exist is for the tool to refuse.
    const found = await interruptedWrites(folder).catch(() => []);
    const handled = mayRepair && found.length > 0 ? await recoverWrites(folder, { followUp }) : found;
    texts.push(...handled.map(({ text }) => text));
  }
  return texts;
}

// Loaded here: it must not be on the path of a call that has nothing to put right.
async function followUp(kind: string, root: string): Promise<FollowedUp> {
  const { goOnWith } = await import('../../../kernel/manifests/index.js');
  return goOnWith(kind, root);
}
