import {
  direct,
  failureOf,
  fwError,
  HitCounter,
  type HttpContext,
  isThenable,
  milliseconds,
  systemClock,
} from '../../../kernel/index.js';
import { type ProbedMiddleware, withProbe, writeProblem } from '../../http/index.js';
import type { Claims } from './claims.js';
import { claimsFit } from './claims-fit.js';
import { JWT_ERRORS } from './errors.js';
import { checkForeignKeys, type ForeignKeys, KeysAway } from './foreign-keys.js';
import type { JWTOptions } from './options.js';
import { jwtReport } from './probe.js';
import type { RefreshStore } from './refresh-store.js';
import { addRefreshStore, memoryStoreOf } from './refresh-stores.js';
import { checkMethod, checkSecret } from './signing.js';
import { bearerLookup, type TokenPair, Unauthorized } from './token-lookup.js';
import { type RefreshToken, TokenRefresher } from './token-refresher.js';
import { Invalid, TokenVerifier, type VerifierOptions } from './token-verifier.js';

type Next = () => unknown;

/** The middleware of {@link jwtAuthMiddleware}. */
export type JWTMiddleware = ProbedMiddleware & {
  /**
   * Changes the keys. Tokens of the old keys are refused from now on, even verified ones in the cache.
   * @throws FwError `FW_JWT_SECRET_MISSING` or `FW_JWT_SAME_SECRET`
   */
  readonly replaceSecrets: (secrets: Pick<JWTOptions, 'accessSecret' | 'refreshSecret'>) => void;
};

/**
 * Lets a request pass with a valid access token, whose claims it puts into `ctx.user` and `ctx.state.user`; with `enableRefreshToken` also
 * with a refresh token, which it rotates: `X-New-Access-Token` and `X-New-Refresh-Token` (SPEC "JWTOptions").
 *
 * @throws FwError `FW_JWT_SECRET_MISSING`, `FW_JWT_SAME_SECRET`, `FW_JWT_METHOD`, `FW_JWT_LEEWAY`, `FW_JWT_CLAIMS` or
 * `FW_JWT_CONTEXT_KEY` at construction
 */
export function jwtAuthMiddleware(options: JWTOptions): JWTMiddleware {
  return authenticating(options, undefined);
}

/** The middleware for tokens of another issuer. @throws FwError `FW_JWT_VERIFIER` */
export function foreignAuthMiddleware(options: Omit<JWTOptions, 'accessSecret'>, foreign: ForeignKeys): JWTMiddleware {
  checkForeignKeys(foreign);
  return authenticating({ ...options, accessSecret: '' }, foreign);
}

function authenticating(options: JWTOptions, foreign: ForeignKeys | undefined): JWTMiddleware {
  const { tokenLookup = bearerLookup, onUnauthorized = answerUnauthorized } = options;
  const userContextKey = contextKey(options);
  const counter = new HitCounter({ hit: 'accepted', miss: 'rejected' }, options.now);
  const warn = warner(options);
  const refreshes = new Refreshes(warn);
  const tellReason = (reason: string) => options.log?.info?.({ reason }, 'JWT: a request is refused');
  const isEnough = claimsTest(options, warn);
  let keys = keysOf(options, foreign);
  const refuse = (context: HttpContext, error: Error) => {
    counter.miss();
    // Logs why a token was refused (not for a missing one). Only the log has the reason, because it would help an attacker.
    if (error instanceof Unauthorized && error.challenge !== undefined) tellReason(error.message);
    return onUnauthorized(context, error);
  };
  const pass = (context: HttpContext, next: Next, claims: Claims) => {
    counter.hit();
    Object.assign(context, { user: claims }).state[userContextKey] = claims;
    return next();
  };
  const invalid = (context: HttpContext, claims: Claims) => {
    return refuse(
      context,
      roleProblem(claims, options) ?? new Unauthorized('claims validation failed', 401, 'invalid_token'),
    );
  };
  const accept = (context: HttpContext, next: Next, claims: Claims) => {
    const enough = isEnough(claims);
    if (enough === true) return pass(context, next, claims);
    if (enough === false) return invalid(context, claims);
    return enough.then((late) => (late ? pass(context, next, claims) : invalid(context, claims)));
  };
  // The claims are checked before the token is used up, so that a refused caller gets no new tokens.
  const refreshed = async (context: HttpContext, next: Next, refresher: TokenRefresher, token: RefreshToken) => {
    if (!(await isEnough(token.claims))) return invalid(context, token.claims);
    const refused = await refreshes.rotate(context, refresher, token);
    return refused === undefined ? pass(context, next, token.claims) : refuse(context, refused);
  };
  const settle = async (context: HttpContext, next: Next, [access, refresh]: TokenPair) => {
    const { verifier, refresher } = keys;
    let claims: Claims | Invalid;
    try {
      claims = access === '' ? NO_TOKEN : await verifier.verify(access);
    } catch (error) {
      if (!(error instanceof KeysAway)) throw error;
      // One per outage: every request is refused until it is over.
      if (error.isFirst) warn('the key set', error);
      return refuse(context, new Unauthorized('the keys cannot be reached', 503));
    }
    if (!(claims instanceof Invalid)) return accept(context, next, claims);
    const token = refresh === '' ? NO_TOKEN : await refresher?.read(refresh);
    if (refresher === undefined || token === undefined || token instanceof Invalid)
      return refuse(context, withoutValidToken(claims, token));
    return refreshed(context, next, refresher, token);
  };
  const failedLookup = (context: HttpContext, error: unknown) => {
    if (!(error instanceof Unauthorized)) warn('tokenLookup', error);
    return refuse(context, error instanceof Error ? error : new Unauthorized(String(error)));
  };
  const withTokens = (context: HttpContext, next: Next, given: unknown) => {
    if (!isPair(given)) return failedLookup(context, new TypeError('expected two texts [access, refresh]'));
    const claims = keys.verifier.atOnce(given[0]);
    return claims ? accept(context, next, claims) : settle(context, next, given);
  };
  const jwt = direct(function jwt(context, next) {
    let given: unknown;
    try {
      given = tokenLookup(context);
    } catch (error) {
      return failedLookup(context, error);
    }
    if (!isThenable(given)) return withTokens(context, next, given);
    return Promise.resolve(given).then(
      (late) => withTokens(context, next, late),
      (error: unknown) => failedLookup(context, error),
    );
  });
  const replaceSecrets = (secrets: Pick<JWTOptions, 'accessSecret' | 'refreshSecret'>) => {
    keys = keysOf({ ...options, ...secrets });
  };
  const report = () => jwtReport(keys.options, counter, keys.verifier, keys.store, refreshes.counts, foreign);
  return Object.assign(withProbe(jwt, report), { replaceSecrets });
}

