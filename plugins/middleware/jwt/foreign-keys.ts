import type * as Jose from 'jose';
import { Type } from 'typebox';
import { fwError, type OptionsInput, withDefault } from '../../../kernel/index.js';
import { JWT_ERRORS } from './errors.js';

const METHODS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA'],
] as const;

const names = (description: string) => Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description }));

export const foreignKeysSchema = Type.Object(
  {
    method: Type.Unsafe<string>({
      type: 'string',
      enum: [...METHODS],
      description: 'The only signing method that is accepted; keys have to fit it',
    }),
    publicKey: Type.Optional(
      Type.String({ minLength: 1, description: 'Public key as PEM (BEGIN PUBLIC KEY), or as the JSON text of a JWK' }),
    ),
    jwksUrl: Type.Optional(
      Type.String({ minLength: 1, description: 'https address of the key set (RFC 7517); http on this machine only' }),
    ),
    audience: names('Values of which the claim `aud` must have one'),
    issuer: names('Values of which the claim `iss` must be one'),
    requireExpiry: withDefault(Type.Boolean({ description: 'Whether a token must have an `exp`' }), true),
  },
  { additionalProperties: false, description: 'Takes tokens that somebody else signs, in place of `accessSecret`' },
);

/** Whose tokens are taken, and how their signatures are checked. */
export type ForeignKeys = OptionsInput<typeof foreignKeysSchema>;

/** Milliseconds that the server of the keys may take. */
const FETCH_MS = 5000;
/** After an unknown key id, and after a failure, the server is left in peace for so long. */
const COOLDOWN_MS = 30_000;
/** How long keys are used without asking again. */
const FRESH_MS = 600_000;

/** Gives the key of a token. What the token's own header says of keys (`jku`, `x5u`, `jwk`) plays no part. */
export type KeyOf = Jose.JWTVerifyGetKey;

/** The server of the keys cannot be reached: nothing can be said about the token. */
export class KeysAway extends Error {
  override readonly name = 'KeysAway';
}

/**
 * Reads what the option says, before any request comes.
 * @throws FwError `FW_JWT_VERIFIER`
 */
export function checkForeignKeys({ publicKey, jwksUrl, method }: ForeignKeys): void {
  if (!(METHODS as readonly string[]).includes(method)) refuse(`its method is ${method}`);
  if ((publicKey === undefined) === (jwksUrl === undefined)) refuse('it needs either `publicKey` or `jwksUrl`');
  if (jwksUrl !== undefined && !isSafe(jwksUrl)) refuse('`jwksUrl` is no https address');
  if (publicKey !== undefined && !isJwk(publicKey) && !publicKey.includes('-----BEGIN PUBLIC KEY-----'))
    refuse('`publicKey` is neither a JWK nor PEM of a public key');
}

/** @param jose - loaded by whoever verifies */
export async function keyOf({ publicKey, jwksUrl, method }: ForeignKeys, jose: typeof Jose): Promise<KeyOf> {
  if (jwksUrl !== undefined) return remoteKeys(new URL(jwksUrl), jose);
  try {
    // A set of one: it is asked whether `kty`, `use`, `key_ops` and `alg` fit the method.
    if (isJwk(publicKey as string)) return jose.createLocalJWKSet({ keys: [publicJwk(publicKey as string)] });
    const key = await jose.importSPKI(publicKey as string, method);
    return () => Promise.resolve(key);
  } catch (cause) {
    return refuse(`\`publicKey\` is no key for ${method}`, cause);
  }
}

function remoteKeys(url: URL, jose: typeof Jose): KeyOf {
  const keys = jose.createRemoteJWKSet(url, {
    timeoutDuration: FETCH_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: FRESH_MS,
  });
  let failedAt = -Infinity;
  return async (header, token) => {
    if (performance.now() - failedAt < COOLDOWN_MS) throw new KeysAway(`the keys at ${url.origin} cannot be reached`);
    try {
      return await keys(header, token);
    } catch (error) {
      const { JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported } = jose.errors;
      const isAboutToken = [JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported].some(
        (kind) => error instanceof kind,
      );
      if (isAboutToken) throw error;
      failedAt = performance.now();
      throw new KeysAway(`the keys at ${url.origin} cannot be reached`, { cause: error });
    }
  };
}

function isSafe(text: string): boolean {
  const { protocol, hostname } = URL.canParse(text) ? new URL(text) : { protocol: '', hostname: '' };
  const isHere = hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isHere);
}

/** Whether a text is a JSON Web Key. */
export function isJwk(text: string): boolean {
  return /^\s*\{/.test(text) && /"kty"\s*:/.test(text);
}

function publicJwk(text: string): Jose.JWK {
  const jwk = JSON.parse(text) as Jose.JWK;
  if (jwk.d !== undefined || jwk.k !== undefined) throw new TypeError('the JWK is no public key');
  return jwk;
}

function refuse(problem: string, cause?: unknown): never {
  throw fwError(JWT_ERRORS.FW_JWT_VERIFIER, { problem }, { cause });
}
