import { fwError, systemClock } from '../../../kernel/index.js';
import { JWT_ERRORS } from './errors.js';
import type { RefreshStore } from './refresh-store.js';
import { onStores, refreshStoresOf } from './refresh-stores.js';
import { checkMethod, checkSecret, type SigningMethod } from './signing.js';
import { refreshTokenOf } from './token-refresher.js';
import { Invalid, TokenVerifier } from './token-verifier.js';

/**
 * Ends a login: its refresh tokens are refused from now on, even within the leeway. Issued access tokens stay valid until they expire.
 *
 * @param secret - key of the refresh tokens
 * @param token - any refresh token of the login
 * @param store - as for `generateRefreshToken`
 * @returns whether the login existed; false for an invalid token
 * @throws FwError `FW_JWT_SECRET_MISSING`, `FW_JWT_METHOD`; `FW_JWT_NO_STORE` when no store is known for the key; `FW_JWT_STORE_AWAY` when
 *   the store cannot be reached and the login was not ended
 */
export async function revokeRefreshToken(
  secret: string,
  token: string,
  method: SigningMethod = 'HS256',
  store?: RefreshStore,
): Promise<boolean> {
  checkSecret('secret', secret);
  checkMethod(method);
  const stores = store === undefined ? refreshStoresOf(secret) : [store];
  if (stores.length === 0) throw fwError(JWT_ERRORS.FW_JWT_NO_STORE, {});
  const how = { secret, method, type: 'refresh', clockTolerance: 0, cacheSize: 0, now: systemClock.now } as const;
  const claims = await new TokenVerifier(how).verify(token);
  const known = claims instanceof Invalid ? undefined : refreshTokenOf(claims);
  if (known === undefined) return false;
  const ended = await onStores(stores, (each) => each.revoke(known.family));
  return ended.includes(true);
}
