import path from 'node:path';
import { frameworkFolder } from '../../kernel/plugin/framework-version.js';

/** Path of a program of the framework in dist/, found from there because bundled code may be anywhere in dist/. */
export function builtFile(file: string): string {
  return path.join(frameworkFolder(), 'dist', file);
}
