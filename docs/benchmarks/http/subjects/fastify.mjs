import Fastify from 'fastify';
import { BESIDE_HELMET, HELMET, LIMIT, ORIGIN, ROLE, SECRET } from '../work.mjs';
import { localeOf, writeLine } from './own-parts.mjs';

/**
 * Fastify with its own plugins; logging and locale, for which it has none, as hooks.
 *
 * @param {import('../server.mjs').Scenario} scenario
 * @param {{ readonly tokenCache?: boolean }} variant
 */
export async function start({ chain, threshold, answer }, { tokenCache = false }) {
  const app = Fastify();
  if (chain) await registerChain(app, threshold, tokenCache);
  app.get('/users/:id', (request, reply) => {
    reply.send(answer(/** @type {{ id: string }} */ (request.params).id));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return /** @type {import('node:net').AddressInfo} */ (app.server.address()).port;
}

/** @type {(app: import('fastify').FastifyInstance, threshold: number, tokenCache: boolean) => Promise<void>} */
async function registerChain(app, threshold, tokenCache) {
  const names = ['rate-limit', 'cors', 'helmet', 'jwt', 'etag', 'compress'];
  const [rateLimit, cors, helmet, jwt, etag, compress] = await Promise.all(
    names.map(async (name) => (await import(`@fastify/${name}`)).default),
  );
  app.decorateRequest('startedAt', 0);
  app.decorateRequest('locale', '');
  app.addHook('onRequest', (request, _reply, done) => {
    request['startedAt'] = performance.now();
    done();
  });
  app.addHook('onResponse', ({ method, url, startedAt }, reply, done) => {
    writeLine(method, url, reply.statusCode, startedAt);
    done();
  });
  await app.register(rateLimit, { max: LIMIT.requests, timeWindow: LIMIT.windowMs });
  app.addHook('onRequest', (request, reply, done) => {
    request['locale'] = localeOf(request.raw, request.query['lang']);
    reply.header('Content-Language', request['locale']);
    done();
  });
  await app.register(cors, { origin: ORIGIN });
  await app.register(helmet, HELMET);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(BESIDE_HELMET);
    done();
  });
  await app.register(jwt, { secret: SECRET, verify: { algorithms: ['HS256'], cache: tokenCache } });
  app.addHook('onRequest', async (request) => {
    await request['jwtVerify']();
    if (request['user'].role !== ROLE) throw Object.assign(new Error('forbidden'), { statusCode: 403 });
  });
  await app.register(etag, { algorithm: 'md5' });
  await app.register(compress, { threshold, encodings: ['br', 'gzip', 'deflate'] });
}
