import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import { fwError } from '../../kernel/errors/index.js';
import { isGenerated, withBanner } from './banner.js';
import { CODEGEN_ERRORS } from './errors.js';
import type { GeneratedFile } from './generator.js';
import { portable } from './globs.js';
import { isInside } from '../../kernel/values/index.js';

/** A file with the generator that made it. */
export interface Output {
  readonly generator: string;
  readonly file: GeneratedFile;
}

/** Why a file on the disk has to change. */
export type Staleness = 'missing' | 'stale' | 'orphaned';

/** One file of `generated/` that has to change. */
export interface Change {
  /** Absolute path. */
  readonly path: string;
  readonly reason: Staleness;
  /** Text to write; undefined for an orphan, which is deleted. */
  readonly text: string | undefined;
}

/** Changes to `generated/`. */
export interface OutputPlan {
  readonly changes: readonly Change[];
  /** Absolute paths of the files that are right already. */
  readonly unchanged: readonly string[];
}

/** Where the output goes. */
interface PlanContext {
  readonly root: string;
  readonly outDir: string;
}

/**
 * Compares the output of the generators with the files on disk. Files without our banner are never touched, unless a generator claims their
 * path.
 *
 * @throws FwError `FW_CODEGEN_OUTPUT`, `FW_CODEGEN_OUTSIDE`
 */
export function planOutput(outputs: readonly Output[], context: PlanContext): OutputPlan {
  const wanted = new Map<string, string>();
  const owners = new Map<string, string>();
  for (const { generator, file } of outputs) {
    const target = targetOf(generator, file, context);
    const owner = owners.get(target);
    if (owner !== undefined) {
      throw fwError(CODEGEN_ERRORS.FW_CODEGEN_OUTPUT, { first: owner, second: generator, path: file.path });
    }
    owners.set(target, generator);
    wanted.set(target, textOf(file, context));
  }
  const changes = [...wanted].flatMap(([target, text]) => changeOf(target, text));
  const changed = new Set(changes.map((change) => change.path));
  return {
    changes: [...changes, ...orphans(wanted, context.outDir)].sort((a, b) => (a.path < b.path ? -1 : 1)),
    unchanged: [...wanted.keys()].filter((target) => !changed.has(target)).sort(),
  };
}

function targetOf(generator: string, file: GeneratedFile, { outDir }: PlanContext): string {
  const target = path.resolve(outDir, file.path);
  if (path.isAbsolute(file.path) || !isInside(target, outDir)) {
    throw fwError(CODEGEN_ERRORS.FW_CODEGEN_OUTSIDE, { generator, path: file.path });
  }
  return target;
}

function textOf({ path: name, content, sources }: GeneratedFile, { root }: PlanContext): string {
  const shown = [...new Set(sources)].map((source) => portable(root, source)).sort();
  return withBanner(name, content, { sources: shown });
}

function changeOf(target: string, text: string): Change[] {
  const present = textOnDisk(target);
  // A checkout may have changed the line endings, which does not count as a change.
  if (present?.replaceAll('\r\n', '\n') === text) return [];
  return [{ path: target, reason: present === undefined ? 'missing' : 'stale', text }];
}

function orphans(wanted: ReadonlyMap<string, string>, outDir: string): Change[] {
  return filesIn(outDir)
    .filter((file) => !wanted.has(file) && isGenerated(textOnDisk(file) ?? ''))
    .map((file) => ({ path: file, reason: 'orphaned', text: undefined }));
}

/** Every file under `generated/`, absolute. */
export function filesIn(outDir: string): readonly string[] {
  return existsSync(outDir)
    ? globSync(['**/*'], { cwd: outDir, absolute: true }).map((file) => path.normalize(file))
    : [];
}

function textOnDisk(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
