import { createRequire } from 'node:module';
import path from 'node:path';

/** Path of a program of the framework in dist/, found from there because bundled code may be anywhere in dist/. */
export function builtFile(file: string): string {
  return path.join(path.dirname(createRequire(import.meta.url).resolve('fw/package.json')), 'dist', file);
}
