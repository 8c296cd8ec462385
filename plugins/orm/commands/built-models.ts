import { existsSync } from 'node:fs';
import path from 'node:path';
import { BUILT_CONFIG, staleSources } from '../../../kernel/config/index.js';
import type { Progress } from '../../../kernel/contracts/index.js';
import { fwError } from '../../../kernel/errors/index.js';
import { CONFIG_FILE } from '../../../kernel/fs/index.js';
import { MIGRATION_ERRORS } from '../migrations/errors.js';

/** Whether a subcommand takes the models for what the database shall be. */
export const isByModels = (subcommand: string): boolean => subcommand === 'diff' || subcommand === 'baseline';

/**
 * Generates and compiles a project whose `dist/` is not of its sources, for a subcommand that compares the models with the database: models
 * are read from `dist/`, and a migration from those of an earlier build would be wrong. Types are not checked. A project without its
 * sources stays as it is.
 *
 * @param print - is told what was built
 * @throws FwError `FW_MIGRATE_SOURCES` when code generation fails, and what the build throws
 */
export async function buildModels(
  subcommand: string,
  {
    root,
    print,
    progress,
  }: { readonly root: string; readonly print: (line: string) => void; readonly progress: Progress },
): Promise<void> {
  if (!isByModels(subcommand) || !existsSync(path.join(root, CONFIG_FILE))) return;
  await progress('generating from the models', async (next) => {
    const { goOnWith } = await import('../../../kernel/manifests/index.js');
    const { isDone, text } = await goOnWith('code generation', root);
    if (!isDone) throw fwError(MIGRATION_ERRORS.FW_MIGRATE_SOURCES, { problem: text });
    const stale = await staleSources(root);
    if (stale.length === 0 && existsSync(path.join(root, BUILT_CONFIG))) return;
    next('compiling');
    const { buildApp } = await import('../../../kernel/build/index.js');
    const { files } = await buildApp({ root, check: false });
    const why = stale.length === 0 ? 'there was no build' : `changed: ${stale.join(', ')}`;
    print(`built ${files} files into dist/ (${why})`);
  });
}
