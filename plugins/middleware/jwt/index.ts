import type { Next } from 'koa';
import { definePlugin, direct, type HttpMethod, HttpMiddleware, RouteGuard } from '../../../kernel/index.js';
import { jwtAuthMiddleware } from './jwt.js';
import { jwtOptionsSchema } from './options.js';
import { targetTest } from './path-patterns.js';

export type { Claims } from './claims.js';
export { jwtAuthMiddleware, type JWTMiddleware } from './jwt.js';
export type { JWTOptions } from './options.js';
export { MemoryRefreshStore, type RefreshStore } from './refresh-store.js';
export { generateJWT, generateRefreshToken, SIGNING_METHODS, type SigningMethod } from './signing.js';
export { bearerLookup, Unauthorized, type TokenLookup, type TokenPair } from './token-lookup.js';

// The routes of GET answer HEAD as well (RFC 9110, section 9.3.2), so that whoever protects one protects both.
function methodTest(methods: readonly HttpMethod[]): (method: string) => boolean {
  if (methods.length === 0) return () => true;
  const named = new Set<string>(methods.includes('GET') ? [...methods, 'HEAD'] : methods);
  return (method) => named.has(method);
}

export default definePlugin({
  id: 'middleware/jwt',
  category: 'middleware',
  description: 'Requires a JSON Web Token on protected paths',
  options: jwtOptionsSchema,
  needs: ['http'],
  order: {
    after: ['middleware/cors'],
    before: ['middleware/etag', 'middleware/compression'],
    because:
      'CORS must answer preflights, which carry no token, and nothing of a response may be made for a caller who is refused',
  },
  register({ options: { protect, methods, except, ...options }, contribute, probe }) {
    const authenticate = jwtAuthMiddleware(options);
    const isProtected = targetTest(protect);
    const isExcepted = targetTest(except);
    const needsToken = methodTest(methods);
    const handle = direct(function jwt(context, next) {
      if (!needsToken(context.method)) return next();
      const target = context.req.url as string;
      return isProtected(target) && !isExcepted(target) ? authenticate(context, next as Next) : next();
    });
    contribute(HttpMiddleware, () => ({ name: 'jwt', handle }));
    contribute(RouteGuard, () => ({
      name: 'bearer',
      scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      guards: (method, path) => needsToken(method) && isProtected(path) && !isExcepted(path),
    }));
    probe('jwt', () => {
      const report = authenticate.probe();
      return { ...report, detail: { ...report.detail, protect, methods, except } };
    });
  },
});