const NO_TOKEN = new Invalid('there is none');

function withoutValidToken(access: Invalid, refresh: RefreshToken | Invalid = NO_TOKEN): Unauthorized {
  const reasons: string[] = [];
  if (access !== NO_TOKEN) reasons.push(`invalid token: ${access.reason}`);
  if (refresh instanceof Invalid && refresh !== NO_TOKEN) reasons.push(`invalid refresh token: ${refresh.reason}`);
  if (reasons.length === 0) return new Unauthorized('there is no token that is taken here');
  return new Unauthorized(reasons.join('; '), 401, 'invalid_token');
}

/** Counts rotated and refused refresh tokens. */
class Refreshes {
  readonly counts = { refreshed: 0, refresh_unknown: 0, refresh_reused: 0, refresh_store_errors: 0 };

  constructor(private readonly warn: ReturnType<typeof warner>) {}

  /** Rotates a token, and puts the new tokens into the response. @returns why it was refused; undefined on success */
  async rotate(
    context: HttpContext,
    refresher: TokenRefresher,
    token: RefreshToken,
  ): Promise<Unauthorized | undefined> {
    try {
      const refused = await refresher.rotate(context, token);
      if (refused !== undefined) return this.#refusalOf(refused);
    } catch (error) {
      this.counts.refresh_store_errors++;
      this.warn('the refresh store', error);
      return new Unauthorized('the refresh store cannot be reached', 503);
    }
    this.counts.refreshed++;
    return undefined;
  }

  #refusalOf(refused: 'unknown' | 'reused'): Unauthorized {
    this.counts[`refresh_${refused}`]++;
    if (refused === 'reused') this.warn('a refresh token', new Unauthorized('it was used twice; its login is ended'));
    return new Unauthorized(`refresh token ${refused}`, 401, 'invalid_token');
  }
}

function contextKey({ userContextKey = 'user' }: JWTOptions): string {
  // Assigning `state.__proto__` would change the prototype of the state.
  if (typeof userContextKey === 'string' && userContextKey !== '' && userContextKey !== '__proto__')
    return userContextKey;
  throw fwError(JWT_ERRORS.FW_JWT_CONTEXT_KEY, { key: JSON.stringify(userContextKey) });
}

const isPair = (given: unknown): given is TokenPair =>
  Array.isArray(given) && typeof given[0] === 'string' && typeof given[1] === 'string';

type Warn = (what: string, error: unknown) => false;

/** Whether the claims of a verified token suffice; synchronous unless the validator is asynchronous. */
function claimsTest(options: JWTOptions, warn: Warn): (claims: Claims) => boolean | Promise<boolean> {
  const { claimsValidator } = options;
  return (claims) => {
    if (roleProblem(claims, options) !== undefined) return false;
    if (claimsValidator === undefined) return true;
    try {
      const answer: unknown = claimsValidator(claims);
      if (!isThenable(answer)) return answer === true;
      return Promise.resolve(answer).then(
        (late) => late === true,
        (error: unknown) => warn('claimsValidator', error),
      );
    } catch (error) {
      return warn('claimsValidator', error);
    }
  };
}

