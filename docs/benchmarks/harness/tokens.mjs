import { createHmac } from 'node:crypto';

/**
 * Tokens of HS256 for different users, good for a day, so that nobody can remember one answer.
 *
 * @param {string} secret
 * @param {{ readonly count: number, readonly role: string }} plan
 * @returns {string[]}
 */
export function signedTokens(secret, { count, role }) {
  const exp = Math.floor(Date.now() / 1000) + 86_400;
  return Array.from({ length: count }, (_, n) =>
    signedToken(secret, { sub: `user-${n}`, name: `User ${n}`, role, tenant: 'acme', exp }),
  );
}

/**
 * A token of HS256.
 *
 * @param {string} secret
 * @param {object} claims
 */
export function signedToken(secret, claims) {
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return `${parts.join('.')}.${createHmac('sha256', secret).update(parts.join('.')).digest('base64url')}`;
}
