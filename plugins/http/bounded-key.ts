import { hash } from 'node:crypto';

/** Longest key that is kept as it is; the digest of a longer one has 45 characters. */
const MOST_CHARACTERS = 64;

/**
 * A key for a store that a client's text decides about: the text itself when it is short, its digest otherwise, so that the
 * number of entries bounds the memory.
 */
export function boundedKey(text: string): string {
  // No target, address or name begins with this sign.
  return text.length <= MOST_CHARACTERS ? text : `=${hash('sha256', text, 'base64')}`;
}
