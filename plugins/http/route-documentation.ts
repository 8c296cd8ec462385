import {
  type AnyMiddleware,
  type HttpMethod,
  ROUTE_DOC,
  type RouteDoc,
  type RouteDocMark,
} from '../../kernel/index.js';

/** What `doc` wrappers among a route's own middlewares say about it; the last one wins. Ties them to the route. */
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
