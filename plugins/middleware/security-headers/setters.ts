import type { SecurityOptions } from './headers.js';

/** Overrides one header value; made by one of the `with...` functions. */
export type SecuritySetter = (options: SecurityOptions) => SecurityOptions;

const setter =
  (field: keyof SecurityOptions) =>
  (value: string): SecuritySetter =>
  (options) => ({ ...options, [field]: value });

/** Sets Content-Security-Policy; empty switches it off. */
export const withContentSecurityPolicy = setter('contentSecurityPolicy');
/** Sets X-Frame-Options; empty switches it off. */
export const withXFrameOptions = setter('xFrameOptions');
/** Sets X-Content-Type-Options; empty switches it off. */
export const withXContentTypeOptions = setter('xContentTypeOptions');
/** Sets Referrer-Policy; empty switches it off. */
export const withReferrerPolicy = setter('referrerPolicy');
/** Sets Strict-Transport-Security; empty switches it off. */
export const withStrictTransportSecurity = setter('strictTransportSecurity');
/** Sets Permissions-Policy; empty switches it off. */
export const withPermissionsPolicy = setter('permissionsPolicy');
/** Sets X-XSS-Protection; empty switches it off. */
export const withXXSSProtection = setter('xXSSProtection');
/** Sets Expect-CT; empty switches it off. */
export const withExpectCT = setter('expectCT');
/** Sets Cross-Origin-Embedder-Policy; empty switches it off. */
export const withCrossOriginEmbedderPolicy = setter('crossOriginEmbedderPolicy');
/** Sets Cross-Origin-Opener-Policy; empty switches it off. */
export const withCrossOriginOpenerPolicy = setter('crossOriginOpenerPolicy');
/** Sets Cross-Origin-Resource-Policy; empty switches it off. */
export const withCrossOriginResourcePolicy = setter('crossOriginResourcePolicy');
/** Sets Cache-Control; empty switches it off. */
export const withCacheControl = setter('cacheControl');
