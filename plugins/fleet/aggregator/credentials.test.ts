import * as crypto from 'node:crypto';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';

/** Lengths of what was compared, each time. */
const compared: [number, number][] = [];

jest.unstable_mockModule('node:crypto', () => ({
  ...crypto,
  timingSafeEqual: (a: Uint8Array, b: Uint8Array) => {
    compared.push([a.length, b.length]);
    return crypto.timingSafeEqual(a, b);
  },
}));

const { Credentials } = await import('./credentials.js');

const SHA256_BYTES = 32;

describe('credentials', () => {
  beforeEach(() => void compared.splice(0));

  test.each(['', 'x', 'the right token', 'the wrong token', 'x'.repeat(10_000), 'ключ'])(
    'the token %j is compared in constant time: always, and over the same number of bytes [FLEET-AUTH-INGEST-02]',
    (token) => {
      const credentials = new Credentials({ username: '', password: '', ingestToken: 'the right token' });
      const refusal = credentials.refuseWrite({ host: '127.0.0.1', 'x-fleet-token': token });
      expect(refusal === undefined).toBe(token === 'the right token');
      expect(compared).toEqual([[SHA256_BYTES, SHA256_BYTES]]);
    },
  );

  test.each(['admin:right', 'admin:wrong', 'a:b', ':'])('so is the login %j', (login) => {
    const credentials = new Credentials({ username: 'admin', password: 'right', ingestToken: '' });
    const authorization = `Basic ${Buffer.from(login).toString('base64')}`;
    expect(credentials.refuseRead({ authorization }) === undefined).toBe(login === 'admin:right');
    expect(compared).toEqual([[SHA256_BYTES, SHA256_BYTES]]);
  });
});
