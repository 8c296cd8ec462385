import { boundedKey } from '../../http/index.js';

/**
 * Key of a request target: its path, its query with the names in order, and the encoding of the response; the digest of them
 * where they are long.
 */
export function keyOfTarget(target: string, encoding: string): string {
  return boundedKey(wholeKey(target, encoding));
}

function wholeKey(target: string, encoding: string): string {
  const query = target.indexOf('?');
  if (query < 0) return encoding === '' ? target : `${target}#${encoding}`;
  const parts = target.slice(query + 1).split('&');
  return `${target.slice(0, query)}?${parts.sort().join('&')}#${encoding}`;
}
