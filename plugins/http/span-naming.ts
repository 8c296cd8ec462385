import type { HttpContext, RouteInfo } from '../../kernel/index.js';

/** Where the API of OpenTelemetry registers itself, for all of its copies (https://opentelemetry.io/docs/specs/otel/library-guidelines/). */
const API = Symbol.for('opentelemetry.js.api.1');

/** Keys of its contexts: the span that runs, and what frameworks tell the instrumentation of HTTP. */
const SPAN = Symbol.for('OpenTelemetry Context Key SPAN');
const METADATA = Symbol.for('OpenTelemetry SDK Context Key RPC_METADATA');

interface Api {
  readonly context?: { active(): { getValue(key: symbol): unknown } };
}
interface Span {
  updateName(name: string): unknown;
  setAttribute(name: string, value: string): unknown;
}

/**
 * A middleware that says which route answers a request, where something traces this process by OpenTelemetry: the span is called after the
 * route, and its metrics are counted by it (https://opentelemetry.io/docs/specs/semconv/http/http-spans/#name). Such tools know the
 * routers of well-known packages only, and would show every route of a method as one.
 *
 * @returns undefined where nothing traces
 */
export function spanNaming(routeFor: (context: HttpContext) => RouteInfo | undefined) {
  const api = (globalThis as { readonly [API]?: Api })[API];
  if (api === undefined) return undefined;
  return (context: HttpContext, next: () => unknown): unknown => {
    const route = routeFor(context);
    const active = route && api.context?.active();
    if (active) {
      const span = active.getValue(SPAN) as Span | undefined;
      const metadata = active.getValue(METADATA) as { route?: string } | undefined;
      span?.updateName(`${context.method} ${route.path}`);
      span?.setAttribute('http.route', route.path);
      if (metadata) metadata.route = route.path;
    }
    return next();
  };
}
