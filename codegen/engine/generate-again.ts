import type { FollowedUp } from '../../kernel/fs/index.js';
import { regenerated } from './follow-up.js';

/** Runs code generation that a killed process left undone, for `recoverWrites`. */
export default async function generateAgain(root: string): Promise<FollowedUp> {
  // An error here must not keep the command from its own work, which may fix the cause.
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
