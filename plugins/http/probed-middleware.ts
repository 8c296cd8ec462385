import type Koa from 'koa';
import type { Middleware, Probe } from '../../kernel/index.js';

/**
 * A middleware with a diagnostics probe, which its plugin registers and any Koa application can call. It has both our type and Koa's, so
 * that `app.use(...)` accepts it.
 */
export type ProbedMiddleware = Middleware & Koa.Middleware & { readonly probe: Probe };

/** Attaches a probe to a middleware. */
export function withProbe(handle: Middleware, probe: Probe): ProbedMiddleware {
  return Object.assign(handle as Middleware & Koa.Middleware, { probe });
}

/** Subsystem keys of the nine middlewares with the plugin that installs each (SPEC "Middleware chain"). */
export const MIDDLEWARE_SUBSYSTEMS: Readonly<Record<string, string>> = {
  recovery: 'fw/middleware/recovery',
  logging: 'fw/middleware/logging',
  ratelimit: 'fw/middleware/rate-limit',
  locale: 'fw/middleware/locale',
  cors: 'fw/middleware/cors',
  security: 'fw/middleware/security-headers',
  jwt: 'fw/middleware/jwt',
  etag: 'fw/middleware/etag',
  compression: 'fw/middleware/compression',
};
