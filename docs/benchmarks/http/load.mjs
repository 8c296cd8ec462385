import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { ORIGIN, ROLE, SECRET } from './work.mjs';

/** Different users and tokens, so that nobody can remember an answer. */
const USERS = 1_000;
const TOKENS = 64;

const tokens = Array.from({ length: TOKENS }, (_, n) => {
  const parts = [
    { alg: 'HS256', typ: 'JWT' },
    { sub: `user-${n}`, name: `User ${n}`, role: ROLE, tenant: 'acme', exp: Math.floor(Date.now() / 1000) + 86_400 },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return `${parts.join('.')}.${createHmac('sha256', SECRET).update(parts.join('.')).digest('base64url')}`;
});

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

/**
 * Keeps connections busy until the requests are used up: each sends its next request when it has its answer.
 *
 * @param {number} port
 * @param {{ readonly requests: number, readonly connections: number, readonly chain: boolean }} plan
 */
export async function load(port, { requests, connections, chain }) {
  const texts = chain ? CHAIN : BARE;
  let sent = 0;
  const next = () => (sent < requests ? texts[sent++ % USERS] : undefined);
  await Promise.all(Array.from({ length: connections }, () => oneConnection(port, next)));
}

/** @type {(port: number, next: () => Buffer | undefined) => Promise<void>} */
function oneConnection(port, next) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const send = () => {
      const request = next();
      if (request) socket.write(request);
      else socket.end(resolve);
    };
    socket.setNoDelay(true).setEncoding('latin1').on('connect', send).on('error', reject);
    socket.on('data', (text) => {
      received += text;
      if (!isComplete(received)) return;
      if (received.startsWith('HTTP/1.1 200 ')) {
        received = '';
        send();
      } else {
        socket.destroy();
        reject(new Error(`not the answer that was asked for: ${received.slice(0, 200)}`));
      }
    });
  });
}

/** @param {string} text */
function isComplete(text) {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  return length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= end + 4 + Number(length);
}
