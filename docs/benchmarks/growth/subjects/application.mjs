import { bootApp, defineApp, definePlugin, HttpRoutes, HttpServer, plugin } from '../../../../dist/kernel/index.js';

/**
 * Boots an application of fw with the plugins given and some routes.
 *
 * @param {readonly unknown[]} plugins
 * @param {(router: any, services: any) => void} register - the routes
 * @returns {Promise<{ readonly port: number }>}
 */
export async function served(plugins, register) {
  const app = await bootApp(
    defineApp({
      name: 'growth',
      plugins: [
        plugin(() => import('../../../../dist/plugins/http/index.js'), { port: 0, keepAliveTimeout: '1h' }),
        ...plugins,
        given({ id: 'measured', needs: ['http'], register: routing(register) }),
      ],
    }),
    { root: import.meta.dirname, profile: 'prod' },
  );
  return { port: app.services.get(HttpServer).port };
}

/** A plugin of the application itself. @param {object} definition */
export function given(definition) {
  const made = definePlugin({ category: 'app', description: 'A plugin that is measured.', ...definition });
  return plugin(async () => ({ default: made }));
}

/** @param {(router: any, services: any) => void} register */
const routing =
  (register) =>
  ({ contribute }) =>
    contribute(HttpRoutes, () => ({ name: 'measured', register }));
