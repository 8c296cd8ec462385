import { type HttpMethod, jsonText, type RouteGuard, takesFiles } from '../../../kernel/index.js';
import type { DocumentedInput, DocumentedResponse, DocumentedRoute } from '../registry/index.js';
import { type Member, membersOf, type Shape } from '../../../kernel/schema/index.js';
import type { MediaType, Operation, OpenApiResponse, Parameter, RequestBody } from './openapi-document.js';
import { parametersOf } from './parameters.js';
import { PROBLEM } from './problem.js';
import { referenceTo, type SchemaWriter } from './schema-writer.js';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'multipart/form-data';

interface Kept {
  readonly operationId: string;
  readonly operation: Operation;
}

// Operations without references to components are cached, because they are equal in every document.
const kept = new WeakMap<DocumentedRoute, Kept>();

/** One operation of the document, at the path of the route. */
export function operationOf(
  route: DocumentedRoute,
  operationId: string,
  writer: SchemaWriter,
  guards: readonly RouteGuard[],
): Operation {
  const operation = unguarded(route, operationId, writer);
  const { method, pattern, access, security } = route;
  if (security !== undefined) return { ...operation, security };
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
  const parameters = [...parametersOf(route.path, input, writer, operationId), ...conditionsOf(route)];
  const body = input.find(({ source }) => source === 'body');
  return {
    operationId,
    ...(title !== '' && { summary: title }),
    ...(description !== '' && { description }),
    ...(tags.length > 0 && { tags }),
    ...(deprecated && { deprecated }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(body, route.bodyExamples, writer, operationId) }),
    responses: {
      ...Object.fromEntries(
        route.responses.map((each) => [String(each.status), response(each, route, writer, operationId)]),
      ),
      // The default response of fw does not apply to the receiver of a webhook.
      ...(!isWebhook(route) && { default: { $ref: `#/components/responses/${PROBLEM}` } }),
    },
    ...(blocking && { 'x-fw-blocking': true }),
    ...(websocket && { 'x-fw-websocket': true }),
  };
}

function requestBody(
  body: DocumentedInput,
  examples: Readonly<Record<string, unknown>>,
  writer: SchemaWriter,
  operationId: string,
): RequestBody {
  return {
    ...(body.description !== '' && { description: body.description }),
    required: body.required,
    content: {
      [takesFiles(body.schema) ? FORM_TYPE : JSON_TYPE]: mediaType(body, examples, writer, `${operationId} Body`),
    },
  };
}

function response(
  { status, description, headers, content }: DocumentedResponse,
  route: DocumentedRoute,
  writer: SchemaWriter,
  operationId: string,
): OpenApiResponse {
  // Names components of deep schemas; those of other statuses get another name.
  const hint = status === route.status ? `${operationId} Output` : `${operationId} ${status}`;
  const bodies = content.map(({ type, shape, examples }) => [
    type,
    shape === undefined
      ? { schema: referenceTo(PROBLEM), ...exampleObjects(examples) }
      : mediaType(shape, examples, writer, hint),
  ]);
  return {
    description,
    ...(headers.length > 0 && {
      headers: Object.fromEntries(headers.map((each) => header(each, writer, operationId))),
    }),
    ...(bodies.length > 0 && { content: Object.fromEntries(bodies) as Record<string, MediaType> }),
  };
}

function header({ name, schema, scope, required }: Member, writer: SchemaWriter, hint: string) {
  const { description, ...rest } = writer.write(schema, `${hint} ${name}`, scope);
  return [name, { ...(typeof description === 'string' && { description }), required, schema: rest }] as const;
}

function mediaType(
  { schema, example }: Shape,
  examples: Readonly<Record<string, unknown>>,
  writer: SchemaWriter,
  hint: string,
): MediaType {
  const named = exampleObjects(examples);
  // `example` and `examples` exclude each other (OpenAPI 3.1, section 4.8.14).
  const single = example !== undefined && !('examples' in named);
  return {
    schema: writer.write(schema, hint),
    ...(single && { example: JSON.parse(jsonText(example)) as unknown }),
    ...named,
  };
}

function exampleObjects(examples: Readonly<Record<string, unknown>>): Pick<MediaType, 'examples'> {
  const named = Object.entries(examples).map(([name, value]) => [
    name,
    { value: JSON.parse(jsonText(value)) as unknown },
  ]);
  return named.length === 0 ? {} : { examples: Object.fromEntries(named) as NonNullable<MediaType['examples']> };
}

// The fields by which a client says what it has seen (RFC 9110, section 13.1).
function conditionsOf({ conditional, method, input }: DocumentedRoute): readonly Parameter[] {
  if (conditional === undefined) return [];
  const isRead = method === 'GET' || method === 'HEAD';
  const name = isRead ? 'If-None-Match' : 'If-Match';
  const declared = input.filter(({ source }) => source === 'header').flatMap(({ schema }) => membersOf(schema));
  if (declared.some((member) => member.name.toLowerCase() === name.toLowerCase())) return [];
  const description = isRead
    ? 'ETag of the representation that the client has'
    : 'ETag of the state that the client has seen; If-Unmodified-Since does as well';
  return [{ name, in: 'header', required: false, description, schema: { type: 'string' } }];
}

/** Whether a route is one that receivers have: it stands under `webhooks` (OpenAPI 3.1, section 4.8.1). */
function isWebhook({ pattern }: DocumentedRoute): boolean {
  return !pattern.startsWith('/');
}
