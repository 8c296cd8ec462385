import { createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { HttpServer, type OptionsInput, plugin } from '../../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest } from '../../../kernel/testing/index.js';
import http from '../../http/index.js';
import type { jwtOptionsSchema } from './options.js';
import jwt, { jwtAuthMiddleware } from './index.js';

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type JWTPluginOptions = OptionsInput<typeof jwtOptionsSchema>;

async function serve(options: JWTPluginOptions) {
  const app: BootedTestApp = await bootTestApp({
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(jwt), options),
      routesUnderTest((router) => router.get('/', (ctx) => ctx.state['user'])),
    ],
  });
  closing.push(() => app.stop());
  const { url } = app.services.get(HttpServer);
  const ask = async (token: string) => (await fetch(url, { headers: { Authorization: `Bearer ${token}` } })).status;
  return Object.assign(ask, { log: app.log });
}

const signed = (method: string, key: Parameters<SignJWT['sign']>[0], payload: JWTPayload = {}, header: object = {}) =>
  new SignJWT({ exp: Math.trunc(Date.now() / 1000) + 60, ...payload })
    .setProtectedHeader({ alg: method, ...header })
    .sign(key);

/** Timers of the server and of fetch stay; the clocks alone are the test's. */
const KEPT_TIMERS = [
  ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'] as const),
  ...(['nextTick', 'queueMicrotask', 'hrtime'] as const),
];

async function keysOfServer(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: 'RS256' } };
}

