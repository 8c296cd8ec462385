import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { type TestFile } from './test-titles.js';

const PATTERNS = ['{kernel,plugins,codegen,docs}/**/*.test.ts'];
const IGNORED = ['**/node_modules/**', '**/dist/**'];

/** Reads every test file of the repository; `root` is its absolute path. Paths in the answer have forward slashes and are sorted. */
export function readTestFiles(root: string): readonly TestFile[] {
  const paths = globSync(PATTERNS, { cwd: root, ignore: IGNORED, followSymbolicLinks: false }).sort();
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}
