import { plugin } from '../../../kernel/index.js';
import compression from '../compression/index.js';
import cors from '../cors/index.js';
import etag from '../etag/index.js';
import jwt from '../jwt/index.js';
import locale from '../locale/index.js';
import logging from '../logging/index.js';
import rateLimit from '../rate-limit/index.js';
import recovery from '../recovery/index.js';
import security from '../security-headers/index.js';

/** Signs and verifies the tokens of the nine middlewares under test. */
export const SECRET = 'a secret of at least thirty-two bytes!!';

/** The twelve security headers, pinned as literals: nothing here comes from the product. */
export const TWELVE: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'self'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=63072000; includeSubDomains; preload',
  'permissions-policy': 'geolocation=(), microphone=(), camera=()',
  'x-xss-protection': '1; mode=block',
  'expect-ct': 'max-age=86400, enforce',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store, no-cache, must-revalidate',
};

export type MiddlewareName = keyof ReturnType<typeof nineMiddlewares>;

/**
 * The nine middlewares as entries of `plugins`. Their folder of catalogs is the application's.
 *
 * @param requests - how many requests a client may send per minute
 */
export const nineMiddlewares = (requests = 1000) => ({
  recovery: plugin(() => Promise.resolve(recovery)),
  logging: plugin(() => Promise.resolve(logging)),
  'rate-limit': plugin(() => Promise.resolve(rateLimit), { requests, per: '1m' }),
  locale: plugin(() => Promise.resolve(locale), { dir: '.' }),
  cors: plugin(() => Promise.resolve(cors), { allowOrigins: '*', allowMethods: 'GET' }),
  'security-headers': plugin(() => Promise.resolve(security)),
  jwt: plugin(() => Promise.resolve(jwt), { accessSecret: SECRET, protect: ['/admin/**'] }),
  etag: plugin(() => Promise.resolve(etag)),
  compression: plugin(() => Promise.resolve(compression)),
});

/** The order of the SPEC, section "Middleware chain". */
export const SPEC_ORDER: readonly MiddlewareName[] = [
  'recovery',
  'logging',
  'rate-limit',
  'locale',
  'cors',
  'security-headers',
  'jwt',
  'etag',
  'compression',
];
