import { signedTokens } from '../harness/index.mjs';
import { MOST_VIEWS_ASKED, pathOf, SECRET, USERS } from './work.mjs';

/** Different tokens, so that nobody can remember one of them alone. */
const TOKENS = 64;

/** @param {string} token */
export const headersOf = (token) => ({
  'User-Agent': 'bench/1',
  Accept: 'application/json',
  Authorization: `Bearer ${token}`,
});

export const tokens = signedTokens(SECRET, { count: TOKENS, role: 'member' });

/** Requests as bytes: one for each user. */
export const requests = Array.from({ length: USERS }, (_, n) => {
  const headers = headersOf(/** @type {string} */ (tokens[n % TOKENS]));
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const path = pathOf(1 + ((n * 7) % USERS), n % MOST_VIEWS_ASKED);
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n`);
});
