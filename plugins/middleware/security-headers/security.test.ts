import { describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { servePlain } from '../../../kernel/testing/index.js';
import { corsMiddleware } from '../cors/index.js';
import { TWELVE } from '../testing/nine-middlewares.js';
import * as security from './index.js';
import {
  defaultSecurityMiddleware,
  securityMiddleware,
  withContentSecurityPolicy,
  withXFrameOptions,
} from './index.js';

async function headersOf(handle: security.SecurityMiddleware, after: Koa.Middleware = () => {}) {
  await using server = await servePlain(new Koa().use(handle).use(after));
  const { headers } = await fetch(server.url);
  return Object.fromEntries(Object.keys(TWELVE).map((name) => [name, headers.get(name)]));
}

describe('securityMiddleware', () => {
  test('sends the strict set of twelve headers by default [MW-SEC-01, MW-SEC-02, MW-SEC-CSP, MW-SEC-X-FRAME-OPTIONS, MW-SEC-X-CONTENT-TYPE-OPTIONS, MW-SEC-REFERRER-POLICY, MW-SEC-HSTS, MW-SEC-PERMISSIONS-POLICY, MW-SEC-X-XSS-PROTECTION, MW-SEC-EXPECT-CT, MW-SEC-CROSS-ORIGIN, MW-SEC-CACHE-CONTROL]', async () => {
    expect(await headersOf(defaultSecurityMiddleware())).toEqual(TWELVE);
  });

  test('overrides one value at a time and keeps the others [MW-SEC-OPT-01, MW-SEC-OPT-02]', async () => {
    const handle = securityMiddleware(withContentSecurityPolicy("default-src 'none'"), withXFrameOptions('SAMEORIGIN'));
    expect(await headersOf(handle)).toEqual({
      ...TWELVE,
      'content-security-policy': "default-src 'none'",
      'x-frame-options': 'SAMEORIGIN',
    });
  });

  test('has a setter for each header, and an empty value switches the header off', async () => {
    const setters = Object.entries(security).filter(([name]) => name.startsWith('with')) as [
      string,
      (v: string) => security.SecuritySetter,
    ][];
    expect(setters).toHaveLength(12);
    const handle = securityMiddleware(...setters.map(([, setter]) => setter('')));
    expect(Object.values(await headersOf(handle))).toEqual(Array(12).fill(null));
    expect(handle.probe().notes).toContain(
      'Not sent: Content-Security-Policy, X-Frame-Options, Strict-Transport-Security',
    );
  });

  test('lets a handler override a header', async () => {
    const after: Koa.Middleware = (ctx) => ctx.set('Cache-Control', 'no-cache');
    expect(await headersOf(defaultSecurityMiddleware(), after)).toEqual({ ...TWELVE, 'cache-control': 'no-cache' });
  });

  test('refuses at construction a value that would inject a header', () => {
    expect(() => securityMiddleware(withContentSecurityPolicy('a\nb'))).toThrow(
      expect.objectContaining({ code: 'FW_SECURITY_HEADER', details: { name: 'Content-Security-Policy' } }),
    );
  });
});

describe('a policy with {nonce}', () => {
  const POLICY = "script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'";
  const handle = () => securityMiddleware(withContentSecurityPolicy(POLICY));

  test('gets another nonce of 128 bits for each request, which ctx.state and cspNonce give', async () => {
    const app = new Koa().use(handle()).use((ctx) => {
      ctx.body = [ctx.state['cspNonce'], security.cspNonce(ctx as never)];
    });
    await using server = await servePlain(app);
    const seen = new Set<string>();
    for (let each = 0; each < 3; each++) {
      const response = await fetch(server.url);
      const [fromState, fromFunction] = (await response.json()) as [string, string];
      expect(fromState).toMatch(/^[A-Za-z0-9+/]{22}==$/);
      expect(fromFunction).toBe(fromState);
      expect(response.headers.get('content-security-policy')).toBe(
        `script-src 'nonce-${fromState}'; style-src 'nonce-${fromState}'`,
      );
      seen.add(fromState);
    }
    expect(seen.size).toBe(3);
  });

  test('leaves the eleven other headers as they are', async () => {
    const { 'content-security-policy': _policy, ...others } = await headersOf(handle());
    const { 'content-security-policy': _strict, ...expected } = TWELVE;
    expect(others).toEqual(expected);
  });

  test('is not there by default', async () => {
    const app = new Koa().use(defaultSecurityMiddleware()).use((ctx) => {
      ctx.body = String(security.cspNonce(ctx as never));
    });
    await using server = await servePlain(app);
    expect(await (await fetch(server.url)).text()).toBe('undefined');
  });
});

describe('in a plain Koa application', () => {
  const preflight = { Origin: 'https://a.example', 'Access-Control-Request-Method': 'GET' };
  const twelve = (response: Response) => Object.keys(TWELVE).filter((name) => response.headers.has(name));

  test('a preflight that CORS answers outside carries none of the twelve: the http plugin is what tells them', async () => {
    const app = new Koa().use(corsMiddleware({ allowOrigins: '*' })).use(defaultSecurityMiddleware());
    await using server = await servePlain(app);
    const response = await fetch(server.url, { method: 'OPTIONS', headers: preflight });
    expect([response.status, twelve(response)]).toEqual([204, []]);
  });

  test('it carries them where apply is called before CORS', async () => {
    const handle = defaultSecurityMiddleware();
    const app = new Koa()
      .use((ctx, next) => {
        handle.apply(ctx as never);
        return next();
      })
      .use(corsMiddleware({ allowOrigins: '*' }));
    await using server = await servePlain(app);
    const response = await fetch(server.url, { method: 'OPTIONS', headers: preflight });
    expect([response.status, twelve(response)]).toEqual([204, Object.keys(TWELVE)]);
  });
});