// Returns false, because a failed check does not allow.
function warner({ log }: JWTOptions): Warn {
  const failures = new Map<string, (error: unknown) => void>();
  return (what, error) => {
    if (log) log.warn({ err: error }, `JWT: ${what} failed; the request is refused`);
    else {
      const failed = failures.get(what) ?? failureOf(`${what} of the JWT middleware`);
      failures.set(what, failed);
      failed(error);
    }
    return false;
  };
}

interface Keys {
  readonly options: JWTOptions;
  readonly verifier: TokenVerifier;
  readonly refresher: TokenRefresher | undefined;
  readonly store: RefreshStore | undefined;
}

/** Longest time in which a refresh token gives its successor again, in milliseconds. */
const MAX_LEEWAY_MS = 10_000;

function keysOf(options: JWTOptions, foreign?: ForeignKeys): Keys {
  if (foreign) return foreignKeysOf(options, foreign);
  const { accessSecret, refreshSecret = '', signingMethod: method = 'HS256', enableRefreshToken = false } = options;
  checkSecret('accessSecret', accessSecret);
  checkMethod(method);
  const common = { ...claimRules(options), method };
  const access: VerifierOptions = {
    ...common,
    secret: accessSecret,
    type: 'access',
    cacheSize: options.tokenCacheSize ?? 4096,
  };
  const verifier = new TokenVerifier(access);
  if (!enableRefreshToken) return { options, verifier, refresher: undefined, store: undefined };
  checkSecret('refreshSecret', refreshSecret);
  if (refreshSecret === accessSecret) throw fwError(JWT_ERRORS.FW_JWT_SAME_SECRET, {});
  const leewayMs = leewayOf(options);
  // No cache, because the store decides whether a refresh token may still be used.
  const refreshVerifier = new TokenVerifier({
    ...common,
    requireExpiry: true,
    secret: refreshSecret,
    type: 'refresh',
    cacheSize: 0,
  });
  const store = options.refreshStore ?? memoryStoreOf(refreshSecret, options.now);
  addRefreshStore(refreshSecret, store);
  const secrets = { accessSecret, refreshSecret, method };
  const refresher = new TokenRefresher({ ...secrets, verifier: refreshVerifier, store, leewayMs, now: common.now });
  return { options, verifier, refresher, store };
}

function foreignKeysOf(options: JWTOptions, foreign: ForeignKeys): Keys {
  // No cache, so that a revoked key is not accepted for tokens that were verified before.
  const how = { ...claimRules(options), secret: '', method: 'HS256', foreign, type: 'access', cacheSize: 0 } as const;
  return { options, verifier: new TokenVerifier(how), refresher: undefined, store: undefined };
}

/** Requirements on the claims of every token. */
function claimRules({
  clockTolerance = 0,
  requireExpiry = true,
  audience,
  issuer,
  claims,
  now = systemClock.now,
}: JWTOptions) {
  return { clockTolerance, requireExpiry, audience, issuer, now, fit: claims && claimsFit(claims) };
}

function leewayOf({ refreshLeeway = MAX_LEEWAY_MS }: JWTOptions): number {
  const leeway = milliseconds(refreshLeeway);
  if (leeway >= 0 && leeway <= MAX_LEEWAY_MS) return leeway;
  throw fwError(JWT_ERRORS.FW_JWT_LEEWAY, { leeway: String(refreshLeeway) });
}

function roleProblem(claims: Claims, { requiredRoles = [], roleFailureStatus }: JWTOptions): Unauthorized | undefined {
  if (requiredRoles.length === 0 || hasOneOf(requiredRoles, claims)) return undefined;
  return new Unauthorized('insufficient role', roleFailureStatus, 'insufficient_scope');
}

/** Whether the claim `role`, text or a list, is or has one of the roles. */
export function hasOneOf(roles: readonly string[], { role }: Claims): boolean {
  return Array.isArray(role) ? role.some((each: string) => roles.includes(each)) : roles.includes(role as string);
}

/** Refuses a request. The response does not contain the reason, which would help an attacker. */
export function answerUnauthorized(context: HttpContext, error: Error): void {
  const { status, challenge } = error instanceof Unauthorized ? error : new Unauthorized('refused');
  if (status === 503) context.set('Retry-After', '1');
  if (status === 401 || challenge === 'insufficient_scope') {
    context.set('WWW-Authenticate', challenge === undefined ? 'Bearer' : `Bearer error="${challenge}"`);
  }
  writeProblem(context, { status, expose: false });
}
