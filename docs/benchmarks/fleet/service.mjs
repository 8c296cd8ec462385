// One service, traced by a subject: `node service.mjs <subject> <sink>`. Started by traced-service.mjs, which asks it over IPC.
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { PerformanceObserver } from 'node:perf_hooks';

const [name, sink] = process.argv.slice(2);
const { install } = await import(`./subjects/${name}.mjs`);
const { middlewares, flush, close } = await install(sink);
// Required, and after the subject: an auto-instrumentation sees modules that are loaded through require after it.
const require = createRequire(import.meta.url);
const http = require('node:http');
const Koa = require('koa');
const Router = require('@koa/router');

const ROUTE = { path: '/users/:id' };

/** One service of two middlewares, a router and an async function; the first are those of the subject. */
async function serve(first) {
  const router = new Router();
  router.get('/users/:id', async (ctx) => {
    ctx.route = ROUTE;
    ctx.body = await userOf(ctx.params.id);
  });
  const app = new Koa();
  for (const middleware of first) app.use(middleware);
  app.use(async (ctx, next) => {
    await next();
    ctx.set('x-served-by', 'bench');
  });
  app.use(router.routes());
  const server = http.createServer(app.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address().port;
}

async function userOf(id) {
  return { id, name: `user ${id}`, roles: ['reader', 'writer'] };
}

let collections = 0;
new PerformanceObserver((list) => (collections += list.getEntries().length)).observe({ entryTypes: ['gc'] });

/** What may be asked, and the answers. */
const QUESTIONS = {
  cpu: () => process.cpuUsage(),
  heap: () => ({ bytes: process.memoryUsage().heapUsed, collections }),
  collect: () => globalThis.gc?.(),
  flush,
  close,
};
process.on('message', async (question) => process.send({ answer: await QUESTIONS[question]() }));

// The same without the subject, in the same process: two processes of one program differ by more than tracing costs.
process.send({ answer: { port: await serve(middlewares), plainPort: await serve([]) } });
