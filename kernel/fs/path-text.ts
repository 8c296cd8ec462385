import path from 'node:path';
import { fwError } from '../errors/index.js';
import { FS_ERRORS } from './errors.js';

/**
 * Checks the text of a path before anything is looked up, and makes it absolute.
 *
 * @param candidate - as a caller wrote it; surrounding blanks are ignored, and an empty text means `base`
 * @param base - absolute directory that relative paths start from
 * @throws FwError `FW_PATH_MALFORMED`
 */
export function absolutePath(candidate: string, base: string): string {
  const text = typeof candidate === 'string' ? candidate.trim() : candidate;
  const problem = problemOf(text);
  if (problem === undefined) return path.resolve(base, text);
  throw fwError(FS_ERRORS.FW_PATH_MALFORMED, { path: JSON.stringify(text) ?? String(text), problem, base });
}

function problemOf(text: unknown): string | undefined {
  if (typeof text !== 'string') return 'it is not text';
  if (text.includes('\0')) return 'it contains a NUL character';
  if (/^file:/i.test(text)) return 'it is a file: URL';
  if (text.startsWith('\\\\') || (path.sep === '\\' && text.startsWith('//')))
    return 'it names a network share or a device';
  if (/^~($|[/\\])/.test(text)) return 'only a shell replaces ~ by a home directory';
  return undefined;
}