/** A server of keys, which fails while it has none. */
async function keyServer() {
  const state = { asked: 0, keys: undefined as object[] | undefined, url: '' };
  const server = createServer((_request, response) => {
    state.asked++;
    response.statusCode = state.keys === undefined ? 500 : 200;
    response.end(JSON.stringify({ keys: state.keys ?? [] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
  return state;
}

/** jose makes none so short. */
function weakRsa() {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  return Promise.resolve({ publicKey });
}

/** Of such a key the signature is the padded hash itself, which everybody can write. */
async function exponentOne() {
  const { n } = await exportJWK((await generateKeyPair('RS256', { extractable: true })).publicKey);
  return { publicKey: createPublicKey({ key: { kty: 'RSA', n, e: 'AQ' } as JsonWebKey, format: 'jwk' }) };
}

describe('the option verifier', () => {
  test.each(['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'])(
    'takes tokens of %s by PEM, and of nobody else',
    async (method) => {
      const mine = await generateKeyPair(method, { extractable: true });
      const other = await generateKeyPair(method);
      const pem = await exportSPKI(mine.publicKey);
      const ask = await serve({ verifier: { method, publicKey: pem } });
      expect(await ask(await signed(method, mine.privateKey))).toBe(200);
      expect(await ask(await signed(method, other.privateKey))).toBe(401);
      // The public key as an HMAC secret, which everybody knows.
      expect(await ask(await signed('HS256', new TextEncoder().encode(pem)))).toBe(401);
      expect(await ask(await signed(method, mine.privateKey, { exp: 1 }))).toBe(401);
      const own = await exportJWK(other.publicKey).catch(() => ({}));
      expect(await ask(await signed(method, other.privateKey, {}, { jwk: own, jku: 'https://127.0.0.1/' }))).toBe(401);
    },
  );

  describe.each(['Ed25519', 'EdDSA'])('as %s', (method) => {
    const pair = () => generateKeyPair('Ed25519', { extractable: true });
    const SPELLINGS = ['Ed25519', 'EdDSA'];

    test.each([undefined, ...SPELLINGS])('takes tokens in both spellings by a JWK whose `alg` is %s', async (alg) => {
      const { publicKey, privateKey } = await pair();
      const jwk = { ...(await exportJWK(publicKey)), alg, use: 'sig' };
      const ask = await serve({ verifier: { method, publicKey: JSON.stringify(jwk) } });
      const tokens = await Promise.all(SPELLINGS.map((spelling) => signed(spelling, privateKey)));
      expect(await Promise.all(tokens.map(ask))).toEqual([200, 200]);
    });

    test('takes tokens in both spellings by PEM, and those of no other method or key', async () => {
      const { publicKey, privateKey } = await pair();
      const pem = await exportSPKI(publicKey);
      const ask = await serve({ verifier: { method, publicKey: pem } });
      const other = await pair();
      for (const spelling of SPELLINGS) {
        expect(await ask(await signed(spelling, privateKey))).toBe(200);
        expect(await ask(await signed(spelling, other.privateKey))).toBe(401);
      }
      const { privateKey: ecKey } = await generateKeyPair('ES256');
      expect(await ask(await signed('ES256', ecKey))).toBe(401);
      expect(await ask(await signed('HS256', new TextEncoder().encode(pem)))).toBe(401);
    });

    test('takes tokens in both spellings by a key set, whatever its keys say', async () => {
      const server = await keyServer();
      const pairs = await Promise.all([pair(), pair(), pair(), pair()]);
      const jwks = await Promise.all(pairs.map(({ publicKey }) => exportJWK(publicKey)));
      const [plain, old, newer, twice] = jwks.map((jwk, at) => ({ ...jwk, kid: String(at) }));
      const rsa = await keysOfServer('rsa');
      server.keys = [
        ...[{ ...plain }, { ...old, alg: 'EdDSA' }, { ...newer, alg: 'Ed25519' }],
        ...[{ ...twice, alg: 'EdDSA' }, { ...twice, alg: 'Ed25519' }, rsa.jwk],
        ...[
          { ...plain, kid: 'foreign', alg: 'ES256' },
          { ...plain, kid: 'enc', use: 'enc' },
        ],
      ];
      const ask = await serve({ verifier: { method, jwksUrl: server.url } });
      for (const [at, { privateKey }] of pairs.entries())
        for (const spelling of SPELLINGS)
          expect([at, await ask(await signed(spelling, privateKey, {}, { kid: String(at) }))]).toEqual([at, 200]);
      expect(server.asked).toBe(1);
      expect(await ask(await signed('RS256', rsa.privateKey, {}, { kid: 'rsa' }))).toBe(401);
      const { privateKey } = pairs[0] as (typeof pairs)[0];
      for (const kid of ['foreign', 'enc', '1'])
        expect([kid, await ask(await signed('Ed25519', privateKey, {}, { kid }))]).toEqual([kid, 401]);
    });

    test.each([null, 'x', 7])('answers 503 for a key set with %j in it', async (key) => {
      const server = await keyServer();
      server.keys = [key as never];
      const ask = await serve({ verifier: { method, jwksUrl: server.url } });
      expect(await ask(await signed('Ed25519', (await pair()).privateKey))).toBe(503);
    });
  });

  test('takes keys by JWKS, keeps them, and answers 503 while their server is away', async () => {
    const { privateKey, jwk } = await keysOfServer('a');
    const server = await keyServer();
    const { url: jwksUrl } = server;
    const token = await signed('RS256', privateKey, {}, { kid: 'a' });
    const whileAway = await serve({ verifier: { method: 'RS256', jwksUrl } });
    expect([await whileAway(token), await whileAway(token), server.asked]).toEqual([503, 503, 1]);
    const told = whileAway.log.lines.filter(({ message }) => message.includes('key set'));
    expect(told.map(({ level }) => level)).toEqual(['warn']);
    server.keys = [jwk, { ...jwk, kid: 'enc', use: 'enc' }];
    const ask = await serve({ verifier: { method: 'RS256', jwksUrl } });
    expect([await ask(token), await ask(token), server.asked]).toEqual([200, 200, 2]);
    expect(await ask(await signed('RS256', privateKey, {}, { kid: 'enc' }))).toBe(401);
    expect(await ask(await signed('RS256', privateKey, {}, { kid: 'unknown' }))).toBe(401);
    expect(server.asked).toBe(2);
  });

  test('refuses tokens whose key in the set cannot be used, and believes the server for all others', async () => {
    const { privateKey, jwk } = await keysOfServer('a');
    const weak = { ...(await exportJWK((await weakRsa()).publicKey)), kid: 'weak' };
    const one = { ...(await exportJWK((await exponentOne()).publicKey)), kid: 'one' };
    const server = await keyServer();
    server.keys = [jwk, weak, one, { kty: 'RSA', kid: 'cut' }];
    const ask = await serve({ verifier: { method: 'RS256', jwksUrl: server.url } });
    const token = (kid: string) => signed('RS256', privateKey, {}, { kid });
    expect(await ask(await token('a'))).toBe(200);
    for (const kid of ['cut', 'weak', 'one', 'unknown']) expect([kid, await ask(await token(kid))]).toEqual([kid, 401]);
    expect(await ask(await token('a'))).toBe(200);
    const reasons = ask.log.lines.flatMap(({ fields: { reason } }) => (reason === undefined ? [] : [reason]));
    expect(reasons.slice(0, 3)).toEqual([
      'invalid token: its key in the key set cannot be read',
      'invalid token: its key in the key set has 1024 bits, and RS256 takes no fewer than 2048',
      'invalid token: its key in the key set has the exponent 1',
    ]);
    expect(ask.log.messages('warn').filter((message) => message.includes('key set'))).toEqual([]);
  });

  test('asks a server that had no keys at the start again before long, and not for each request', async () => {
    jest.useFakeTimers({ doNotFake: KEPT_TIMERS });
    closing.push(() => jest.useRealTimers());
    const { privateKey, jwk } = await keysOfServer('a');
    const server = await keyServer();
    const ask = await serve({ verifier: { method: 'RS256', jwksUrl: server.url } });
    const token = () => signed('RS256', privateKey, {}, { kid: 'a' });
    expect([await ask(await token()), await ask(await token()), server.asked]).toEqual([503, 503, 1]);
    server.keys = [jwk];
    jest.advanceTimersByTime(2000);
    expect([await ask(await token()), server.asked]).toEqual([200, 2]);
    // The server is back, so that a key that it does not have is nobody's.
    expect(await ask(await signed('RS256', privateKey, {}, { kid: 'unknown' }))).toBe(401);
  });

  test('goes by the last keys for an hour while their server is away, and asks it for a new one', async () => {
    jest.useFakeTimers({ doNotFake: KEPT_TIMERS });
    closing.push(() => jest.useRealTimers());
    const [mine, rotated] = await Promise.all([keysOfServer('a'), keysOfServer('b')]);
    const server = await keyServer();
    server.keys = [mine.jwk];
    const ask = await serve({ verifier: { method: 'RS256', jwksUrl: server.url } });
    const token = () => signed('RS256', mine.privateKey, {}, { kid: 'a' });
    const newer = () => signed('RS256', rotated.privateKey, {}, { kid: 'b' });
    expect(await ask(await token())).toBe(200);

    server.keys = undefined;
    jest.advanceTimersByTime(31_000);
    // Somebody's unknown key id makes the set to be asked for again, which is nothing to those whose key is known.
    expect(await ask(await newer())).toBe(503);
    expect(await ask(await token())).toBe(200);
    jest.advanceTimersByTime(3_000_000);
    expect(await ask(await token())).toBe(200);
    expect(await ask(await signed('RS256', rotated.privateKey, {}, { kid: 'a' }))).toBe(401);
    jest.advanceTimersByTime(600_000);
    expect(await ask(await token())).toBe(503);

    server.keys = [mine.jwk, rotated.jwk];
    jest.advanceTimersByTime(31_000);
    expect([await ask(await token()), await ask(await newer())]).toEqual([200, 200]);
  });

  test('does not believe withdrawn keys for hours when the clock was set back', async () => {
    jest.useFakeTimers({ doNotFake: KEPT_TIMERS });
    closing.push(() => jest.useRealTimers());
    const [withdrawn, other] = await Promise.all([keysOfServer('a'), keysOfServer('b')]);
    const server = await keyServer();
    server.keys = [withdrawn.jwk];
    const ask = await serve({ verifier: { method: 'RS256', jwksUrl: server.url } });
    const token = () => signed('RS256', withdrawn.privateKey, {}, { kid: 'a' });
    expect(await ask(await token())).toBe(200);
    server.keys = [other.jwk];
    jest.setSystemTime(Date.now() - 7_200_000);
    expect(await ask(await token())).toBe(200);
    jest.advanceTimersByTime(601_000);
    expect([await ask(await token()), server.asked]).toEqual([401, 2]);
    server.keys = undefined;
    jest.advanceTimersByTime(3_601_000);
    expect(await ask(await signed('RS256', other.privateKey, {}, { kid: 'b' }))).toBe(503);
  });

  test('holds tokens to audience, issuer and, unless told otherwise, exp', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const publicJwk = JSON.stringify(await exportJWK(publicKey));
    const verifier = { method: 'ES256', publicKey: publicJwk };
    const rules = { audience: ['shop'], issuer: ['https://id.example'] };
    const claims = { aud: ['other', 'shop'], iss: 'https://id.example' };
    const ask = await serve({ verifier, ...rules });
    expect(await ask(await signed('ES256', privateKey, claims))).toBe(200);
    expect(await ask(await signed('ES256', privateKey, { ...claims, aud: 'other' }))).toBe(401);
    expect(await ask(await signed('ES256', privateKey, { aud: 'shop' }))).toBe(401);
    const endless = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
    expect(await ask(endless)).toBe(401);
    expect(await (await serve({ verifier, ...rules, requireExpiry: false }))(endless)).toBe(200);
  });

  test.each([
    [{ verifier: { method: 'RS256', publicKey: 'x' } }],
    [{ verifier: { method: 'RS256' } }],
    [{ verifier: { method: 'RS256', jwksUrl: 'http://keys.example/' } }],
    [{ verifier: { method: 'RS256', jwksUrl: 'https://keys.example/' }, accessSecret: 'a'.repeat(32) }],
    [{ verifier: { method: 'RS256', jwksUrl: 'https://keys.example/' }, enableRefreshToken: true }],
  ])('refuses %j at boot', async (options) => {
    await expect(serve(options)).rejects.toThrow(/The option `verifier` of the JWT middleware cannot be used/);
  });

  test.each([
    ['RS256', () => generateKeyPair('ES256', { extractable: true }), /of kind ec prime256v1, and RS256 takes rsa/],
    ['ES384', () => generateKeyPair('ES256', { extractable: true }), /ES384 takes ec secp384r1/],
    ['EdDSA', () => generateKeyPair('RS256', { extractable: true }), /of kind rsa, and EdDSA takes ed25519/],
    ['RS256', () => weakRsa(), /1024 bits, and RS256 takes no fewer than 2048/],
    ['RS256', () => exponentOne(), /has the exponent 1/],
  ])('refuses a key that does not fit %s at boot, as PEM and as JWK', async (method, make, problem) => {
    const { publicKey } = await make();
    for (const text of [await exportSPKI(publicKey), JSON.stringify(await exportJWK(publicKey))]) {
      await expect(serve({ verifier: { method, publicKey: text } })).rejects.toThrow(problem);
    }
  });

  test('refuses PEM that is cut off at boot', async () => {
    const { publicKey } = await generateKeyPair('ES256', { extractable: true });
    const pem = await exportSPKI(publicKey);
    const cut = pem.replace(/[\w+/=]{30}\n-----END/, '\n-----END');
    await expect(serve({ verifier: { method: 'ES256', publicKey: cut } })).rejects.toThrow(/cannot be read/);
  });

  test('refuses a PEM or a JWK as an HMAC secret', async () => {
    const { publicKey } = await generateKeyPair('ES256', { extractable: true });
    for (const accessSecret of [await exportSPKI(publicKey), JSON.stringify(await exportJWK(publicKey))]) {
      expect(() => jwtAuthMiddleware({ accessSecret })).toThrow(
        expect.objectContaining({ code: 'FW_JWT_SECRET_IS_KEY' }),
      );
    }
  });
});
