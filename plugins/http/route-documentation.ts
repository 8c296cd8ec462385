import {
  type AnyMiddleware,
  type HttpMethod,
  ROUTE_DOC,
  type RouteDoc,
  type RouteDocMark,
} from '../../kernel/index.js';

/** Documentation of `doc` wrappers among a route's own middlewares; the last one wins. Attaches them to the route. */
export function attachedDoc(
  middlewares: readonly AnyMiddleware[],
  method: HttpMethod,
  path: string,
): RouteDoc | undefined {
  let doc: RouteDoc | undefined;
  for (const middleware of middlewares) {
    const mark = (middleware as { readonly [ROUTE_DOC]?: RouteDocMark })[ROUTE_DOC];
    if (mark === undefined) continue;
    mark.attach(method, path);
    doc = mark.doc;
  }
  return doc;
}
