import { hash } from 'node:crypto';

/** Longest key that is kept as it is; the digest of a longer one has 45 characters. */
const MOST_CHARACTERS = 64;

/**
 * A store key made of a client's text: the text itself if it is short, else its digest, so that the number of entries bounds the memory.
 */
export function boundedKey(text: string): string {
  // No target, address or name begins with `=`.
  return text.length <= MOST_CHARACTERS ? text : `=${hash('sha256', text, 'base64')}`;
}
