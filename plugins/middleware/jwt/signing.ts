import { randomUUID } from 'node:crypto';
import { type Duration, failureOf, fwError, milliseconds, systemClock } from '../../../kernel/index.js';
import { JWT_ERRORS } from './errors.js';
import { isJwk } from './foreign-keys.js';
import type { RefreshStore } from './refresh-store.js';
import { onStores, refreshStoresOf } from './refresh-stores.js';

/** Signing methods: HMAC with SHA-2 (RFC 7518, section 3.2). */
export const SIGNING_METHODS = ['HS256', 'HS384', 'HS512'] as const;

/** One of {@link SIGNING_METHODS}. */
export type SigningMethod = (typeof SIGNING_METHODS)[number];

/**
 * Makes an access token: the claims, and `exp`.
 *
 * @param secret - HMAC key, not empty
 * @param claims - not changed
 * @param duration - how long the token is valid, from now
 * @param method - default HS256
 * @throws FwError `FW_JWT_SECRET_MISSING`, `FW_JWT_METHOD`, `FW_JWT_DURATION`, or `FW_CONFIG_DURATION` for what is no duration
 */
export async function generateJWT(
  secret: string,
  claims: Readonly<Record<string, unknown>>,
  duration: Duration,
  method: SigningMethod = 'HS256',
): Promise<string> {
  return sign(secret, { ...claims, exp: expiryAfter(duration) }, method);
}

/**
 * Makes a refresh token: the claims, `exp`, `type: "refresh"`, and the ids by which repeated use is detected; and registers it in the store
 * of this process's JWT middleware with this key. A token that no store knows is refused. Parameters and errors as {@link generateJWT}, and
 * `FW_JWT_STORE_AWAY`.
 *
 * @param store - store of the token if its middleware is in another process: the Redis that it uses
 */
export async function generateRefreshToken(
  secret: string,
  claims: Readonly<Record<string, unknown>>,
  duration: Duration,
  method: SigningMethod = 'HS256',
  store?: RefreshStore,
): Promise<string> {
  const exp = expiryAfter(duration);
  const { family: given } = claims;
  const [jti, family] = [randomUUID(), typeof given === 'string' && given !== '' ? given : randomUUID()];
  const token = await sign(secret, { ...claims, jti, family, type: 'refresh', exp }, method);
  const stores = store === undefined ? refreshStoresOf(secret) : [store];
  if (stores.length === 0) unremembered(fwError(JWT_ERRORS.FW_JWT_NO_STORE, {}));
  await onStores(stores, (each) => each.begin(family, jti, exp));
  return token;
}

const unremembered = failureOf('generateRefreshToken');

/** Signs a payload as it is. */
export async function sign(
  secret: string,
  payload: Readonly<Record<string, unknown>>,
  method: SigningMethod,
): Promise<string> {
  checkSecret('secret', secret);
  checkMethod(method);
  const { SignJWT } = await import('jose');
  return new SignJWT(payload).setProtectedHeader({ alg: method, typ: 'JWT' }).sign(new TextEncoder().encode(secret));
}

/** @throws FwError `FW_JWT_SECRET_MISSING` or `FW_JWT_SECRET_IS_KEY` */
export function checkSecret(option: string, secret: string | undefined): void {
  // From JavaScript it may be any value, for example a Buffer.
  if (typeof secret !== 'string' || secret.trim() === '') throw fwError(JWT_ERRORS.FW_JWT_SECRET_MISSING, { option });
  if (/-----BEGIN /.test(secret) || isJwk(secret)) throw fwError(JWT_ERRORS.FW_JWT_SECRET_IS_KEY, { option });
}

/** @throws FwError `FW_JWT_METHOD` */
export function checkMethod(method: string): void {
  if (!(SIGNING_METHODS as readonly string[]).includes(method)) throw fwError(JWT_ERRORS.FW_JWT_METHOD, { method });
}

function expiryAfter(duration: Duration): number {
  const length = milliseconds(duration);
  if (length <= 0) throw fwError(JWT_ERRORS.FW_JWT_DURATION, { duration });
  return Math.floor((systemClock.now() + length) / 1000);
}
