import { createPublicKey, type JsonWebKey, KeyObject, type webcrypto } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type * as Jose from 'jose';
import { Type } from 'typebox';
import { fwError, type OptionsInput } from '../../../kernel/index.js';
import { JWT_ERRORS } from './errors.js';

const RSA = ['rsa'];
const RSA_PSS = ['rsa', 'rsa-pss'];

const ED25519 = ['ed25519'];

/** Which kinds of keys, as Node names them, fit a signing method (RFC 7518, section 3.1; RFC 8037, section 3.1; RFC 9864). */
const KINDS_OF_KEYS: Readonly<Record<string, readonly string[]>> = {
  ...{ RS256: RSA, RS384: RSA, RS512: RSA, PS256: RSA_PSS, PS384: RSA_PSS, PS512: RSA_PSS },
  ...{ ES256: ['ec prime256v1'], ES384: ['ec secp384r1'], ES512: ['ec secp521r1'] },
  ...{ Ed25519: ED25519, EdDSA: ED25519 },
};
const METHODS = Object.keys(KINDS_OF_KEYS);
/** Names of one and the same method with a key of this kind: `EdDSA` is the older one (RFC 9864, section 2.2). */
const SPELLINGS: readonly string[] = ['Ed25519', 'EdDSA'];
/** Shorter RSA keys must not be used (RFC 7518, section 3.3). */
const RSA_BITS = 2048;

export const foreignKeysSchema = Type.Object(
  {
    method: Type.Unsafe<string>({
      type: 'string',
      enum: [...METHODS],
      description: 'The only signing method that is accepted; keys have to fit it. EdDSA and Ed25519 are one',
    }),
    publicKey: Type.Optional(
      Type.String({ minLength: 1, description: 'Public key as PEM (BEGIN PUBLIC KEY), or as the JSON text of a JWK' }),
    ),
    jwksUrl: Type.Optional(
      Type.String({ minLength: 1, description: 'https address of the key set (RFC 7517); http on this machine only' }),
    ),
  },
  { additionalProperties: false, description: 'Takes tokens that somebody else signs, in place of `accessSecret`' },
);

/** Issuer of accepted tokens, and how their signatures are checked. */
export type ForeignKeys = OptionsInput<typeof foreignKeysSchema>;

/** Time limit of a request to the key server, in milliseconds. */
const FETCH_MS = 5000;
/** Pause between requests to the key server after an unknown key id or a failure. */
const COOLDOWN_MS = 30_000;
/** The same while no keys were fetched yet: until then every token is refused, and both servers may be starting. */
const FIRST_COOLDOWN_MS = 2000;
/** How long keys are used before they are fetched again. */
const FRESH_MS = 600_000;
/** How long keys are used while their server cannot be reached: its outage shall not be ours, but keys may be revoked. */
const OUTAGE_MS = 3_600_000;

/** Gives the key of a token. Keys in the token's own header (`jku`, `x5u`, `jwk`) are ignored. */
export type KeyOf = Jose.JWTVerifyGetKey;

/** The key server cannot be reached, so the token can be neither accepted nor rejected. */
export class KeysAway extends Error {
  override readonly name = 'KeysAway';

  /** @param isFirst - whether it is the first refusal of this outage, the one to log */
  constructor(
    message: string,
    readonly isFirst: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What the header of a token may call a method. */
export function spellingsOf(method: string): readonly string[] {
  return SPELLINGS.includes(method) ? SPELLINGS : [method];
}

/**
 * Checks the option at construction.
 * @throws FwError `FW_JWT_VERIFIER`
 */
export function checkForeignKeys({ publicKey, jwksUrl, method }: ForeignKeys): void {
  if (!METHODS.includes(method)) refuse(`its method is ${method}`);
  if ((publicKey === undefined) === (jwksUrl === undefined)) refuse('it needs either `publicKey` or `jwksUrl`');
  if (jwksUrl !== undefined && !isSafe(jwksUrl)) refuse('`jwksUrl` is no https address');
  if (publicKey !== undefined) checkPublicKey(publicKey, method);
}

function checkPublicKey(publicKey: string, method: string): void {
  if (!isJwk(publicKey) && !publicKey.includes('-----BEGIN PUBLIC KEY-----'))
    refuse('`publicKey` is neither a JWK nor PEM of a public key');
  let key: KeyObject;
  try {
    key = isJwk(publicKey)
      ? createPublicKey({ key: publicJwk(publicKey) as JsonWebKey, format: 'jwk' })
      : createPublicKey(publicKey);
  } catch (cause) {
    return refuse('`publicKey` cannot be read', cause);
  }
  const problem = problemOf(key, method);
  if (problem !== undefined) refuse(`\`publicKey\` ${problem}`);
}

function problemOf(key: KeyObject, method: string): string | undefined {
  const { asymmetricKeyType: type, asymmetricKeyDetails: { namedCurve, modulusLength, publicExponent } = {} } = key;
  const kind = namedCurve === undefined ? String(type) : `${type} ${namedCurve}`;
  const expected = KINDS_OF_KEYS[method] as readonly string[];
  if (!expected.includes(kind)) return `is of kind ${kind}, and ${method} takes ${expected.join(' or ')}`;
  if (modulusLength !== undefined && modulusLength < RSA_BITS)
    return `has ${modulusLength} bits, and ${method} takes no fewer than ${RSA_BITS}`;
  // With 1 a signature is its own message, so that everybody can sign.
  return publicExponent === 1n ? 'has the exponent 1' : undefined;
}

/** @param jose - loaded by whoever verifies */
export async function keyOf({ publicKey, jwksUrl, method }: ForeignKeys, jose: typeof Jose): Promise<KeyOf> {
  if (jwksUrl !== undefined) return usableKeys(remoteKeys(new URL(jwksUrl), jose), method, jose);
  try {
    // A local key set of one key, which checks that `kty`, `use`, `key_ops` and `alg` fit the method.
    if (isJwk(publicKey as string))
      return jose.createLocalJWKSet({ keys: [ofAnySpelling(publicJwk(publicKey as string))] });
    const key = await jose.importSPKI(publicKey as string, method);
    return () => Promise.resolve(key);
  } catch (cause) {
    return refuse(`\`publicKey\` is no key for ${method}`, cause);
  }
}

/** Holds the keys of a set to what holds for one in the options: a token whose key cannot be used is not valid. */
function usableKeys(keys: KeyOf, method: string, jose: typeof Jose): KeyOf {
  const known = new WeakSet<object>();
  const unusable = (problem: string, cause?: unknown) =>
    new jose.errors.JWKInvalid(`its key in the key set ${problem}`, { cause });
  const keyFor: KeyOf = async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      const isKnown = error instanceof KeysAway || error instanceof jose.errors.JOSEError;
      throw isKnown ? error : unusable('cannot be read', error);
    }
  };
  return async (header, token) => {
    const key = (await keyFor(header, token)) as webcrypto.CryptoKey;
    if (known.has(key)) return key;
    const problem = problemOf(KeyObject.from(key), method);
    if (problem !== undefined) throw unusable(problem);
    known.add(key);
    return key;
  };
}

