/** What a token says. Frozen: verified claims are shared between requests. */
export type Claims = Readonly<Record<string, unknown>>;

/** Freezes claims at every depth. */
export function frozenClaims(claims: Record<string, unknown>): Claims {
  for (const value of Object.values(claims)) {
    if (typeof value === 'object' && value !== null) frozenClaims(value as Record<string, unknown>);
  }
  return Object.freeze(claims);
}

/** Claims without those that belong to one token rather than to its user. */
export function userClaims(claims: Claims): Record<string, unknown> {
  const { exp: _exp, iat: _iat, nbf: _nbf, jti: _jti, type: _type, family: _family, ...own } = claims;
  return own;
}
