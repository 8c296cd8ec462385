import type Koa from 'koa';

type Cookies = Koa.Context['cookies'];

/**
 * Signs every cookie of an application and checks every one that is read, unless told `signed: false`. Koa's own does so only where
 * options are given: `ctx.cookies.get('cart')` would be what anybody has written.
 */
export function signCookies(app: Koa, keys: readonly string[]): void {
  app.keys = [...keys];
  const { get: made, set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(app.context), 'cookies') ?? {};
  Object.defineProperty(app.context, 'cookies', {
    configurable: true,
    set,
    get(this: Koa.Context) {
      const cookies = made?.call(this) as Cookies;
      if (!Object.hasOwn(cookies, 'get')) Object.assign(cookies, withOptions(cookies));
      return cookies;
    },
  });
}

function withOptions(cookies: Cookies): Pick<Cookies, 'get' | 'set'> {
  const { get, set } = cookies;
  return {
    get: (name, options = { signed: true }) => get.call(cookies, name, options),
    set: (name, value, options = {}) => set.call(cookies, name, value, options),
  };
}
