export { currentRegistry, DEFAULT_TITLE, DEFAULT_VERSION, useRegistry } from './current-registry.js';
export { Declarations, declarations, type Collection, type Declaration } from './declarations.js';
export {
  doc,
  docDELETE,
  docGET,
  docPATCH,
  docPOST,
  docPUT,
  InputBody,
  InputHeader,
  InputParams,
  InputQuery,
  tag,
  webhook,
  type DocMiddleware,
} from './doc.js';
export { DocsRegistry, factsOfRoute, type ApiFacts, type ApiServer, type RegistrySources } from './docs-registry.js';
export type { DocumentedContent, DocumentedResponse } from './documented-response.js';
export {
  byPathAndMethod,
  documentedRoute,
  routeKey,
  type DocumentedInput,
  type DocumentedRoute,
  type InputFacts,
  type RouteFacts,
} from './documented-route.js';
export { pathTemplate, templateNames, templateShape } from './path-template.js';
