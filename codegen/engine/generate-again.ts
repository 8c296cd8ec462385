import type { FollowedUp } from '../../kernel/fs/index.js';
import { regenerated } from './follow-up.js';

/** Generates what another process was killed before, for `recoverWrites`. */
export default async function generateAgain(root: string): Promise<FollowedUp> {
  // Whatever goes wrong here must not keep the command from its own work, which may be what mends it.
  const { generated, problems } = await regenerated(root).catch((error: unknown) => ({
    generated: [],
    problems: [(error as Error).message],
  }));
  const [first, ...others] = problems;
  if (first !== undefined) {
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    return { isDone: false, text: `it waits for fw codegen, because it failed: ${first}${more}` };
  }
  const done = generated.length === 0 ? 'all it makes is there already' : `it was done now (${generated.join(', ')})`;
  return { isDone: true, text: done };
}
