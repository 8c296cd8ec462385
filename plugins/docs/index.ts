/**
 * The API reference: OpenAPI 3.1, a reference UI, llms.txt and llms-full.txt, made from the routes of the application.
 * @packageDocumentation
 */
export type { DocsPage, DocsPageFacts, DocsPageFile, InputGroup, InputSource, RouteDoc } from '../../kernel/index.js';
export {
  docsUIMiddleware,
  scalarMiddleware,
  swaggerMiddleware,
  type DocsUIMiddlewareOptions,
  type ScalarOptions,
  type SwaggerOptions,
} from './docs-ui-middleware.js';
export {
  bodyDigest,
  LLMS_FULL,
  LLMS_INDEX,
  readStamp,
  renderFull,
  renderIndex,
  routeHeading,
  shapeText,
  type LLMSDoc,
  type LLMSSection,
} from './llms-txt/index.js';
export { openApiOf, OperationIds, type OpenApiDocument, type Operation, type Parameter } from './openapi/index.js';
export { DEFAULT_JSON_PATH, DEFAULT_UI_PATH, docsOptionsSchema, type DocsUIOptions } from './options.js';
export { default, packageName } from './plugin.js';
export { generate, llmsFromRegistry, routes } from './reference.js';
export {
  byPathAndMethod,
  doc,
  docDELETE,
  docGET,
  docPATCH,
  docPOST,
  docPUT,
  DocsRegistry,
  documentedRoute,
  routeKey,
  InputBody,
  InputHeader,
  InputParams,
  InputQuery,
  pathTemplate,
  tag,
  webhook,
  type DocMiddleware,
  type DocumentedContent,
  type DocumentedInput,
  type DocumentedResponse,
  type DocumentedRoute,
  type InputFacts,
  type RouteFacts,
} from './registry/index.js';
export { isObjectShape, membersOf, ownName, pascalCase, plainNode, type Member } from './schema/index.js';
