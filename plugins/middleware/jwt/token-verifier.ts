import { createHmac, createSecretKey, timingSafeEqual, type webcrypto } from 'node:crypto';
import type * as Jose from 'jose';
import { BoundedMap } from '../../../kernel/bounded/index.js';
import { type Claims, frozenClaims } from './claims.js';
import type { ClaimsFit } from './claims-fit.js';
import { type ForeignKeys, keyOf, type KeyOf, spellingsOf } from './foreign-keys.js';
import type { SigningMethod } from './signing.js';

const HASHES: Readonly<Record<SigningMethod, string>> = { HS256: 'SHA-256', HS384: 'SHA-384', HS512: 'SHA-512' };

/** How a verifier checks. */
export interface VerifierOptions {
  readonly secret: string;
  /** Set for tokens of another issuer: then `secret` and `method` are not used. */
  readonly foreign?: ForeignKeys | undefined;
  /** The only algorithm that is accepted, whatever the token's header says. */
  readonly method: SigningMethod;
  /** Claim `type` that a token must have; for access tokens none is fine too. */
  readonly type: 'access' | 'refresh';
  /** Seconds by which clocks may differ. */
  readonly clockTolerance: number;
  /** Whether a token without `exp` is refused; default true. */
  readonly requireExpiry?: boolean;
  /** Values of which the claim `aud` must have one; default any, or none. */
  readonly audience?: readonly string[] | undefined;
  /** Values of which the claim `iss` must be one; default any, or none. */
  readonly issuer?: readonly string[] | undefined;
  /** What the claims have to look like; default anything. */
  readonly fit?: ClaimsFit | undefined;
  /** Most verified tokens that are remembered; 0 switches the cache off. */
  readonly cacheSize: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** RFC 7515, section 7.1. jose also decodes parts with white space and padding, which section 2 forbids. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Verifies tokens of one kind. A verified token is remembered until its `exp`, in a bounded cache: the signature of the same
 * text does not change. The cache ends with the verifier, and a new key means a new verifier.
 */
export class TokenVerifier {
  /** By the end of their signatures, because hashing a whole token for each request would take too long. */
  readonly #verified: BoundedMap<string, Verified> | undefined;
  #tools: Tools | undefined;
  #loading: Promise<Tools> | undefined;
  /** The header of the last token that jose has found valid: tokens of one issuer have one header. */
  #header: string | undefined;
  #hits = 0;

  constructor(private readonly options: VerifierOptions) {
    if (options.cacheSize > 0) this.#verified = new BoundedMap(options.cacheSize);
  }

  /** Facts for the probe. */
  get facts(): { readonly cached_tokens: number; readonly cache_hits: number; readonly evicted_tokens: number } {
    const { size = 0, evicted = 0 } = this.#verified ?? {};
    return { cached_tokens: size, cache_hits: this.#hits, evicted_tokens: evicted };
  }

  #remembered(token: string): Claims | undefined {
    const known = this.#verified?.get(endOf(token));
    if (known === undefined || known.token !== token) return undefined;
    const { claims } = known;
    if ((claims['exp'] as number) + this.options.clockTolerance <= this.options.now() / 1000) {
      this.#verified?.delete(endOf(token));
      return undefined;
    }
    this.#hits++;
    return claims;
  }

  /**
   * Claims of a valid token where that can be said without waiting: it is remembered, or it has the header of a valid one, and the secret
   * signs it as it is signed. Undefined says nothing: {@link verify} decides.
   */
  atOnce(token: string): Claims | undefined {
    return this.#remembered(token) ?? this.#signedAlike(token);
  }