function remoteKeys(url: URL, jose: typeof Jose): KeyOf {
  const last: Partial<Jose.ExportedJWKSCache> = {};
  let isAnswered = false;
  const keys = jose.createRemoteJWKSet(url, {
    timeoutDuration: FETCH_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: FRESH_MS,
    // jose writes each answer of the server into it.
    [jose.jwksCache]: last as Jose.JWKSCacheInput,
    [jose.customFetch]: async (...asked) => {
      isAnswered = false;
      const response = await inAnySpelling(await fetch(...asked));
      isAnswered = true;
      return response;
    },
  });
  let failedAt = -Infinity;
  let isTold = false;
  let latest: { readonly uat: number | undefined; readonly at: number } | undefined;
  // jose goes by the wall clock alone: after it was set back, keys that the server has withdrawn would be believed for as long.
  const ageOfKeys = (): number => {
    if (latest?.uat !== last.uat) latest = { uat: last.uat, at: performance.now() };
    return latest === undefined ? 0 : performance.now() - latest.at;
  };
  const withoutServer = async (...[header, token, cause]: [...Parameters<KeyOf>, unknown?]) => {
    const away = () => {
      const isFirst = !isTold;
      isTold = true;
      return new KeysAway(`the keys at ${url.origin} cannot be reached`, isFirst, { cause });
    };
    if (last.jwks === undefined || ageOfKeys() > OUTAGE_MS) throw away();
    try {
      return await jose.createLocalJWKSet(last.jwks)(header, token);
    } catch (error) {
      // An unknown key may be a new one that only the unreachable server knows.
      throw error instanceof jose.errors.JWKSNoMatchingKey ? away() : error;
    }
  };
  return async (header, token) => {
    const pause = last.jwks === undefined ? FIRST_COOLDOWN_MS : COOLDOWN_MS;
    if (performance.now() - failedAt < pause) return withoutServer(header, token);
    try {
      if (ageOfKeys() > FRESH_MS) await keys.reload();
      const key = await keys(header, token).finally(ageOfKeys);
      isTold = false;
      failedAt = -Infinity;
      return key;
    } catch (error) {
      const { JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported } = jose.errors;
      const isAboutToken = [JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported].some(
        (kind) => error instanceof kind,
      );
      // jose tells all that it says of an answer by errors of its own; another one is about a key of the set.
      if (isAboutToken || (isAnswered && !(error instanceof jose.errors.JOSEError))) throw error;
      failedAt = performance.now();
      return withoutServer(header, token, error);
    }
  };
}

// jose wants the `alg` of a key to be spelled as that of the token.
async function inAnySpelling(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const given = (await response.json()) as Partial<Jose.JSONWebKeySet> | null;
  return Response.json(Array.isArray(given?.keys) ? { keys: withoutTwins(given.keys.map(ofAnySpelling)) } : given);
}

/** A key, without the `alg` that a token may spell the other way; its kind and curve leave no other method. */
function ofAnySpelling(jwk: Jose.JWK): Jose.JWK {
  return isEd25519(jwk) && SPELLINGS.includes(jwk.alg ?? '') ? { ...jwk, alg: undefined } : jwk;
}

// What a server sends need not be a key at all; jose says so.
function isEd25519(jwk: Jose.JWK | null): boolean {
  return jwk?.crv === 'Ed25519';
}

// A set may have a key once for each spelling, and jose refuses tokens that two keys fit.
function withoutTwins(keys: readonly Jose.JWK[]): Jose.JWK[] {
  const isSame = (one: Jose.JWK, other: Jose.JWK) => isEd25519(one) && isDeepStrictEqual(one, other);
  return keys.filter((key, at) => !keys.slice(0, at).some((earlier) => isSame(key, earlier)));
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
