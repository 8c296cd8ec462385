import { type HttpMethod, jsonText, type RouteGuard, takesFiles } from '../../../kernel/index.js';
import type { DocumentedInput, DocumentedRoute } from '../registry/index.js';
import type { Shape } from '../../../kernel/schema/index.js';
import type { MediaType, Operation, OpenApiResponse, RequestBody } from './openapi-document.js';
import { parametersOf } from './parameters.js';
import { PROBLEM } from './problem.js';
import type { SchemaWriter } from './schema-writer.js';

const JSON_TYPE = 'application/json';
const TEXT_TYPE = 'text/plain';
const FORM_TYPE = 'multipart/form-data';
// Statuses whose responses have no body (RFC 9110, sections 15.2, 15.3.5, 15.3.6 and 15.4.5).
const WITHOUT_BODY = (status: number) => status < 200 || status === 204 || status === 205 || status === 304;

interface Kept {
  readonly operationId: string;
  readonly operation: Operation;
}

// An operation whose schemas look the same in every document is the same in every document.
const kept = new WeakMap<DocumentedRoute, Kept>();

/** One operation of the document, at the path of the route. */
export function operationOf(
  route: DocumentedRoute,
  operationId: string,
  writer: SchemaWriter,
  guards: readonly RouteGuard[],
): Operation {
  const operation = unguarded(route, operationId, writer);
  const { method, pattern, access } = route;
  const found = guards.map((guard) => ({
    name: guard.name,
    asks: guard.guards(method as HttpMethod, pattern, access),
  }));
  const asked = found.filter(({ asks }) => asks !== false);
  if (asked.length === 0) return operation;
  const requirements = asked.flatMap(({ name }) => requirementsOf(name, access.roles));
  // The empty requirement makes the others optional (OpenAPI 3.1, Operation Object, `security`).
  const isOptional = asked.every(({ asks }) => asks === 'partly');
  return { ...operation, security: isOptional ? [...requirements, {}] : requirements };
}

// One requirement of the list has to be met (OpenAPI 3.1, Security Requirement Object): a caller needs one of the roles.
function requirementsOf(scheme: string, roles: readonly string[] = []): Record<string, readonly string[]>[] {
  return roles.length === 0 ? [{ [scheme]: [] }] : roles.map((role) => ({ [scheme]: [role] }));
}

function unguarded(route: DocumentedRoute, operationId: string, writer: SchemaWriter): Operation {
  const known = kept.get(route);
  if (known?.operationId === operationId) return known.operation;
  const { ties } = writer;
  const operation = written(route, operationId, writer);
  if (writer.ties === ties) kept.set(route, { operationId, operation });
  return operation;
}

function written(route: DocumentedRoute, operationId: string, writer: SchemaWriter): Operation {
  const { title, description, tags, deprecated, blocking, websocket, input } = route;
  const parameters = parametersOf(route.path, input, writer, operationId);
  const body = input.find(({ source }) => source === 'body');
  return {
    operationId,
    ...(title !== '' && { summary: title }),
    ...(description !== '' && { description }),
    ...(tags.length > 0 && { tags }),
    ...(deprecated && { deprecated }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(body, writer, operationId) }),
    responses: {
      [String(route.status)]: response(route, writer, operationId),
      default: { $ref: `#/components/responses/${PROBLEM}` },
    },
    ...(blocking && { 'x-fw-blocking': true }),
    ...(websocket && { 'x-fw-websocket': true }),
  };
}

function requestBody(body: DocumentedInput, writer: SchemaWriter, operationId: string): RequestBody {
  return {
    ...(body.description !== '' && { description: body.description }),
    required: body.required,
    content: { [takesFiles(body.schema) ? FORM_TYPE : JSON_TYPE]: mediaType(body, writer, `${operationId} Body`) },
  };
}

function response(
  { output, status, outputDescription }: DocumentedRoute,
  writer: SchemaWriter,
  operationId: string,
): OpenApiResponse {
  if (output === undefined || WITHOUT_BODY(status)) return { description: outputDescription };
  // A handler that returns text answers text/plain.
  const type = output.schema['type'] === 'string' ? TEXT_TYPE : JSON_TYPE;
  return { description: outputDescription, content: { [type]: mediaType(output, writer, `${operationId} Output`) } };
}

function mediaType({ schema, example }: Shape, writer: SchemaWriter, hint: string): MediaType {
  return {
    schema: writer.write(schema, hint),
    ...(example !== undefined && { example: JSON.parse(jsonText(example)) as unknown }),
  };
}
