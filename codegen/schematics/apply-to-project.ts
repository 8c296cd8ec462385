import { ChangeSet, type FileChange } from '../../kernel/fs/index.js';
import { commitAndGenerate, regenerated } from '../engine/follow-up.js';
import { contextOver, type GeneratorContext } from './engine/context.js';

/** Result of a generator for a project. */
export interface AppliedChanges<Result> {
  readonly result: Result;
  readonly files: readonly FileChange[];
  /** Files of generated/ that code generation wrote or removed afterwards. */
  readonly generated: readonly string[];
  /** Mistakes that code generation found. */
  readonly problems: readonly string[];
}

/**
 * Runs a generator on a project, writes all of its changes or none, and updates generated/. Messages of the generator are printed only
 * after the write, because after an error nothing was written.
 *
 * @param root - existing folder
 * @param dryRun - writes nothing; the result lists the changes
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
  const generate = () => {
    lines.forEach(log);
    return regenerated(changes.root);
  };
  const committed = await commitAndGenerate(changes, generate, { onRecovered: ({ text }) => log(text) });
  return { result, files: committed.files, ...committed.result };
}
