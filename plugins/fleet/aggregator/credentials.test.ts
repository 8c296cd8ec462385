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
const { localDoors } = await import('../../http/index.js');

const closed = localDoors(() => ({ profile: 'prod', host: '127.0.0.1', trustedProxies: [], openDoors: 'development' }));
const open = localDoors(() => ({ profile: 'dev', host: '127.0.0.1', trustedProxies: [], openDoors: 'development' }));
const url = '/';
const clock = { now: () => 0, monotonic: () => 0 };
const socket = { remoteAddress: '127.0.0.1' } as never;

const SHA256_BYTES = 32;

describe('credentials', () => {
  beforeEach(() => void compared.splice(0));

  test.each(['', 'x', 'the right token', 'the wrong token', 'x'.repeat(10_000), 'ключ'])(
    'the token %j is compared in constant time: always, and over the same number of bytes [FLEET-AUTH-INGEST-02]',
    (token) => {
      const credentials = new Credentials(
        { username: '', password: '', ingestToken: 'the right token' },
        closed,
        clock,
      );
      const refusal = credentials.refuseWrite({ headers: { host: '127.0.0.1', 'x-fleet-token': token }, socket, url });
      expect(refusal === undefined).toBe(token === 'the right token');
      expect(compared).toEqual([[SHA256_BYTES, SHA256_BYTES]]);
    },
  );

  test.each(['admin:right', 'admin:wrong', 'a:b', ':'])('so is the login %j', (login) => {
    const credentials = new Credentials({ username: 'admin', password: 'right', ingestToken: '' }, closed, clock);
    const authorization = `Basic ${Buffer.from(login).toString('base64')}`;
    expect(credentials.refuseRead({ headers: { authorization }, socket, url }) === undefined).toBe(
      login === 'admin:right',
    );
    expect(compared).toEqual([[SHA256_BYTES, SHA256_BYTES]]);
  });

  const headers = { host: 'localhost' };
  const viewer = { username: 'admin', password: 'right' };
  const nobody = { username: '', password: '' };

  test.each([
    ['neither', { ...nobody, ingestToken: '' }, open, [true, true]],
    ['neither, in production', { ...nobody, ingestToken: '' }, closed, [false, false]],
    ['a login', { ...viewer, ingestToken: '' }, open, [false, true]],
    ['a login, in production', { ...viewer, ingestToken: '' }, closed, [false, false]],
    ['half a login', { ...viewer, password: '', ingestToken: '' }, open, [true, true]],
    ['a token', { ...nobody, ingestToken: 't' }, open, [true, false]],
    ['both', { ...viewer, ingestToken: 't' }, open, [false, false]],
  ])(
    'each credential guards its own door, and only the other falls back to the local rule: %s',
    (_, settings, doors, passes) => {
      const credentials = new Credentials(settings, doors, clock);
      const request = { headers, socket, url };
      expect(
        [credentials.refuseRead(request), credentials.refuseWrite(request)].map((each) => each === undefined),
      ).toEqual(passes);
      expect(credentials.openness).toHaveLength(
        [credentials.guardsReading, credentials.guardsWriting].filter((on) => !on).length,
      );
    },
  );

  test('the process itself passes where nothing is set, from any address, and nowhere else', () => {
    const own = ({ processToken }: InstanceType<typeof Credentials>) => ({
      url,
      headers: { 'x-fleet-token': processToken },
      socket: { remoteAddress: '10.0.0.5' } as never,
    });
    const unset = new Credentials({ ...nobody, ingestToken: '' }, closed, clock);
    expect([unset.refuseRead(own(unset)), unset.refuseWrite(own(unset))]).toEqual([undefined, undefined]);
    const set = new Credentials({ ...viewer, ingestToken: 't' }, closed, clock);
    for (const refusal of [set.refuseRead(own(set)), set.refuseWrite(own(set)), unset.refuseRead(own(set))]) {
      expect(refusal?.status).toBeGreaterThanOrEqual(401);
    }
    expect(unset.processToken).not.toBe(set.processToken);
  });

  test('eight wrong logins of an address close reading to it for a quarter of an hour, and to no other', () => {
    let at = 0;
    const credentials = new Credentials({ ...viewer, ingestToken: 't' }, closed, { now: () => at, monotonic: () => at });
    const ask = (login: string | undefined, remoteAddress = '192.0.2.1', more = {}) => {
      const authorization = login && { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
      return credentials.refuseRead({ url, headers: { ...authorization, ...more }, socket: { remoteAddress } as never })?.code;
    };
    for (let tries = 0; tries < 20; tries++) expect(ask(undefined)).toBe('FW_FLEET_UNAUTHORIZED');
    for (let tries = 0; tries < 8; tries++) expect(ask('admin:wrong', '192.0.2.1', { 'x-forwarded-for': `10.0.0.${tries}` })).toBe('FW_FLEET_UNAUTHORIZED');
    expect(ask('admin:right')).toBe('FW_FLEET_TOO_MANY_LOGINS');
    expect(ask('admin:right', '192.0.2.2')).toBeUndefined();
    // Not to a dashboard of this process, which still needs the login; nor does a wrong one of it count.
    const own = { 'x-fleet-token': credentials.processToken };
    expect(ask('admin:right', '192.0.2.1', own)).toBeUndefined();
    for (let tries = 0; tries < 8; tries++) expect(ask('admin:wrong', '192.0.2.3', own)).toBe('FW_FLEET_UNAUTHORIZED');
    expect(ask('admin:right', '192.0.2.3')).toBeUndefined();
    at += 15 * 60_000;
    expect(ask('admin:right')).toBeUndefined();
  }); // prettier-ignore
});
