import { existsSync } from 'node:fs';
import path from 'node:path';
import { fwError, messageOf } from '../../kernel/errors/index.js';
import { type ChangeSet, type CommitOptions, CONFIG_FILE, type FileChange } from '../../kernel/fs/index.js';
import { CODEGEN_ERRORS } from './errors.js';

/** Name of code generation in a journal, for people to read. */
const CODE_GENERATION = 'code generation';

/** What code generation did after a change. */
interface Regenerated {
  /** Files of generated/ that were written or removed. */
  readonly generated: readonly string[];
  /** Mistakes in the sources; with any of them nothing was written. */
  readonly problems: readonly string[];
}

/** Runs code generation where there is something to generate from. */
export async function regenerated(root: string): Promise<Regenerated> {
  if (!existsSync(path.join(root, CONFIG_FILE))) return { generated: [], problems: [] };
  const { runCodegen } = await import('./run-codegen.js');
  const { written, removed, problems } = await runCodegen({ root });
  return {
    generated: [...written, ...removed],
    problems: problems.map(({ file, line, message }) => `${file}:${line}: ${message}`),
  };
}

/**
 * Commits changes to a project and runs code generation. If the process is killed in between, the next command or tool that writes runs
 * code generation and reports it.
 *
 * @param generate - called even when there was nothing to commit
 * @throws FwError `FW_CODEGEN_AFTER_WRITE` when code generation fails after the changes were made; its own error when there was nothing to
 *   commit
 */
export async function commitAndGenerate<Result>(
  changes: ChangeSet,
  generate: () => Promise<Result>,
  options: CommitOptions = {},
): Promise<{ readonly files: readonly FileChange[]; readonly result: Result }> {
  let result: Result | undefined;
  const written = changes.changes().map((change) => change.path);
  const run = async () => (result = await generate().catch((error: unknown) => failAfter(written, error)));
  const files = await changes.commit({ ...options, followUp: { kind: CODE_GENERATION, run } });
  return { files, result: result as Result };
}

// An error of code generation says "nothing was changed" about its own files, although the changes before it were made: so it is wrapped.
function failAfter(written: readonly string[], error: unknown): never {
  if (written.length === 0) throw error;
  const reason = messageOf(error);
  throw fwError(CODEGEN_ERRORS.FW_CODEGEN_AFTER_WRITE, { files: written, reason }, { cause: error });
}
