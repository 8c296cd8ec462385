// The application that docs/benchmarks/overload/run.mjs loads: behind it stand 10 connections, each busy for 50 ms a request.
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AppInfo, defineApp, definePlugin, HttpRoutes, plugin } from '../../../dist/kernel/index.js';

const { PORT, IN_FLIGHT, REQUESTS, CONNECTIONS = '10', BUSY_MS = '50' } = process.env;
let free = Number(CONNECTIONS);
/** @type {(() => void)[]} */
const waiting = [];

/** Works with one of the connections, as a pool of a database lets it. */
async function query() {
  if (free > 0) free -= 1;
  else await new Promise((resolve) => void waiting.push(/** @type {() => void} */ (resolve)));
  await delay(Number(BUSY_MS));
  const next = waiting.shift();
  if (next) next();
  else free += 1;
}

const app = definePlugin({
  id: 'app',
  category: 'app',
  description: 'What is loaded',
  needs: ['http'],
  register({ contribute }) {
    contribute(HttpRoutes, (services) => ({
      name: 'load',
      register(router) {
        router.post('/orders', { public: true, timeout: 0 }, async (ctx) => {
          // What a request holds while it waits.
          const held = Buffer.alloc(65_536, ctx.method);
          await query();
          return { bytes: held.length };
        });
        router.get('/memory', { public: true, evenWhenBusy: true }, () => process.memoryUsage());
        router.get('/work', { public: true }, () => {
          let text = 'work';
          for (let round = 0; round < 2000; round += 1) text = createHash('sha256').update(text).digest('hex');
          return { worker: services.get(AppInfo).worker.index };
        });
      },
    }));
  },
});

const limits = IN_FLIGHT ? { inFlight: { requests: Number(IN_FLIGHT), retryAfter: '1s' } } : {};
const rate = REQUESTS
  ? [
      plugin(() => import('../../../dist/plugins/middleware/rate-limit/index.js'), {
        requests: Number(REQUESTS),
        per: '1s',
      }),
    ]
  : [];

export default defineApp({
  name: 'overload',
  plugins: [
    plugin(() => import('../../../dist/plugins/http/index.js'), { port: Number(PORT), host: '127.0.0.1', ...limits }),
    plugin(() => import('../../../dist/plugins/middleware/recovery/index.js')),
    ...rate,
    plugin(async () => ({ default: app })),
  ],
});
