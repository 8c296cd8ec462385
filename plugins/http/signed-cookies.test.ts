import { expect, test } from '@jest/globals';
import { HttpServer, plugin } from '../../kernel/index.js';
import { bootTestApp, routesUnderTest } from '../../kernel/testing/index.js';
import http from './index.js';

const [FIRST, SECOND] = ['a first key of some length', 'a second key of some length'];

async function serve(cookieKeys: string[] | undefined, fastPath: 'full' | 'off' = 'full') {
  const app = await bootTestApp({
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0, fastPath, ...(cookieKeys && { cookieKeys }) }),
      routesUnderTest((router) => {
        router.get('/set', (ctx) => {
          ctx.cookies.set('cart', '7');
          return 'set';
        });
        router.get('/unsigned', (ctx) => String(ctx.cookies.get('cart', { signed: false })));
        router.get('/cart', (ctx) => ({ cart: ctx.cookies.get('cart') ?? null }));
      }),
    ],
  });
  const { url } = app.services.get(HttpServer);
  return {
    set: async () => (await fetch(`${url}/set`)).headers.getSetCookie().map((each) => each.split(';')[0] as string),
    cart: async (cookie: string) => {
      const answer = (await (await fetch(`${url}/cart`, { headers: { cookie } })).json()) as { cart: string | null };
      return answer.cart;
    },
    unsigned: async (cookie: string) => (await fetch(`${url}/unsigned`, { headers: { cookie } })).text(),
    stop: () => app.stop(),
  };
}

test.each(['full', 'off'] as const)('cookieKeys sign what handlers set, and nobody else can (%s)', async (fastPath) => {
  const app = await serve([FIRST], fastPath);
  const [cart, signature] = (await app.set()) as [string, string];
  expect(signature).toMatch(/^cart\.sig=/);
  expect(await app.cart(`${cart}; ${signature}`)).toBe('7');
  expect(await app.cart(`cart=8; ${signature}`)).toBeNull();
  expect(await app.cart(cart)).toBeNull();
  expect(await app.unsigned('cart=8')).toBe('8');
  await app.stop();
});

test('a new key in front signs, and the old one is still taken', async () => {
  const before = await serve([FIRST]);
  const old = (await before.set()).join('; ');
  await before.stop();
  const after = await serve([SECOND, FIRST]);
  expect(await after.cart(old)).toBe('7');
  await after.stop();
  const later = await serve([SECOND]);
  expect(await later.cart(old)).toBeNull();
  await later.stop();
});

test('without keys nothing is signed', async () => {
  const plain = await serve(undefined);
  expect(await plain.set()).toEqual(['cart=7']);
  expect(await plain.cart('cart=7')).toBe('7');
  await plain.stop();
});

test('a key that can be guessed is refused at boot', async () => {
  await expect(serve(['short'])).rejects.toThrow(/cookieKeys/);
});
