/** Values of the twelve security headers; an empty one is not sent. */
export interface SecurityOptions {
  readonly contentSecurityPolicy: string;
  readonly xFrameOptions: string;
  readonly xContentTypeOptions: string;
  readonly referrerPolicy: string;
  readonly strictTransportSecurity: string;
  readonly permissionsPolicy: string;
  readonly xXSSProtection: string;
  readonly expectCT: string;
  readonly crossOriginEmbedderPolicy: string;
  readonly crossOriginOpenerPolicy: string;
  readonly crossOriginResourcePolicy: string;
  readonly cacheControl: string;
}

/** Field of the options to header name, in the order of the specification. */
export const SECURITY_HEADERS: readonly (readonly [keyof SecurityOptions, string])[] = [
  ['contentSecurityPolicy', 'Content-Security-Policy'],
  ['xFrameOptions', 'X-Frame-Options'],
  ['xContentTypeOptions', 'X-Content-Type-Options'],
  ['referrerPolicy', 'Referrer-Policy'],
  ['strictTransportSecurity', 'Strict-Transport-Security'],
  ['permissionsPolicy', 'Permissions-Policy'],
  ['xXSSProtection', 'X-XSS-Protection'],
  ['expectCT', 'Expect-CT'],
  ['crossOriginEmbedderPolicy', 'Cross-Origin-Embedder-Policy'],
  ['crossOriginOpenerPolicy', 'Cross-Origin-Opener-Policy'],
  ['crossOriginResourcePolicy', 'Cross-Origin-Resource-Policy'],
  ['cacheControl', 'Cache-Control'],
];

/** The strict set. */
export const STRICT: SecurityOptions = Object.freeze({
  contentSecurityPolicy: "default-src 'self'",
  xFrameOptions: 'DENY',
  xContentTypeOptions: 'nosniff',
  referrerPolicy: 'no-referrer',
  strictTransportSecurity: 'max-age=63072000; includeSubDomains; preload',
  // The syntax of the Permissions Policy standard; browsers ignore the older one with 'none'.
  permissionsPolicy: 'geolocation=(), microphone=(), camera=()',
  xXSSProtection: '1; mode=block',
  expectCT: 'max-age=86400, enforce',
  crossOriginEmbedderPolicy: 'require-corp',
  crossOriginOpenerPolicy: 'same-origin',
  crossOriginResourcePolicy: 'same-origin',
  cacheControl: 'no-store, no-cache, must-revalidate',
});
