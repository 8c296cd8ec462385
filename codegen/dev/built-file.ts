import { createRequire } from 'node:module';
import path from 'node:path';

/** A program of the framework, by its path in dist/: bundled code may stand anywhere in it. */
export function builtFile(file: string): string {
  return path.join(path.dirname(createRequire(import.meta.url).resolve('fw/package.json')), 'dist', file);
}
