import type { webcrypto } from 'node:crypto';
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
  #hits = 0;

  constructor(private readonly options: VerifierOptions) {
    if (options.cacheSize > 0) this.#verified = new BoundedMap(options.cacheSize);
  }

  /** Facts for the probe. */
  get facts(): { readonly cached_tokens: number; readonly cache_hits: number; readonly evicted_tokens: number } {
    const { size = 0, evicted = 0 } = this.#verified ?? {};
    return { cached_tokens: size, cache_hits: this.#hits, evicted_tokens: evicted };
  }

  /** Claims of a token that was verified before and is still valid; no waiting. */
  remembered(token: string): Claims | undefined {
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

  /** Claims of a token that is not remembered, or why it is not valid. */
  async verify(token: string): Promise<Claims | Invalid> {
    if (!COMPACT.test(token)) return new Invalid('it is not three parts in base64url');
    const { jwtVerify, errors, key } = this.#tools ?? (await this.#load());
    const { method, clockTolerance, now, type, foreign, requireExpiry = true, audience, issuer } = this.options;
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [...(foreign ? spellingsOf(foreign.method) : [method])],
        clockTolerance,
        currentDate: new Date(now()),
        requiredClaims: requireExpiry ? ['exp'] : [],
        ...(audience && { audience: [...audience] }),
        ...(issuer && { issuer: [...issuer] }),
      });
      if (!isOfType(payload['type'], type)) return new Invalid(`its claim "type" is not "${type}"`);
      const problem = this.options.fit?.(payload);
      if (problem !== undefined) return new Invalid(`its claims do not fit the schema: ${problem}`);
      const claims = frozenClaims(payload);
      this.#verified?.set(endOf(token), { token, claims });
      return claims;
    } catch (error) {
      // Every error about a token is a JOSEError; any other error is a defect and is rethrown.
      if (error instanceof errors.JOSEError) return new Invalid(error.message);
      throw error;
    }
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

/** What a check needs: jose, and the secret as a key of Web Crypto. */
interface Tools extends Pick<typeof Jose, 'errors'> {
  readonly jwtVerify: Verify;
  readonly key: KeyOf | webcrypto.CryptoKey;
}

async function toolsFor({ secret, method, foreign }: VerifierOptions): Promise<Tools> {
  const jose = await import('jose');
  const { errors } = jose;
  const jwtVerify = jose.jwtVerify as Verify;
  if (foreign) return { jwtVerify, errors, key: await keyOf(foreign, jose) };
  const algorithm = { name: 'HMAC', hash: HASHES[method] };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify']);
  return { jwtVerify, errors, key };
}

// An access token may have no type; a token with another type is refused.
function isOfType(claimed: unknown, type: 'access' | 'refresh'): boolean {
  return claimed === type || (type === 'access' && typeof claimed !== 'string');
}
