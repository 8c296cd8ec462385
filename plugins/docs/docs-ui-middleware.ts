import { direct, type Middleware, type RouteInfo, type Router } from '../../kernel/index.js';
import { DEFAULT_JSON_PATH, DEFAULT_UI_PATH, type DocsUIOptions } from './options.js';
import { type ReferenceRoutes, registerReferenceRoutes } from './reference-routes.js';
import { declarations, DEFAULT_TITLE, DEFAULT_VERSION, DocsRegistry, useRegistry } from './registry/index.js';
import { SwaggerPage } from './docs-ui/swagger-page.js';

/** Options of {@link docsUIMiddleware}. */
export interface DocsUIMiddlewareOptions extends DocsUIOptions {
  /** Routes to document beside the calls of `doc`, e.g. `() => services.get(HttpServer).routes()`. */
  readonly routes?: () => readonly RouteInfo[];
}

const installed = new WeakMap<Router, Map<string, ReferenceRoutes>>();

/**
 * Switches collection on and registers the OpenAPI document, the reference UI and the llms files with a router. Called again
 * with the same router and paths, it only replaces title, version and description. An application that lists the plugin
 * `fw/docs` needs no call.
 *
 * @returns a pass-through middleware
 * @throws FwError `FW_DOCS_PATH`, `FW_DOCS_SAME_PATH`, `FW_DOCS_VIEWER_MISSING`
 */
export function docsUIMiddleware(router: Router, options: DocsUIMiddlewareOptions = {}): Middleware {
  const { title = DEFAULT_TITLE, version = DEFAULT_VERSION, description = '', routes } = options;
  const { jsonPath = DEFAULT_JSON_PATH, uiPath = DEFAULT_UI_PATH } = options;
  declarations.decide('on');
  const registry = new DocsRegistry({ api: { title, version, description }, routes });
  useRegistry(registry);
  const known = installed.get(router) ?? new Map<string, ReferenceRoutes>();
  installed.set(router, known);
  const key = `${jsonPath} ${uiPath}`;
  const before = known.get(key);
  if (before) before.registry = registry;
  else {
    const page = uiPath === '' ? undefined : new SwaggerPage();
    const reference: ReferenceRoutes = { registry, jsonPath, uiPath, page: () => page as SwaggerPage };
    registerReferenceRoutes(router, reference);
    known.set(key, reference);
  }
  return direct((_context, next) => next());
}

/** @deprecated Use {@link DocsUIOptions}. */
export type ScalarOptions = DocsUIOptions;
/** @deprecated Use {@link docsUIMiddleware}, which serves the same UI. */
export const scalarMiddleware = docsUIMiddleware;
/** @deprecated Use {@link DocsUIOptions}. */
export type SwaggerOptions = DocsUIOptions;
/** @deprecated Use {@link docsUIMiddleware}, which serves the same UI. */
export const swaggerMiddleware = docsUIMiddleware;
