import { randomUUID } from 'node:crypto';
import type { HttpContext } from '../../../kernel/index.js';
import { type Claims, frozenClaims, userClaims } from './claims.js';
import type { RefreshStore } from './refresh-store.js';
import { sign, type SigningMethod } from './signing.js';
import type { TokenVerifier } from './token-verifier.js';

/** How long a renewed access token is valid, in seconds. */
const ACCESS_SECONDS = 900;

interface RefresherOptions {
  readonly accessSecret: string;
  readonly refreshSecret: string;
  readonly method: SigningMethod;
  readonly verifier: TokenVerifier;
  readonly store: RefreshStore;
  readonly now: () => number;
}

/** Exchanges a refresh token for a new pair of tokens, once. */
export class TokenRefresher {
  constructor(private readonly options: RefresherOptions) {}

  /**
   * Puts the new tokens into the response headers.
   * @returns the claims of the user; undefined when the token is not valid or was used before
   */
  async refresh(context: HttpContext, token: string): Promise<Claims | undefined> {
    const { verifier, store } = this.options;
    const claims = token === '' ? undefined : await verifier.verify(token);
    const id = claims?.['jti'];
    // Without an id a token could be used for ever, so it is not a refresh token of ours.
    if (claims === undefined || typeof id !== 'string') return undefined;
    const family = typeof claims['family'] === 'string' ? claims['family'] : id;
    const expiresAt = claims['exp'] as number;
    if (!(await store.consume(id, family, expiresAt))) return undefined;
    const own = userClaims(claims);
    await this.#issue(context, own, family, expiresAt);
    return frozenClaims(own);
  }

  // The new refresh token ends when the old one would have: a stolen one cannot be renewed without end.
  async #issue(context: HttpContext, own: Record<string, unknown>, family: string, expiresAt: number): Promise<void> {
    const { accessSecret, refreshSecret, method, now } = this.options;
    const exp = Math.floor(now() / 1000) + ACCESS_SECONDS;
    const refresh = { ...own, jti: randomUUID(), family, type: 'refresh', exp: expiresAt };
    context.set('X-New-Access-Token', await sign(accessSecret, { ...own, exp }, method));
    context.set('X-New-Refresh-Token', await sign(refreshSecret, refresh, method));
  }
}
