import { randomUUID } from 'node:crypto';
import type { HttpContext } from '../../../kernel/index.js';
import { type Claims, frozenClaims, userClaims } from './claims.js';
import type { RefreshStore, Rotation, Successor } from './refresh-store.js';
import { sign, type SigningMethod } from './signing.js';
import { Invalid, type TokenVerifier } from './token-verifier.js';

/** How long a renewed access token is valid, in seconds. */
const ACCESS_SECONDS = 900;

interface RefresherOptions {
  readonly accessSecret: string;
  readonly refreshSecret: string;
  readonly method: SigningMethod;
  readonly verifier: TokenVerifier;
  readonly store: RefreshStore;
  readonly leewayMs: number;
  readonly now: () => number;
}

/** A refresh token with a valid signature and time; the store decides whether it is the current one of its login. */
export interface RefreshToken {
  readonly id: string;
  readonly family: string;
  readonly endsAt: number;
  /** Claims of the user. */
  readonly claims: Claims;
}

/** Exchanges a refresh token for a new pair of tokens, once. */
export class TokenRefresher {
  constructor(private readonly options: RefresherOptions) {}

  /** The content of a refresh token, or why it is not valid. */
  async read(token: string): Promise<RefreshToken | Invalid> {
    const claims = await this.options.verifier.verify(token);
    if (claims instanceof Invalid) return claims;
    return refreshTokenOf(claims) ?? new Invalid('it lacks "jti" or "family"');
  }

  /**
   * Exchanges a token, and puts its successor and a new access token into the headers of the response. Within the leeway, the same token
   * gives the same two again.
   *
   * @returns why there are none
   */
  async rotate(context: HttpContext, token: RefreshToken): Promise<'unknown' | 'reused' | undefined> {
    const { store, leewayMs, now } = this.options;
    const { id, family } = token;
    const successor = { id: randomUUID(), accessEnds: Math.floor(now() / 1000) + ACCESS_SECONDS };
    const rotation: Rotation = await store.rotate({ family, id, successor, leewayMs });
    if ('refused' in rotation) return rotation.refused;
    await this.#issue(context, token, rotation.successor);
    return undefined;
  }

  // The new refresh token ends when the old one would have: a stolen one cannot be renewed without end. The same claims and ids give the
  // same token texts, so that only ids are stored for repeated requests.
  async #issue(context: HttpContext, { claims, family, endsAt }: RefreshToken, next: Successor): Promise<void> {
    const { accessSecret, refreshSecret, method } = this.options;
    const refresh = { ...claims, jti: next.id, family, type: 'refresh', exp: endsAt };
    context.set('X-New-Access-Token', await sign(accessSecret, { ...claims, exp: next.accessEnds }, method));
    context.set('X-New-Refresh-Token', await sign(refreshSecret, refresh, method));
    // RFC 6749, section 5.1: responses with tokens must not be cached.
    context.set('Cache-Control', 'no-store');
  }
}

/** Reads the claims of a refresh token; undefined when an id is missing, because such a token could be used for ever. */
export function refreshTokenOf(claims: Claims): RefreshToken | undefined {
  const { jti: id, family, exp } = claims;
  if (typeof id !== 'string' || typeof family !== 'string') return undefined;
  return { id, family, endsAt: exp as number, claims: frozenClaims(userClaims(claims)) };
}
