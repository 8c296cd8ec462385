import path from 'node:path';
import { bootApp, defineApp, HttpRoutes, HttpServer, definePlugin, plugin } from '../../../../dist/kernel/index.js';
import { LIMIT, ORIGIN, ROLE, SECRET, SECURITY } from '../work.mjs';

const MIDDLEWARE = '../../../../dist/plugins/middleware';

/**
 * fw as an application boots it: plugins, order check, validated options, routes of a module.
 *
 * @param {import('../server.mjs').Scenario} scenario
 * @param {{ readonly fastPath?: 'full' | 'public', readonly tokenCacheSize?: number }} variant
 */
export async function start({ chain, threshold, answer }, { fastPath = 'full', tokenCacheSize = 4096 }) {
  const routes = definePlugin({
    id: 'routes',
    category: 'app',
    description: 'The route that is measured',
    needs: ['http'],
    register({ contribute }) {
      contribute(HttpRoutes, () => ({
        name: 'users',
        register: (router) => void router.get('/users/:id', (ctx) => answer(ctx.params.id)),
      }));
    },
  });
  const app = await bootApp(
    defineApp({
      name: 'bench',
      plugins: [
        plugin(() => import('../../../../dist/plugins/http/index.js'), { port: 0, host: '127.0.0.1', fastPath }),
        ...(chain ? nine(threshold, tokenCacheSize) : []),
        plugin(async () => ({ default: routes })),
      ],
    }),
    { root: path.join(import.meta.dirname, '..'), profile: 'prod' },
  );
  return app.services.get(HttpServer).port;
}

/** @type {(threshold: number, tokenCacheSize: number) => unknown[]} */
function nine(threshold, tokenCacheSize) {
  /** @type {(name: string, options?: object) => unknown} */
  const middleware = (name, options) => plugin(() => import(`${MIDDLEWARE}/${name}/index.js`), options);
  return [
    middleware('recovery'),
    middleware('logging'),
    middleware('rate-limit', { requests: LIMIT.requests, per: LIMIT.windowMs, headers: true }),
    middleware('locale', { dir: 'locales' }),
    middleware('cors', { allowOrigins: ORIGIN }),
    middleware('security-headers', { xXSSProtection: SECURITY['X-XSS-Protection'] }),
    middleware('jwt', { accessSecret: SECRET, requiredRoles: [ROLE], tokenCacheSize }),
    middleware('etag'),
    middleware('compression', { threshold, brotliQuality: 4 }),
  ];
}
