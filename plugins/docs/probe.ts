import { degraded, off, ok, type ProbeReport } from '../../kernel/index.js';
import type { DocsRegistry, DocumentedRoute } from './registry/index.js';

/** How many routes without a title the probe names. */
const UNDOCUMENTED_CAP = 20;

const COLLECTS_NOTHING =
  'Collection is off: doc wrappers do nothing and the document is empty. Enable the docs plugin with collect: true.';

/** Report of subsystem `docs` (SPEC "API reference configuration"). */
export function docsProbe(registry: DocsRegistry): ProbeReport {
  const routes = registry.routes();
  const detail = detailOf(registry, routes);
  const extra = { detail, notes: notesOf(registry, routes) };
  if (registry.collection !== 'on') return off(COLLECTS_NOTHING, extra);
  const summary = `${routes.length} route${routes.length === 1 ? '' : 's'} documented, ${detail.without_title} without a title`;
  if (routes.some(({ documented }) => documented)) return ok(summary, extra);
  return degraded('Collection is on, but no route says anything about itself.', extra);
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
