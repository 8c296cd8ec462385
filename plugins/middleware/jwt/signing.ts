import { randomUUID } from 'node:crypto';
import { type Duration, fwError, milliseconds } from '../../../kernel/index.js';
import { JWT_ERRORS } from './errors.js';

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
 * Makes a refresh token: the claims, `exp`, `type: "refresh"`, and the ids by which a token that is used twice is found out.
 * Parameters and errors as {@link generateJWT}.
 */
export async function generateRefreshToken(
  secret: string,
  claims: Readonly<Record<string, unknown>>,
  duration: Duration,
  method: SigningMethod = 'HS256',
): Promise<string> {
  const ids = { jti: randomUUID(), family: claims['family'] ?? randomUUID() };
  return sign(secret, { ...claims, ...ids, type: 'refresh', exp: expiryAfter(duration) }, method);
}

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

/** @throws FwError `FW_JWT_SECRET_MISSING` */
export function checkSecret(option: string, secret: string | undefined): void {
  // From JavaScript it may be anything, a Buffer for example.
  if (typeof secret !== 'string' || secret.trim() === '') throw fwError(JWT_ERRORS.FW_JWT_SECRET_MISSING, { option });
}

/** @throws FwError `FW_JWT_METHOD` */
export function checkMethod(method: string): void {
  if (!(SIGNING_METHODS as readonly string[]).includes(method)) throw fwError(JWT_ERRORS.FW_JWT_METHOD, { method });
}

function expiryAfter(duration: Duration): number {
  const length = milliseconds(duration);
  if (length <= 0) throw fwError(JWT_ERRORS.FW_JWT_DURATION, { duration });
  return Math.floor((Date.now() + length) / 1000);
}
