import { createHash } from 'node:crypto';
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono } from 'hono';
import { BESIDE_HELMET, LIMIT, LOCALES, ORIGIN, ROLE, SECRET, SECURITY } from '../work.mjs';
import { writeLine } from './own-parts.mjs';

/**
 * Hono on node-server with its own middlewares.
 *
 * @param {import('../server.mjs').Scenario} scenario
 * @returns {Promise<number>}
 */
export async function start({ chain, threshold, answer }) {
  const app = new Hono();
  if (chain) await useChain(app, threshold);
  app.get('/users/:id', (c) => {
    if (!chain) return c.json(answer(c.req.param('id')));
    // Its compression looks at the threshold only when a length is stated.
    const text = JSON.stringify(answer(c.req.param('id')));
    return c.body(text, 200, { 'Content-Type': 'application/json', 'Content-Length': `${Buffer.byteLength(text)}` });
  });
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port));
  });
}

/** @type {(app: Hono, threshold: number) => Promise<void>} */
async function useChain(app, threshold) {
  const names = ['cors', 'secure-headers', 'jwt', 'etag', 'compress', 'language'];
  const parts = await Promise.all([...names.map((name) => import(`hono/${name}`)), import('hono-rate-limiter')]);
  const { cors, secureHeaders, jwt, etag, compress, languageDetector, rateLimiter } = Object.assign({}, ...parts);
  app.onError((error, c) => ('getResponse' in error ? error.getResponse() : c.json({ error: 'failed' }, 500)));
  app.use(async (c, next) => {
    const startedAt = performance.now();
    await next();
    writeLine(c.req.method, c.req.path, c.res.status, startedAt);
  });
  app.use(
    rateLimiter({
      windowMs: LIMIT.windowMs,
      limit: LIMIT.requests,
      keyGenerator: (/** @type {import('hono').Context} */ c) => getConnInfo(c).remote.address ?? '',
    }),
  );
  app.use(
    languageDetector({ supportedLanguages: LOCALES, fallbackLanguage: 'en', lookupCookie: 'fw_locale', caches: false }),
  );
  app.use((c, next) => {
    c.header('Content-Language', /** @type {string} */ (c.get('language')));
    return next();
  });
  app.use(cors({ origin: ORIGIN }));
  app.use(
    secureHeaders({
      contentSecurityPolicy: { defaultSrc: ["'self'"] },
      xFrameOptions: 'DENY',
      strictTransportSecurity: SECURITY['Strict-Transport-Security'],
      crossOriginEmbedderPolicy: true,
      originAgentCluster: false,
      xDnsPrefetchControl: false,
      xDownloadOptions: false,
      xPermittedCrossDomainPolicies: false,
    }),
  );
  app.use((c, next) => {
    for (const [name, value] of Object.entries(BESIDE_HELMET)) c.header(name, value);
    return next();
  });
  app.use(jwt({ secret: SECRET, alg: 'HS256' }));
  app.use((c, next) => {
    const { role } = /** @type {{ role: string }} */ (c.get('jwtPayload'));
    return role === ROLE ? next() : Promise.resolve(c.json({ error: 'forbidden' }, 403));
  });
  app.use(compress({ threshold }));
  app.use(
    etag({
      generateDigest: (/** @type {Uint8Array} */ body) =>
        Uint8Array.from(createHash('md5').update(body).digest()).buffer,
    }),
  );
}
