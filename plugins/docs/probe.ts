import { degraded, off, ok, type Probe } from '../../kernel/index.js';
import type { DocsRegistry, DocumentedRoute } from './registry/index.js';

/** How many routes without a title the probe names. */
const UNDOCUMENTED_CAP = 20;

/** What the subsystem `docs` reports (SPEC "API reference configuration"). */
export function docsProbe(registry: DocsRegistry): Probe {
  return () => {
    const routes = registry.routes();
    const detail = detailOf(registry, routes);
    const notes = notesOf(registry, routes);
    if (registry.collection !== 'on') {
      return off(
        'Collection is off: doc wrappers do nothing and the document is empty. Enable the docs plugin with collect: true.',
        {
          detail,
          notes,
        },
      );
    }
    const untitled = detail.without_title;
    const summary = `${routes.length} route${routes.length === 1 ? '' : 's'} documented, ${untitled} without a title`;
    if (routes.some(({ documented }) => documented)) return ok(summary, { detail, notes });
    return degraded('Collection is on, but no route says anything about itself.', { detail, notes });
  };
}

function detailOf({ api }: DocsRegistry, routes: readonly DocumentedRoute[]) {
  const untitled = routes.filter(({ title }) => title === '').map(({ method, path }) => `${method} ${path}`);
  return {
    routes_recorded: routes.length,
    with_title: routes.length - untitled.length,
    without_title: untitled.length,
    by_method: countByMethod(routes),
    api_title: api.title,
    api_version: api.version,
    has_description: api.description !== '',
    undocumented_list: untitled.sort().slice(0, UNDOCUMENTED_CAP),
  };
}

function notesOf({ api, collection, dropped }: DocsRegistry, routes: readonly DocumentedRoute[]): string[] {
  if (collection !== 'on') return [];
  const untitled = routes.filter(({ title }) => title === '').length;
  return [
    ...(routes.length === 0 ? ['No route is recorded: the document has no paths.'] : []),
    ...(untitled > 0 ? [`${untitled} without a title; give the route a title, or hide it with hidden: true.`] : []),
    ...(api.title === '' ? ['The API has no title.'] : []),
    ...(dropped > 0
      ? [`${dropped} calls of doc were not recorded: call doc when routes are registered, not per request.`]
      : []),
  ];
}

function countByMethod(routes: readonly DocumentedRoute[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { method } of routes) counts[method] = (counts[method] ?? 0) + 1;
  return counts;
}
