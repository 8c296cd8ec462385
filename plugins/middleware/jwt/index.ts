import {
  AppInfo,
  definePlugin,
  direct,
  fwError,
  type HttpContext,
  type HttpMethod,
  HttpMiddleware,
  HttpServer,
  RouteAuthenticator,
  RouteGuard,
} from '../../../kernel/index.js';
import { requestPath } from '../../http/index.js';
import { JWT_ERRORS } from './errors.js';
import { foreignAuthMiddleware, jwtAuthMiddleware } from './jwt.js';
import { type JWTOptions, jwtOptionsSchema } from './options.js';
import { openRoutesWarning } from './open-routes.js';
import { GuardedPaths } from './path-patterns.js';
import { refreshing, Refreshing } from './refreshing.js';
import { routeAuthenticator, verifyOnce } from './route-authenticator.js';

export type { Claims } from './claims.js';
export { jwtAuthMiddleware, type JWTMiddleware } from './jwt.js';
export type { JWTOptions } from './options.js';
export { revokeRefreshToken } from './logout.js';
export { redisRefreshStore } from './redis-refresh-store.js';
export {
  MemoryRefreshStore,
  type Presented,
  type RefreshStore,
  type Rotation,
  type Successor,
} from './refresh-store.js';
export { generateJWT, generateRefreshToken, SIGNING_METHODS, type SigningMethod } from './signing.js';
export { bearerLookup, Unauthorized, type TokenLookup, type TokenPair } from './token-lookup.js';

// GET routes also answer HEAD (RFC 9110, section 9.3.2), so protecting GET protects HEAD.
function methodTest(methods: readonly HttpMethod[]): (method: string) => boolean {
  if (methods.length === 0) return () => true;
  const named = new Set<string>(methods.includes('GET') ? [...methods, 'HEAD'] : methods);
  return (method) => named.has(method);
}

// With two kinds of accepted tokens, the weaker one would decide.
function refuseSecrets(options: Pick<JWTOptions, 'accessSecret' | 'refreshSecret' | 'enableRefreshToken'>): void {
  const { accessSecret, refreshSecret, enableRefreshToken } = options;
  if (accessSecret === '' && refreshSecret === undefined && enableRefreshToken !== true) return;
  throw fwError(JWT_ERRORS.FW_JWT_VERIFIER, { problem: 'it stands beside a secret, or beside refresh tokens' });
}

export default definePlugin({
  id: 'middleware/jwt',
  category: 'middleware',
  description: 'Requires a JSON Web Token on routes that list roles, and on protected paths',
  options: jwtOptionsSchema,
  needs: ['http'],
  provides: [Refreshing, RouteAuthenticator],
  order: {
    after: ['middleware/cors'],
    before: ['middleware/etag', 'middleware/compression'],
    because:
      'CORS must answer preflights, which carry no token, and nothing of a response may be made for a caller who is refused',
  },
  register({ options: { protect, methods, except, redis, verifier, ...options }, log, bind, contribute, probe }) {
    const refresh = refreshing(options, redis, log);
    bind(Refreshing, () => refresh);
    if (verifier) refuseSecrets(options);
    const authenticate = verifier
      ? foreignAuthMiddleware({ ...options, log }, verifier)
      : jwtAuthMiddleware({ ...options, log, ...(refresh.store && { refreshStore: refresh.store }) });
    const verify = verifyOnce(authenticate, options.userContextKey);
    const paths = new GuardedPaths(protect, except);
    const needsToken = methodTest(methods);
    // Computed with the first request, when all routes are registered.
    let hasPublicRoutes: boolean | undefined;
    const guardsPath = (server: HttpServer) => (context: HttpContext) => {
      if (!needsToken(context.method)) return false;
      const path = requestPath(context);
      if (!paths.has(path)) return false;
      if (!(hasPublicRoutes ??= server.routes().some((route) => route.public))) return true;
      const route = server.routeFor(context);
      return route?.public ? paths.hasDespite(route.path, path) : true;
    };
    contribute(HttpMiddleware, (services) => {
      const isGuarded = guardsPath(services.get(HttpServer));
      const handle = direct((context, next) => (isGuarded(context) ? verify(context, next) : next()));
      return { name: 'jwt', handle };
    });
    bind(RouteAuthenticator, (services) => routeAuthenticator(verify, options, guardsPath(services.get(HttpServer))));
    contribute(RouteGuard, () => ({
      name: 'bearer',
      scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      guards: (method, path, access) => {
        if (access?.roles !== undefined) return true;
        const share = needsToken(method) ? paths.shareOf(path, access?.public) : 'none';
        return share === 'some' ? 'partly' : share === 'all';
      },
    }));
    probe('jwt', () => {
      const report = authenticate.probe();
      return { ...report, detail: { ...report.detail, protect, methods, except } };
    });
  },
  start(services) {
    const { index, count } = services.get(AppInfo).worker;
    const { enableRefreshToken, refreshSecret, redis } = services.options;
    if (refreshSecret !== undefined && !enableRefreshToken) services.log.warn(NOT_ENABLED);
    if (count > 1 && index === 1 && enableRefreshToken && redis === undefined) services.log.warn(ownLogins(count));
    return services.get(Refreshing).open();
  },
  ready({ log, get, all }) {
    const warning = openRoutesWarning(get(HttpServer).routes(), all(RouteGuard));
    if (warning !== undefined) log.warn(warning);
  },
  stop: (services) => services.get(Refreshing).close(),
});

const NOT_ENABLED =
  'a refreshSecret is given, and no refresh token is taken: set `enableRefreshToken: true` of fw/middleware/jwt, or leave it out';

const ownLogins = (workers: number): string =>
  `each of the ${workers} workers remembers refresh tokens for itself, so that one is refused by all but the worker that gave it: set \`redis\` of fw/middleware/jwt`;
