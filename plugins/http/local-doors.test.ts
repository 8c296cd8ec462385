import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DoorRequest } from '../../kernel/index.js';
import { type DoorFacts, localDoors } from './index.js';

/** A value, and whether the rule lets it pass. */
type Case<Value> = readonly [value: Value, passes: boolean];

const pass = <Value>(...values: readonly Value[]): readonly Case<Value>[] => values.map((value) => [value, true]);
const fail = <Value>(...values: readonly Value[]): readonly Case<Value>[] => values.map((value) => [value, false]);

const ADDRESSES: readonly Case<string | undefined>[] = [
  ...pass('127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:127.9.9.9', '::ffff:7f00:1'),
  ...fail(undefined, '', '10.0.0.5', '192.168.1.2', '172.17.0.1', '0.0.0.0', '128.0.0.1', '::', '::2', 'fe80::1%eth0'),
  ...fail('::ffff:10.0.0.5', '::127.0.0.1', '169.254.1.1', '2001:db8::1', 'localhost', '127.0.0.1 ', '127.1'),
];

const PORTS = ['', ':3000', ':80', ':65535'];
const HOSTS: readonly Case<string | undefined>[] = [
  ...['localhost', 'LocalHost', 'shop.localhost', 'a.b.localhost', '127.0.0.1', '127.0.0.2', '[::1]'].flatMap((name) =>
    pass(...PORTS.map((port) => name + port)),
  ),
  ...['example.com', '10.0.0.5', '[::2]', '[::ffff:127.0.0.1]', '[::]', '0.0.0.0', '::1', 'localhost.', '127.0.0.1.']
    .flatMap((name) => fail(...PORTS.map((port) => name + port))), // prettier-ignore
  ...fail('127.1', '127.0.1', '0x7f.1', '0x7f000001', '2130706433', '017700000001', '127.0.0.01', '127.0.0.256'),
  ...fail('localhost.example.com', 'localhost@example.com', 'notlocalhost', '127.0.0.1.example.com', 'localhost:', ''),
  ...fail('localhost:3000:80', 'localhost:99999', 'localhost:x', ' localhost', 'localhost ', 'localhost, example.com'),
  ...fail('example.com, localhost', 'localhost\texample.com', 'ⓛocalhost', '127。0。0。1', undefined),
];

type Headers = Readonly<Record<string, string>>;

const PROXIES: readonly Case<Headers>[] = [
  ...pass<Headers>({}, { accept: '*/*', 'user-agent': 'curl/8' }, { 'x-requested-with': 'fetch', traceparent: '00-1' }),
  ...[
    ...['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Forwarded-Port', 'X-Forwarded'],
    ...['X-Forwarded-Prefix', 'X-Forwarded-Server', 'X-Forwarded-Client-Cert', 'Via', 'X-Real-IP', 'X-Client-IP'],
    ...['CF-Connecting-IP', 'CF-Ray', 'True-Client-IP', 'Fly-Client-IP', 'Fastly-Client-IP', 'X-Cluster-Client-IP'],
    ...['X-Original-Forwarded-For', 'X-Envoy-External-Address', 'X-Azure-ClientIP', 'CDN-Loop', 'X-Original-Host'],
    ...['X-AppEngine-User-IP', 'X-ProxyUser-Ip', 'Tailscale-User-Login', 'X-Amzn-Trace-Id', 'Proxy-Connection'],
  ].flatMap((name) => fail<Headers>({ [name.toLowerCase()]: '127.0.0.1' }, { [name.toLowerCase()]: '' })),
];

