import { signedTokens } from '../harness/index.mjs';
import { ORIGIN, ROLE, SECRET } from './work.mjs';

/** Different users and tokens, so that nobody can remember an answer. */
const USERS = 1_000;
const TOKENS = 64;

const tokens = signedTokens(SECRET, { count: TOKENS, role: ROLE });

/** Headers of a request through the nine. @param {number} n */
export function headersOf(n) {
  return {
    'User-Agent': 'bench/1',
    Accept: 'application/json',
    'Accept-Encoding': 'gzip, deflate, br',
    'Accept-Language': 'de-DE,de;q=0.9,en;q=0.8',
    Cookie: 'sid=0123456789abcdef; theme=dark',
    Origin: ORIGIN,
    Authorization: `Bearer ${tokens[n % TOKENS]}`,
  };
}

/** @type {(n: number, headers: Readonly<Record<string, string>>) => string} */
const requestOf = (n, headers) => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET /users/${10_000 + n * 7} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n`;
};
const BARE = Array.from({ length: USERS }, (_, n) => Buffer.from(requestOf(n, {})));
const CHAIN = Array.from({ length: USERS }, (_, n) => Buffer.from(requestOf(n, headersOf(n))));

/** Requests as bytes. @param {boolean} chain - with what the nine middlewares look at */
export const requestsOf = (chain) => (chain ? CHAIN : BARE);
