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
      if (Object.hasOwn(cookies, 'get')) return cookies;
      // Its own methods call each other, for the signature, which is not signed.
      const signing = Object.assign(Object.create(cookies) as Cookies, withOptions(cookies));
      set?.call(this, signing);
      return signing;
    },
  });
}

function withOptions(cookies: Cookies): Pick<Cookies, 'get' | 'set'> {
  return {
    get: (name, options = { signed: true }) => cookies.get(name, options),
    set: (name, value, options = {}) => cookies.set(name, value, options),
  };
}