  // jose asks Web Crypto, whose threads and promises take several times as long as the HMAC itself. What the header and the claims mean is
  // said by jose alone: of the header before, when it found a token with the same one valid, and of the claims as of an unsecured token's.
  #signedAlike(token: string): Claims | undefined {
    const { signatureOf, UnsecuredJWT, errors } = this.#tools ?? {};
    if (!signatureOf || !UnsecuredJWT || !errors || !COMPACT.test(token)) return undefined;
    const [header, payload, signature] = token.split('.') as [string, string, string];
    if (header !== this.#header || !isSame(signatureOf(`${header}.${payload}`), signature)) return undefined;
    try {
      const claims = UnsecuredJWT.decode(`${UNSECURED}.${payload}.`, this.#claimRules()).payload;
      const accepted = this.#accepted(token, claims);
      return accepted instanceof Invalid ? undefined : accepted;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  /** Claims of a token that is not remembered, or why it is not valid. */
  async verify(token: string): Promise<Claims | Invalid> {
    if (!COMPACT.test(token)) return new Invalid('it is not three parts in base64url');
    const { jwtVerify, errors, key } = this.#tools ?? (await this.#load());
    const { method, foreign } = this.options;
    const algorithms = [...(foreign ? spellingsOf(foreign.method) : [method])];
    try {
      const { payload } = await jwtVerify(token, key, { algorithms, ...this.#claimRules() });
      this.#header = token.slice(0, token.indexOf('.'));
      return this.#accepted(token, payload);
    } catch (error) {
      // Every error about a token is a JOSEError; any other error is a defect and is rethrown.
      if (error instanceof errors.JOSEError) return new Invalid(error.message);
      throw error;
    }
  }

  #claimRules(): Jose.JWTClaimVerificationOptions {
    const { clockTolerance, now, requireExpiry = true, audience, issuer } = this.options;
    return {
      clockTolerance,
      currentDate: new Date(now()),
      requiredClaims: requireExpiry ? ['exp'] : [],
      ...(audience && { audience: [...audience] }),
      ...(issuer && { issuer: [...issuer] }),
    };
  }

  /** Claims of a payload that jose has accepted. */
  #accepted(token: string, payload: Jose.JWTPayload): Claims | Invalid {
    const { type, fit } = this.options;
    if (!isOfType(payload['type'], type)) return new Invalid(`its claim "type" is not "${type}"`);
    const problem = fit?.(payload);
    if (problem !== undefined) return new Invalid(`its claims do not fit the schema: ${problem}`);
    const claims = frozenClaims(payload);
    this.#verified?.set(endOf(token), { token, claims });
    return claims;
  }

  // Once, on the first token: an `import()` and a raw secret per token cost more than the check itself.
  #load(): Promise<Tools> {
    return (this.#loading ??= toolsFor(this.options).then((tools) => (this.#tools = tools)));
  }
}

/** Why a token is not valid: a sentence that holds nothing of the token. */
export class Invalid {
  constructor(readonly reason: string) {}
}

interface Verified {
  readonly token: string;
  readonly claims: Claims;
}

/** Characters at the end of a token: 192 bits of its signature. */
const END = 32;
const endOf = (token: string): string => token.slice(-END);

type Verify = (
  token: string,
  key: KeyOf | webcrypto.CryptoKey,
  options: Jose.JWTVerifyOptions,
) => Promise<Jose.JWTVerifyResult>;

/** What a check needs: jose, and the secret as a key. */
interface Tools extends Pick<typeof Jose, 'errors' | 'UnsecuredJWT'> {
  readonly jwtVerify: Verify;
  readonly key: KeyOf | webcrypto.CryptoKey;
  /** The signature that a text has by the secret; undefined for keys of another issuer. */
  readonly signatureOf?: (text: string) => string;
}

/** `{"alg":"none"}`: the header of an unsecured token (RFC 7519, section 6). */
const UNSECURED = 'eyJhbGciOiJub25lIn0';

async function toolsFor({ secret, method, foreign }: VerifierOptions): Promise<Tools> {
  const jose = await import('jose');
  const { errors, UnsecuredJWT } = jose;
  const jwtVerify = jose.jwtVerify as Verify;
  if (foreign) return { jwtVerify, errors, UnsecuredJWT, key: await keyOf(foreign, jose) };
  const hash = HASHES[method];
  const bytes = new TextEncoder().encode(secret);
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash }, false, ['verify']);
  const [digest, secretKey] = [hash.replace('-', ''), createSecretKey(bytes)];
  const signatureOf = (text: string) => createHmac(digest, secretKey).update(text).digest('base64url');
  return { jwtVerify, errors, UnsecuredJWT, key, signatureOf };
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one, 'latin1'), Buffer.from(other, 'latin1')];
  return first.length === second.length && timingSafeEqual(first, second);
}

// An access token may have no type; a token with another type is refused.
function isOfType(claimed: unknown, type: 'access' | 'refresh'): boolean {
  return claimed === type || (type === 'access' && typeof claimed !== 'string');
}
