import { existsSync } from 'node:fs';
import path from 'node:path';
import { ChangeSet, type FileChange } from '../../kernel/fs/index.js';
import { contextOver, type GeneratorContext } from './engine/context.js';
import { CONFIG_FILE } from './engine/project.js';

/** What came of a generator's work on a project. */
export interface AppliedChanges<Result> {
  readonly result: Result;
  readonly files: readonly FileChange[];
  /** Files of generated/ that code generation wrote or removed afterwards. */
  readonly generated: readonly string[];
  /** Mistakes that code generation found. */
  readonly problems: readonly string[];
}

/**
 * Lets a generator work on a project, writes all of it or nothing, and brings generated/ up to date. What the generator says is
 * passed on once it is true: after a refusal nothing was written, and nothing is said about it.
 *
 * @param root - existing folder
 * @param dryRun - whether nothing shall be written; the result lists what would be
 */
export async function applyToProject<Result>(
  root: string,
  log: (line: string) => void,
  work: (context: GeneratorContext) => Promise<Result>,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<AppliedChanges<Result>> {
  const changes = await ChangeSet.open(root);
  const lines: string[] = [];
  const result = await work(contextOver(changes, (line) => lines.push(line)));
  if (dryRun) return { result, files: changes.discard(), generated: [], problems: [] };
  const files = await changes.commit();
  lines.forEach(log);
  return { result, files, ...(await regenerated(changes.root)) };
}

/**
 * The project that a folder belongs to: the folder itself, or the nearest one above it, that has an app.config.ts. The folder
 * itself when there is none, so that an error names what the caller meant.
 */
export function projectRoot(folder: string): string {
  let at = path.resolve(folder);
  while (!existsSync(path.join(at, CONFIG_FILE))) {
    const above = path.dirname(at);
    if (above === at) return folder;
    at = above;
  }
  return at;
}

/** Runs code generation where there is something to generate from. */
export async function regenerated(root: string): Promise<Pick<AppliedChanges<unknown>, 'generated' | 'problems'>> {
  if (!existsSync(path.join(root, CONFIG_FILE))) return { generated: [], problems: [] };
  const { runCodegen } = await import('../engine/run-codegen.js');
  const { written, removed, problems } = await runCodegen({ root });
  return {
    generated: [...written, ...removed],
    problems: problems.map(({ file, line, message }) => `${file}:${line}: ${message}`),
  };
}