/** What a browser says of the page, in terms of the host that the request names. */
const PAGES: readonly Case<(host: string) => Headers>[] = [
  ...pass<(host: string) => Headers>(
    () => ({}),
    () => ({ 'sec-fetch-site': 'none' }),
    () => ({ 'sec-fetch-site': 'same-origin' }),
    (host) => ({ origin: `http://${host}` }),
    (host) => ({ origin: `https://${host.toUpperCase()}`, 'sec-fetch-site': 'same-origin' }),
    () => ({ origin: 'null', 'sec-fetch-site': 'same-origin' }),
  ),
  ...fail<(host: string) => Headers>(
    () => ({ 'sec-fetch-site': 'cross-site' }),
    () => ({ 'sec-fetch-site': 'same-site' }),
    () => ({ 'sec-fetch-site': '' }),
    () => ({ 'sec-fetch-site': 'same-origin, none' }),
    () => ({ origin: 'null' }),
    () => ({ origin: 'null', 'sec-fetch-site': 'none' }),
    () => ({ origin: 'http://evil.example' }),
    () => ({ origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' }),
    (host) => ({ origin: `http://${host}1` }),
    (host) => ({ origin: `http://${host}.evil.example` }),
    (host) => ({ origin: `http://${host}`, 'sec-fetch-site': 'cross-site' }),
    (host) => ({ origin: `ftp://${host}` }),
    (host) => ({ origin: `http://${host}, http://evil.example` }),
    () => ({ origin: 'chrome-extension://abcdef' }),
  ),
];

const PROFILES: readonly Case<string>[] = [...pass('dev', 'test'), ...fail('prod')];
const LISTENERS: readonly Case<string>[] = [
  ...pass('127.0.0.1', '127.0.0.2', '::1', 'localhost'),
  ...fail('0.0.0.0', '::', '10.0.0.5', '::ffff:10.0.0.5', 'shop.internal'),
];
// None of ADDRESSES: what a trusted proxy says of Host has a test of its own.
const TRUSTED: readonly Case<readonly string[]>[] = [...pass([]), ...fail(['192.0.2.0/24'], ['192.0.2.7'])];

const DOOR = { name: 'the back door', credential: 'its password' };

function requestOf(address: string | undefined, headers: Headers, url = '/'): DoorRequest {
  return { headers, url, socket: { remoteAddress: address } as DoorRequest['socket'] };
}

const TARGETS: readonly Case<string>[] = [
  ...pass('/', '/dashboard?a=//b', '//localhost/dashboard'),
  ...fail('http://localhost/dashboard', 'http://evil.example/', 'localhost:80', '*', ''),
];

describe('a door without a credential', () => {
  test('is open to a request that passes every part of the rule, and to no other', () => {
    const one = <Value>(cases: readonly Case<Value>[]) => fc.constantFrom(...cases);
    // Every other case is picked among those that pass: of seven free choices hardly one request would.
    const mostly = <Value>(cases: readonly Case<Value>[]) =>
      fc.oneof(
        { weight: 6, arbitrary: one(cases.filter(([, passes]) => passes)) },
        { weight: 1, arbitrary: one(cases) },
      );
    let passed = 0;
    fc.assert(
      fc.property(
        mostly(ADDRESSES), mostly(HOSTS), mostly(TARGETS), mostly(PROXIES), mostly(PAGES), mostly(PROFILES), mostly(LISTENERS), mostly(TRUSTED),
        fc.constantFrom<DoorFacts['openDoors']>('development', 'local', 'everyone'),
        ([address, a], [host, b], [target, h], [proxy, c], [page, d], [profile, e], [listener, f], [trustedProxies, g], openDoors) => {
          const headers = { ...proxy, ...page(host ?? ''), ...(host !== undefined && { host }) };
          const doors = localDoors(() => ({ profile, host: listener, trustedProxies, openDoors }));
          const isDevelopment = e && f && g;
          const isLocal = a && b && c && d && h;
          const expected = { development: isDevelopment && isLocal, local: isLocal, everyone: d }[openDoors];
          const refusal = doors.refusal(requestOf(address, headers, target), DOOR);
          expect(refusal === undefined).toBe(expected);
          const isClosed = openDoors === 'development' && !isDevelopment;
          if (refusal) expect(refusal.code).toBe(isClosed ? 'FW_HTTP_DOOR_CLOSED' : 'FW_HTTP_DOOR_LOCAL');
          if (refusal) expect(refusal.message).toContain('Set its password.');
          expect(doors.closedBecause !== undefined).toBe(isClosed);
          if (expected && openDoors === 'development') passed++;
        },
      ),
      { numRuns: 5_000 },
    ); // prettier-ignore
    expect(passed).toBeGreaterThan(100);
  });

  test('stays closed to any one thing that is wrong with an otherwise good request', () => {
    const facts: DoorFacts = { profile: 'dev', host: '127.0.0.1', trustedProxies: [], openDoors: 'development' };
    const opens = (address: string | undefined, headers: Headers, over: Partial<DoorFacts> = {}) =>
      localDoors(() => ({ ...facts, ...over })).refusal(requestOf(address, headers), DOOR) === undefined;
    const host = 'localhost:3000';
    const agrees = <Value>(cases: readonly Case<Value>[], open: (value: Value) => boolean) =>
      expect(cases.filter(([value, passes]) => open(value) !== passes).map(([value]) => value)).toEqual([]);
    agrees(ADDRESSES, (address) => opens(address, { host }));
    agrees(HOSTS, (each) => opens('127.0.0.1', each === undefined ? {} : { host: each }));
    agrees(TARGETS, (target) => {
      const doors = localDoors(() => facts);
      return doors.refusal(requestOf('127.0.0.1', { host }, target), DOOR) === undefined;
    });
    agrees(PROXIES, (headers) => opens('127.0.0.1', { host, ...headers }));
    agrees(PAGES, (page) => opens('127.0.0.1', { host, ...page(host) }));
    agrees(PROFILES, (profile) => opens('127.0.0.1', { host }, { profile }));
    agrees(LISTENERS, (listener) => opens('127.0.0.1', { host }, { host: listener }));
    agrees(TRUSTED, (trustedProxies) => opens('127.0.0.1', { host }, { trustedProxies }));
  });

  test('open to everyone behind a proxy, knows its own pages by what the proxy says, if it is one to trust', () => {
    const headers = { host: '10.0.0.7:3000', 'x-forwarded-host': 'shop.example', origin: 'https://shop.example' };
    const refusal = (trustedProxies: readonly string[]) => {
      const doors = localDoors(() => ({ profile: 'prod', host: '0.0.0.0', trustedProxies, openDoors: 'everyone' }));
      return doors.refusal(requestOf('10.0.0.1', headers), DOOR)?.code;
    };
    expect([refusal(['10.0.0.1']), refusal(['10.0.0.2']), refusal([])]).toEqual([
      undefined,
      'FW_HTTP_DOOR_LOCAL',
      'FW_HTTP_DOOR_LOCAL',
    ]);
  });

  test('is closed to a request whose connection is gone, and to one that never had a socket', () => {
    const doors = localDoors(() => ({ profile: 'dev', host: '::1', trustedProxies: [], openDoors: 'development' }));
    const headers = { host: 'localhost' };
    expect(doors.refusal({ headers, url: '/', socket: {} as never }, DOOR)?.code).toBe('FW_HTTP_DOOR_LOCAL');
    expect(doors.refusal({ headers, url: '/' } as never, DOOR)?.code).toBe('FW_HTTP_DOOR_LOCAL');
  });

  test.each([
    [{}, 'the back door is OPEN to whoever uses this machine: set its password'],
    [
      { profile: 'prod' },
      'the back door is CLOSED, because it has no credential and the profile is prod: set its password',
    ],
    [{ host: '0.0.0.0' }, /CLOSED.* the server listens on 0\.0\.0\.0, beyond this machine/],
    [{ trustedProxies: ['10.0.0.1'] }, /CLOSED.* trusted proxies are configured/],
    [{ profile: 'prod', openDoors: 'local' }, /OPEN to whoever uses this machine/],
    [{ profile: 'prod', openDoors: 'everyone' }, /OPEN to EVERYBODY who reaches this server: set its password/],
  ] satisfies readonly [Partial<DoorFacts>, string | RegExp][])(
    'says at boot how far it is open: %j',
    (over, words) => {
      const facts: DoorFacts = { profile: 'dev', host: '127.0.0.1', trustedProxies: [], openDoors: 'development' };
      expect(localDoors(() => ({ ...facts, ...over })).describe(DOOR)).toEqual(expect.stringMatching(words));
    },
  );
});
