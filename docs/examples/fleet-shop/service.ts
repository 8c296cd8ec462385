import {
  type AppConfig,
  defineApp,
  definePlugin,
  HttpRoutes,
  plugin,
  type PluginEntry,
  type RouteModule,
  type Router,
} from 'fw';
import type { Settings } from './settings.js';

/** What one of the services has beside the others. */
interface MorePlugins {
  /** Observe every request: stand outside of the middlewares. */
  readonly outside?: readonly PluginEntry[];
  readonly inside?: readonly PluginEntry[];
}

/** A service of the example: the framework's HTTP server with a tracer outermost, and some routes. */
export function service(
  name: string,
  port: number,
  { aggregatorURL, ingestToken, serviceToken }: Settings,
  register: RouteModule['register'],
  { outside = [], inside = [] }: MorePlugins = {},
): AppConfig {
  const own = definePlugin({
    id: `fleet-shop/${name}`,
    category: 'app',
    description: `Routes of ${name}`,
    needs: ['http'],
    register({ contribute }) {
      contribute(HttpRoutes, () => ({ name, register }));
    },
  });
  return defineApp({
    name,
    version: '1.0.0',
    plugins: [
      plugin(() => import('fw/http'), { port }),
      plugin(() => import('fw/fleet/tracer'), {
        enabled: true,
        serviceName: name,
        aggregatorURL,
        ingestToken,
        serviceToken,
        flushInterval: '200ms',
        // Whoever breaks the shop on purpose does not want to find that in its traces.
        skip: ({ path }) => path.startsWith('/chaos/'),
      }),
      ...outside,
      plugin(() => import('fw/middleware/recovery')),
      ...inside,
      plugin(() => Promise.resolve(own)),
    ],
  });
}

/** Says that a service is there; not traced, because `/healthz` is among the paths that a tracer skips. */
export function health(router: Router, name: string): void {
  router.get('/healthz', { hidden: true }, () => ({ status: 'ok', service: name }));
}
