import { realpath } from 'node:fs/promises';
import { confinePath, openRoots, resolvePath, type Root } from '../../../kernel/fs/index.js';
import type { PathPolicy } from './path-policy.js';

/**
 * The policy for `--workspace`: paths stay inside the roots. Without roots (`--allow-any-path`) they go anywhere.
 *
 * @param declared - folders as the operator wrote them
 * @throws FwError `FW_PATH_ROOTS` when one is not an existing folder
 */
export async function pathPolicy(declared: readonly string[] | undefined, cwd: string): Promise<PathPolicy> {
  const here = await realpath(cwd);
  if (!declared) return { workspace: here, roots: undefined, confine: (given) => resolvePath(given, here) };
  const roots = await openRoots(declared, cwd);
  const workspace = await workspaceOf(here, roots);
  return {
    workspace,
    roots: roots.map((root) => root.declared),
    confine: async (given) => (await confinePath(given, roots, { base: workspace })).resolved,
  };
}

// The current folder if it is permitted, else the first root.
async function workspaceOf(here: string, roots: readonly [Root, ...Root[]]): Promise<string> {
  return confinePath(here, roots).then(
    ({ resolved }) => resolved,
    () => roots[0].resolved,
  );
}
