import {
  direct,
  fwError,
  HTTP_METHODS,
  type HttpMethod,
  type InputSource,
  type Middleware,
  ROUTE_DOC,
  type RouteDoc,
  type RouteDocMark,
} from '../../../kernel/index.js';
import { DOCS_ERRORS } from '../errors.js';
import { type Declaration, declarations } from './declarations.js';

/** Fields come from the request body. */
export const InputBody = 'body' satisfies InputSource;
/** Fields come from the query of the URL. */
export const InputQuery = 'query' satisfies InputSource;
/** Fields come from path parameters (`:id`). */
export const InputParams = 'params' satisfies InputSource;
/** Fields come from request headers. */
export const InputHeader = 'header' satisfies InputSource;

/** What `doc` returns: a middleware that only calls `next`. */
export type DocMiddleware = Middleware & { readonly [ROUTE_DOC]: RouteDocMark };

/**
 * Documents a route (SPEC "API reference operations"). Given to the router with the route, it takes the route's own method
 * and path, prefixes of groups included; by itself it documents something that is answered elsewhere. It validates nothing:
 * for that, declare `input` and `output` in the options of the route, which documents them as well.
 *
 * @param method - in any case
 * @param path - as a router takes it: `/users/:id`
 * @returns a pass-through middleware; while collection is off it records nothing
 * @throws FwError `FW_DOCS_METHOD`, `FW_DOCS_PATH`
 *
 * @example
 * router.get('/users', doc('GET', '/users', { title: 'List users', output: [User] }), listUsers);
 */
export function doc(method: string, path: string, routeDoc: RouteDoc): DocMiddleware {
  const known = method.toUpperCase() as HttpMethod;
  if (!HTTP_METHODS.includes(known)) {
    throw fwError(DOCS_ERRORS.FW_DOCS_METHOD, { method, path, known: HTTP_METHODS.join(', ') });
  }
  if (!path.startsWith('/')) throw fwError(DOCS_ERRORS.FW_DOCS_PATH, { what: 'path of doc', path });
  const declaration: Declaration = { method: known, path, doc: routeDoc, attached: false };
  declarations.add(declaration);
  return passThrough(declaration);
}

/**
 * Documents a request that the application makes itself, such as one that tells a subscriber of an event: it stands under `webhooks` of
 * the OpenAPI document. Sending it is the application's business.
 *
 * @param name - of the webhook: `order.paid`
 * @param routeDoc - `input` is what the receiver gets, `output` and `responses` what it should answer
 * @param method - default POST
 * @throws FwError `FW_DOCS_METHOD`, `FW_DOCS_WEBHOOK`
 *
 * @example
 * webhook('order.paid', { title: 'An order was paid', input: [{ type: InputBody, fields: Order, required: true }] });
 */
export function webhook(name: string, routeDoc: RouteDoc, method: HttpMethod = 'POST'): void {
  if (!HTTP_METHODS.includes(method))
    throw fwError(DOCS_ERRORS.FW_DOCS_METHOD, { method, path: name, known: HTTP_METHODS.join(', ') });
  if (name === '' || /^[/:*]|\/[:*]/.test(name)) throw fwError(DOCS_ERRORS.FW_DOCS_WEBHOOK, { name });
  declarations.addWebhook({ name, method, doc: routeDoc });
}

function passThrough(declaration: Declaration): DocMiddleware {
  const mark: RouteDocMark = {
    doc: declaration.doc,
    attach: (method, path) => void Object.assign(declaration, { method, path, attached: true }),
  };
  const documented = direct((_context, next) => next());
  return Object.assign(documented, { [ROUTE_DOC]: mark });
}

/** {@link doc} for GET. */
export const docGET = (path: string, routeDoc: RouteDoc): DocMiddleware => doc('GET', path, routeDoc);
/** {@link doc} for POST. */
export const docPOST = (path: string, routeDoc: RouteDoc): DocMiddleware => doc('POST', path, routeDoc);
/** {@link doc} for PUT. */
export const docPUT = (path: string, routeDoc: RouteDoc): DocMiddleware => doc('PUT', path, routeDoc);
/** {@link doc} for PATCH. */
export const docPATCH = (path: string, routeDoc: RouteDoc): DocMiddleware => doc('PATCH', path, routeDoc);
/** {@link doc} for DELETE. */
export const docDELETE = (path: string, routeDoc: RouteDoc): DocMiddleware => doc('DELETE', path, routeDoc);

/** Puts a tag before the others of a route's documentation. The given object stays as it is. */
export function tag(name: string, routeDoc: RouteDoc): RouteDoc {
  return { ...routeDoc, tags: [name, ...(routeDoc.tags ?? []).filter((other) => other !== name)] };
}
