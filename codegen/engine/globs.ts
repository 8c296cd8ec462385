import path from 'node:path';
import { glob } from 'tinyglobby';
import { isInside } from '../../kernel/values/index.js';

const NEVER = ['**/*.d.{ts,mts,cts}', '**/*.test.{ts,mts,cts,tsx,js,mjs,cjs,jsx}', '**/node_modules/**', '**/dist/**'];
// A glob such as app/models/* also matches files that are no sources, so only these extensions count.
const SOURCE = /\.[cm]?[jt]sx?$/;

/** Absolute paths of the source files that match, sorted; tests, declarations and generated files never do. */
export async function matching(globs: readonly string[], root: string, outDir: string): Promise<readonly string[]> {
  if (globs.length === 0) return [];
  const found = await glob([...globs], { cwd: root, absolute: true, ignore: NEVER });
  return found.filter((file) => SOURCE.test(file) && !isInside(file, outDir)).sort();
}

/** The folder that a glob starts in, relative like the glob itself: `app/models` for `app/models/**` and `app/models/*.ts`. */
export function folderOf(glob: string): string {
  const parts = glob.split('/');
  const pattern = parts.findIndex((part) => /[*?{}[\]()!]/.test(part));
  return parts.slice(0, pattern < 0 ? -1 : pattern).join('/') || '.';
}

/** Path relative to a folder, with forward slashes on every system. */
export function portable(root: string, file: string): string {
  return path.relative(root, file).split(path.sep).join('/');
}
