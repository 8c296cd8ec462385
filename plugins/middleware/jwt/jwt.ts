import { direct, fwError, HitCounter, type HttpContext } from '../../../kernel/index.js';
import { type ProbedMiddleware, withProbe, writeProblem } from '../../http/index.js';
import type { Claims } from './claims.js';
import { JWT_ERRORS } from './errors.js';
import type { JWTOptions } from './options.js';
import { jwtReport } from './probe.js';
import { MemoryRefreshStore } from './refresh-store.js';
import { checkMethod, checkSecret } from './signing.js';
import { bearerLookup, type TokenPair, Unauthorized } from './token-lookup.js';
import { TokenRefresher } from './token-refresher.js';
import { TokenVerifier, type VerifierOptions } from './token-verifier.js';

type Next = () => unknown;

/** The middleware of {@link jwtAuthMiddleware}. */
export type JWTMiddleware = ProbedMiddleware & {
  /**
   * Changes the keys. Tokens of the old ones are refused from now on, also those that were verified already.
   * @throws FwError `FW_JWT_SECRET_MISSING` or `FW_JWT_SAME_SECRET`
   */
  readonly replaceSecrets: (secrets: Pick<JWTOptions, 'accessSecret' | 'refreshSecret'>) => void;
};

/**
 * Lets a request pass with a valid access token, whose claims it puts into `ctx.state.user`; with `enableRefreshToken` also
 * with a refresh token, which it rotates: `X-New-Access-Token` and `X-New-Refresh-Token` (SPEC "JWTOptions").
 *
 * @throws FwError `FW_JWT_SECRET_MISSING`, `FW_JWT_SAME_SECRET` or `FW_JWT_METHOD` at construction
 */
export function jwtAuthMiddleware(options: JWTOptions): JWTMiddleware {
  const { tokenLookup = bearerLookup, onUnauthorized = answerUnauthorized, userContextKey = 'user' } = options;
  const counter = new HitCounter({ hit: 'accepted', miss: 'rejected' }, options.now);
  const store = options.refreshStore ?? new MemoryRefreshStore(options.now);
  let keys = keysOf(options, store);

  const refuse = (context: HttpContext, error: Error) => {
    counter.miss();
    return onUnauthorized(context, error);
  };
  const accept = (context: HttpContext, next: Next, claims: Claims) => {
    const problem = claimsProblem(claims, options);
    if (problem) return refuse(context, problem);
    counter.hit();
    context.state[userContextKey] = claims;
    return next();
  };
  const settle = async (context: HttpContext, next: Next, [access, refresh]: TokenPair) => {
    const { verifier, refresher } = keys;
    const claims =
      (access === '' ? undefined : await verifier.verify(access)) ?? (await refresher?.refresh(context, refresh));
    return claims ? accept(context, next, claims) : refuse(context, new Unauthorized('invalid token'));
  };
  const jwt = direct(function jwt(context, next) {
    let tokens: TokenPair;
    try {
      tokens = tokenLookup(context);
    } catch (error) {
      return refuse(context, error instanceof Error ? error : new Unauthorized(String(error)));
    }
    const remembered = keys.verifier.remembered(tokens[0]);
    return remembered ? accept(context, next, remembered) : settle(context, next, tokens);
  });
  const replaceSecrets = (secrets: Pick<JWTOptions, 'accessSecret' | 'refreshSecret'>) => {
    keys = keysOf({ ...options, ...secrets }, store);
  };
  const probed = withProbe(jwt, () => jwtReport(keys.options, counter, keys.verifier, store));
  return Object.assign(probed, { replaceSecrets });
}

interface Keys {
  readonly options: JWTOptions;
  readonly verifier: TokenVerifier;
  readonly refresher: TokenRefresher | undefined;
}

function keysOf(options: JWTOptions, store: NonNullable<JWTOptions['refreshStore']>): Keys {
  const { accessSecret, refreshSecret = '', signingMethod: method = 'HS256', enableRefreshToken = false } = options;
  checkSecret('accessSecret', accessSecret);
  checkMethod(method);
  const common = { method, clockTolerance: options.clockTolerance ?? 0, now: options.now ?? Date.now };
  const access: VerifierOptions = {
    ...common,
    secret: accessSecret,
    type: 'access',
    cacheSize: options.tokenCacheSize ?? 4096,
  };
  const verifier = new TokenVerifier(access);
  if (!enableRefreshToken) return { options, verifier, refresher: undefined };
  checkSecret('refreshSecret', refreshSecret);
  if (refreshSecret === accessSecret) throw fwError(JWT_ERRORS.FW_JWT_SAME_SECRET, {});
  // Refresh tokens are good for one use, so that remembering them would be a mistake.
  const refreshVerifier = new TokenVerifier({ ...common, secret: refreshSecret, type: 'refresh', cacheSize: 0 });
  const refresher = new TokenRefresher({
    accessSecret,
    refreshSecret,
    method,
    verifier: refreshVerifier,
    store,
    now: common.now,
  });
  return { options, verifier, refresher };
}

function claimsProblem(
  claims: Claims,
  { requiredRoles = [], roleFailureStatus, claimsValidator }: JWTOptions,
): Unauthorized | undefined {
  if (requiredRoles.length > 0 && !hasOneOf(requiredRoles, claims)) {
    return new Unauthorized('insufficient role', roleFailureStatus);
  }
  return claimsValidator === undefined || claimsValidator(claims)
    ? undefined
    : new Unauthorized('claims validation failed');
}

function hasOneOf(roles: readonly string[], { role }: Claims): boolean {
  return Array.isArray(role) ? role.some((each: string) => roles.includes(each)) : roles.includes(role as string);
}

// The reason would help whoever tries tokens, so it is not in the answer.
function answerUnauthorized(context: HttpContext, error: Error): void {
  const status = error instanceof Unauthorized ? error.status : 401;
  if (status === 401) context.set('WWW-Authenticate', 'Bearer');
  writeProblem(context, { status, expose: false });
}
