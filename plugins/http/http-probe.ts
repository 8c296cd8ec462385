import { degraded, off, ok, type Probe } from '../../kernel/index.js';
import type { HttpHost } from './http-host.js';

/** What the `router` subsystem reports. */
export function routerProbe(host: () => HttpHost | undefined): Probe {
  return () => {
    const server = host();
    if (server === undefined) return off('The HTTP server has not started.');
    const routes = server.routes();
    const detail = {
      routes: routes.length,
      by_method: countBy(routes.map(({ method }) => method)),
      blocking: routes.filter(({ blocking }) => blocking).length,
      non_blocking: routes.filter(({ blocking }) => !blocking).length,
      with_params: routes.filter(({ path }) => path.includes('/:')).length,
      with_wildcard: routes.filter(({ path }) => path.includes('/*')).length,
      global_middleware: server.middlewares(),
      ...server.losses,
    };
    const shadowed = server.shadowed();
    if (shadowed.length > 0) return degraded(`${shadowed.length} routes never answer`, { detail, notes: shadowed });
    const notes = routes.length === 0 ? ['No route is registered: every request is answered 404.'] : [];
    return ok(`${routes.length} routes`, { detail, notes });
  };
}

function countBy(values: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
