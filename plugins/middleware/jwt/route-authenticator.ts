import { direct, type HttpContext, type Middleware, type RouteAuthenticator } from '../../../kernel/index.js';
import type { Claims } from './claims.js';
import { answerUnauthorized, hasOneOf, type JWTMiddleware } from './jwt.js';
import type { JWTOptions } from './options.js';
import { Unauthorized } from './token-lookup.js';

const VERIFIED = Symbol('fw.jwt.verified');

/** The verified claims of a request. Not taken from `ctx.state.user`, which any middleware may write. */
type Verified = HttpContext & { [VERIFIED]?: Claims };

type Next = () => unknown;

/** Verifies the token of a request once for all guards, because a refresh token can be used only once. */
export type Verify = (context: HttpContext, next: Next) => unknown;

/** @param authenticate - checks tokens, and answers requests without a valid one */
export function verifyOnce(authenticate: JWTMiddleware, userContextKey: string): Verify {
  return (context: Verified, next) => {
    if (context[VERIFIED]) return next();
    return authenticate(context, (() => {
      context[VERIFIED] = context.state[userContextKey] as Claims;
      return next();
    }) as () => Promise<unknown>);
  };
}

/**
 * Guards for routes that list `roles`: the token as the middleware checks it, and one of the roles in its claim `role`.
 *
 * @param guardsPath - whether the path and method of a request need a token
 */
export function routeAuthenticator(
  verify: Verify,
  { onUnauthorized = answerUnauthorized, roleFailureStatus }: Pick<JWTOptions, 'onUnauthorized' | 'roleFailureStatus'>,
  guardsPath: (context: HttpContext) => boolean,
): RouteAuthenticator {
  return {
    name: 'jwt',
    guard: (roles): Middleware =>
      direct(function guard(context: Verified, next) {
        return verify(context, () => {
          if (roles.length === 0 || hasOneOf(roles, context[VERIFIED] as Claims)) return next();
          return onUnauthorized(
            context,
            new Unauthorized('insufficient role', roleFailureStatus, 'insufficient_scope'),
          );
        });
      }),
    guardsRewritten: guardsPath,
  };
}
