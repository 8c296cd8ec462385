import type { HttpContext } from '../../../kernel/index.js';

/** Access token and refresh token of a request; empty where there is none. */
export type TokenPair = readonly [access: string, refresh: string];

/** Reads the tokens of a request, synchronously or not. Throws to refuse; the error is passed to `onUnauthorized`. */
export type TokenLookup = (context: HttpContext) => TokenPair | Promise<TokenPair>;

/** Why a request was refused. For logs and `onUnauthorized`; the client is not told. */
export class Unauthorized extends Error {
  override readonly name = 'Unauthorized';
  /** HTTP status that the failure means. */
  readonly status: number;
  readonly expose = false;
  /** Error code of the challenge in the response; undefined when no token was sent (RFC 6750, section 3.1). */
  readonly challenge: 'invalid_token' | 'insufficient_scope' | undefined;

  constructor(reason: string, status = 401, challenge?: Unauthorized['challenge']) {
    super(reason);
    this.status = status;
    this.challenge = challenge;
  }
}

/** Header of the refresh token. */
const REFRESH_HEADER = 'x-refresh-token';

/**
 * Access token from `Authorization: Bearer <token>` (RFC 6750, section 2.1): the scheme in any case, one space, one token.
 * Refresh token from `X-Refresh-Token`.
 *
 * @throws Unauthorized when the header is missing and there is no refresh token, malformed, or there more than once
 */
export const bearerLookup = ({ req }: HttpContext): TokenPair => {
  const header = req.headers.authorization;
  const refresh = String(req.headers[REFRESH_HEADER] ?? '');
  if (header === undefined) {
    if (refresh !== '') return ['', refresh];
    throw new Unauthorized('authorization header missing');
  }
  const token = bearerToken(header);
  if (token === undefined || isRepeated(req.rawHeaders)) {
    const challenge = /^bearer\b/i.test(header) ? 'invalid_token' : undefined;
    throw new Unauthorized('invalid authorization header format', 401, challenge);
  }
  return [token, refresh];
};

function bearerToken(header: string): string | undefined {
  if (header.length < 8 || header.charCodeAt(6) !== 32 || header.slice(0, 6).toLowerCase() !== 'bearer')
    return undefined;
  const token = header.slice(7);
  return /[\s,]/.test(token) ? undefined : token;
}

// Node returns only the first of two headers; which one counts must not be ambiguous.
function isRepeated(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 13 && name.toLowerCase() === 'authorization') count++;
  }
  return count > 1;
}
