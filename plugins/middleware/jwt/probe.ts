import { degraded, type HitCounter, ok, type ProbeReport } from '../../../kernel/index.js';
import type { JWTOptions } from './options.js';
import type { ForeignKeys } from './foreign-keys.js';
import type { RefreshStore } from './refresh-store.js';
import type { TokenVerifier } from './token-verifier.js';

/** HMAC keys should be as long as the hash (RFC 7518, section 3.2). */
const KEY_BYTES = 32;

/** What the `jwt` subsystem reports: lengths of keys, never keys. */
export function jwtReport(
  options: JWTOptions,
  counter: HitCounter,
  verifier: TokenVerifier,
  store: RefreshStore | undefined,
  refreshes: Readonly<Record<string, number>>,
  foreign?: ForeignKeys,
): ProbeReport {
  const accessBytes = Buffer.byteLength(options.accessSecret);
  const refreshBytes = Buffer.byteLength(options.refreshSecret ?? '');
  const isRefreshing = options.enableRefreshToken ?? false;
  const algorithm = foreign?.method ?? options.signingMethod ?? 'HS256';
  const extra = counter.facts({
    algorithm,
    secret_bytes: accessBytes,
    context_key: options.userContextKey ?? 'user',
    refresh_enabled: isRefreshing,
    ...(isRefreshing && { refresh_secret_bytes: refreshBytes }),
    ...(isRefreshing && { ...refreshes, ...store?.detail?.() }),
    ...((options.requiredRoles?.length ?? 0) > 0 && { required_roles: options.requiredRoles }),
    custom_token_lookup: options.tokenLookup !== undefined,
    custom_claims_validator: options.claimsValidator !== undefined,
    custom_unauthorized_handler: options.onUnauthorized !== undefined,
    ...verifier.facts,
  });
  if (foreign) return ok(`Tokens of somebody else, signed with ${foreign.method}.`, extra);
  if (accessBytes < KEY_BYTES)
    return degraded(`accessSecret has ${accessBytes} bytes; use at least ${KEY_BYTES}.`, extra);
  if (isRefreshing && refreshBytes < KEY_BYTES) {
    return degraded(`refreshSecret has ${refreshBytes} bytes; use at least ${KEY_BYTES}.`, extra);
  }
  return ok(`Tokens are signed with ${algorithm}.`, extra);
}
