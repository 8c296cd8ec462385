import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
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
  return async (token: string) => (await fetch(url, { headers: { Authorization: `Bearer ${token}` } })).status;
}

const signed = (method: string, key: Parameters<SignJWT['sign']>[0], payload: JWTPayload = {}, header: object = {}) =>
  new SignJWT({ exp: Math.trunc(Date.now() / 1000) + 60, ...payload })
    .setProtectedHeader({ alg: method, ...header })
    .sign(key);

describe('the option verifier', () => {
  test.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('takes tokens of %s by PEM, and of nobody else', async (method) => {
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
  });

  test('takes keys by JWKS, keeps them, and answers 503 while their server is away', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'a', use: 'sig', alg: 'RS256' };
    let asked = 0;
    let isAway = true;
    const server = createServer((_request, response) => {
      asked++;
      response.statusCode = isAway ? 500 : 200;
      response.end(JSON.stringify({ keys: [jwk, { ...jwk, kid: 'enc', use: 'enc' }] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    const jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
    const token = await signed('RS256', privateKey, {}, { kid: 'a' });
    const whileAway = await serve({ verifier: { method: 'RS256', jwksUrl } });
    expect([await whileAway(token), await whileAway(token), asked]).toEqual([503, 503, 1]);
    isAway = false;
    const ask = await serve({ verifier: { method: 'RS256', jwksUrl } });
    expect([await ask(token), await ask(token), asked]).toEqual([200, 200, 2]);
    expect(await ask(await signed('RS256', privateKey, {}, { kid: 'enc' }))).toBe(401);
    expect(await ask(await signed('RS256', privateKey, {}, { kid: 'unknown' }))).toBe(401);
    expect(asked).toBe(2);
  });

  test('holds tokens to audience, issuer and, unless told otherwise, exp', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const publicJwk = JSON.stringify(await exportJWK(publicKey));
    const verifier = { method: 'ES256', publicKey: publicJwk, audience: ['shop'], issuer: ['https://id.example'] };
    const claims = { aud: ['other', 'shop'], iss: 'https://id.example' };
    const ask = await serve({ verifier });
    expect(await ask(await signed('ES256', privateKey, claims))).toBe(200);
    expect(await ask(await signed('ES256', privateKey, { ...claims, aud: 'other' }))).toBe(401);
    expect(await ask(await signed('ES256', privateKey, { aud: 'shop' }))).toBe(401);
    const endless = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
    expect(await ask(endless)).toBe(401);
    expect(await (await serve({ verifier: { ...verifier, requireExpiry: false } }))(endless)).toBe(200);
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

  test('refuses a PEM or a JWK as an HMAC secret', async () => {
    const { publicKey } = await generateKeyPair('ES256', { extractable: true });
    for (const accessSecret of [await exportSPKI(publicKey), JSON.stringify(await exportJWK(publicKey))]) {
      expect(() => jwtAuthMiddleware({ accessSecret })).toThrow(
        expect.objectContaining({ code: 'FW_JWT_SECRET_IS_KEY' }),
      );
    }
  });
});
