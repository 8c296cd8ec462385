import { createHash } from 'node:crypto';
import { withoutEnd } from '../../../kernel/values/index.js';

const PREFIX = '<!-- fw-llms-stamp:';
const STAMP = /^<!-- fw-llms-stamp: sha256=([0-9a-fA-F]+) -->$/;

/**
 * The digest that a document carries in its freshness stamp (SPEC "API reference configuration").
 * @returns the digest, and whether there is one
 */
export function readStamp(contents: string): readonly [digest: string, ok: boolean] {
  for (const line of contents.split('\n')) {
    const digest = STAMP.exec(line.trim())?.[1];
    if (digest !== undefined) return [digest, true];
  }
  return ['', false];
}

/** SHA-256 of a document without its stamp line, without white space at the ends of lines and without empty lines at the end. */
export function bodyDigest(document: string): string {
  const lines = document.split('\n').filter((line) => !line.trim().startsWith(PREFIX));
  const body = lines.map((line) => withoutEnd(line, ' \t\r')).join('\n');
  return createHash('sha256').update(withoutEnd(body, '\n')).digest('hex');
}

/** A document with its stamp as the last line. */
export function stamped(body: string): string {
  const text = `${withoutEnd(body, '\n')}\n`;
  return `${text}\n${PREFIX} sha256=${bodyDigest(text)} -->\n`;
}
