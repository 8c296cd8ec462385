import type Koa from 'koa';

type Cookies = Koa.Context['cookies'];

/**
 * Signs every cookie of an application and verifies every one that is read, except with `signed: false`. Koa itself does so only if options
 * are given: `ctx.cookies.get('cart')` would return any value that a client sends.
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
      // The original methods call each other for the signature cookie, which is not signed itself.
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
