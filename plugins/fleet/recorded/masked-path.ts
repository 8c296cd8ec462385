/** A segment that looks like a word of the program, not like an id or a token: `orders`, `v1`, `v10`, `sign-in`, `openapi.json`. */
const WORD = '(?:v\\d{2,3}|[A-Za-z][A-Za-z_.~-]{0,31}\\d?)';
const WORDS = new RegExp(`^(?:/${WORD})*/?$`);
const SEGMENT = new RegExp(`^${WORD}$`);
/** Longest path that is looked at, in characters. */
const MAX_PATH = 512;

/**
 * A path without a route, in a form that may be recorded: without its query, and with `*` in place of each segment that may be an id or a
 * secret.
 *
 * @param path - of a URL, with or without a query
 */
export function maskedPath(path: string): string {
  const end = path.search(/[?#]/);
  const plain = end === -1 ? path : path.slice(0, end);
  if (plain.length <= MAX_PATH && WORDS.test(plain)) return plain;
  const segments = plain.slice(0, MAX_PATH).split('/');
  return segments.map((segment) => (segment === '' || SEGMENT.test(segment) ? segment : '*')).join('/');
}
