import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import Router from '@koa/router';
import Koa from 'koa';
import { BESIDE_HELMET, HELMET, LIMIT, ORIGIN, ROLE, SECRET } from '../work.mjs';
import { localeOf, tagOf, writeLine } from './own-parts.mjs';

/**
 * Koa with the middlewares that its users install.
 *
 * @param {import('../server.mjs').Scenario} scenario
 */
export async function start({ chain, threshold, answer }) {
  const app = new Koa();
  app.silent = true;
  if (chain) await useChain(app, threshold);
  const router = new Router();
  router.get('/users/:id', (ctx) => {
    ctx.body = answer(ctx['params'].id);
  });
  app.use(router.routes());
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}

/** @type {(app: Koa, threshold: number) => Promise<void>} */
async function useChain(app, threshold) {
  const names = ['koa-ratelimit', '@koa/cors', 'koa-helmet', 'koa-jwt', 'koa-compress', 'koa-conditional-get'];
  const [rateLimit, cors, helmet, jwt, compress, conditional] = await Promise.all(
    names.map(async (name) => (await import(name)).default),
  );
  app.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      ctx.status = /** @type {{ status?: number }} */ (error).status ?? 500;
      ctx.body = { error: 'failed' };
    }
  });
  app.use(async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    writeLine(ctx.method, ctx.originalUrl, ctx.status, startedAt);
  });
  const { requests: max, windowMs: duration } = LIMIT;
  app.use(
    rateLimit({ driver: 'memory', db: new Map(), duration, max, id: (/** @type {Koa.Context} */ ctx) => ctx.ip }),
  );
  app.use((ctx, next) => {
    ctx.state['locale'] = localeOf(ctx.req, /** @type {string | undefined} */ (ctx.query['lang']));
    ctx.set('Content-Language', ctx.state['locale']);
    return next();
  });
  app.use(cors({ origin: ORIGIN }));
  app.use(helmet(HELMET));
  app.use((ctx, next) => {
    ctx.set(BESIDE_HELMET);
    return next();
  });
  // As a key: jsonwebtoken takes half a millisecond to find out what a string is.
  app.use(jwt({ secret: createSecretKey(Buffer.from(SECRET)), algorithms: ['HS256'] }));
  app.use((ctx, next) => {
    if (ctx.state['user'].role !== ROLE) ctx.throw(403);
    return next();
  });
  app.use(compress({ threshold }));
  app.use(conditional());
  app.use(async (ctx, next) => {
    await next();
    const text = JSON.stringify(ctx.body);
    ctx.etag = tagOf(text);
    ctx.body = text;
    ctx.type = 'json';
  });
}
