import { builtInTools } from '../tool-set/built-in-tools.js';

/**
 * Loads the built-in tool plugins one after another. Jest fails to link modules that several imports reach at the same
 * time for the first time; Node does not.
 */
export async function loadBuiltInTools(): Promise<void> {
  for (const { load } of await builtInTools()) await load();
}
