export { openApiOf } from './openapi.js';
export type { OpenApiDocument, Operation, Parameter } from './openapi-document.js';
export { OperationIds } from './operation-id.js';
