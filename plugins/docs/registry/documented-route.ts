import {
  fwError,
  type InputSource,
  type JsonSchema,
  type RouteAccess,
  type RouteResponses,
  successStatus,
} from '../../../kernel/index.js';
import { readableSchema, readShape, type ModelSchemas, type Shape } from '../../../kernel/schema/index.js';
import { DOCS_ERRORS } from '../errors.js';
import { type DocumentedResponse, documentedResponses } from './documented-response.js';
import { pathTemplate, templateShape } from './path-template.js';

/** One source of input of a {@link DocumentedRoute}. */
export interface DocumentedInput {
  readonly source: InputSource;
  readonly schema: JsonSchema;
  readonly example?: unknown;
  /** For the body: whether a request without one is refused. */
  readonly required: boolean;
  readonly description: string;
}

/** A route as every part of the API reference sees it. */
export interface DocumentedRoute {
  /** In capitals. */
  readonly method: string;
  /** As registered: `/users/:id`. */
  readonly pattern: string;
  /** As shown: `/users/{id}`. */
  readonly path: string;
  /** The path with its names left out; two routes of one shape and method cannot both answer. */
  readonly shape: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Path parameters, query, headers, body; at most one of each. */
  readonly input: readonly DocumentedInput[];
  readonly output: Shape | undefined;
  readonly status: number;
  readonly outputDescription: string;
  /** All declared responses by status, including the success. */
  readonly responses: readonly DocumentedResponse[];
  /** Example request bodies by name. */
  readonly bodyExamples: Readonly<Record<string, unknown>>;
  /** Name of the operation; empty for one made of method and path. */
  readonly operationId: string;
  /** Its own security requirements (OpenAPI 3.1, Security Requirement Object). */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[] | undefined;
  /** Whether it evaluates preconditions before it writes, and demands one (RFC 9110, section 13; RFC 6585, section 3). */
  readonly conditional: 'optional' | 'required' | undefined;
  readonly deprecated: boolean;
  readonly blocking: boolean;
  /** Whether it accepts WebSocket connections (RFC 6455) instead of requests. */
  readonly websocket: boolean;
  /** Who may call it, as declared by the route. */
  readonly access: RouteAccess;
  /** Whether the route declares anything besides method and path. */
  readonly documented: boolean;
}

/** What a {@link DocumentedRoute} is made from, whoever read it. Shapes are as declared. */
export interface RouteFacts {
  readonly method: string;
  readonly pattern: string;
  readonly title?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly input?: readonly InputFacts[];
  readonly output?: unknown;
  readonly status?: number;
  readonly outputDescription?: string;
  readonly responses?: RouteResponses | undefined;
  readonly bodyExamples?: Readonly<Record<string, unknown>> | undefined;
  readonly operationId?: string | undefined;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[] | undefined;
  readonly conditional?: 'optional' | 'required' | undefined;
  readonly deprecated?: boolean;
  readonly blocking?: boolean;
  readonly websocket?: boolean;
  readonly roles?: readonly string[] | undefined;
  readonly public?: boolean | undefined;
}

/** One source of input of {@link RouteFacts}. */
export interface InputFacts {
  readonly source: InputSource;
  readonly shape: unknown;
  readonly required?: boolean;
  readonly description?: string;
}

const SOURCES: readonly InputSource[] = ['params', 'query', 'header', 'body'];
const OK = 'OK';

/**
 * Puts a route into the form that every renderer reads. Of two inputs for one source the first counts.
 *
 * @throws FwError `FW_DOCS_SHAPE`
 */
export function documentedRoute(facts: RouteFacts, models: ModelSchemas): DocumentedRoute {
  const method = facts.method.toUpperCase();
  const where = `${method} ${facts.pattern}`;
  const input = SOURCES.flatMap((source) => {
    const group = facts.input?.find((each) => each.source === source);
    return group ? documentedInput(group, models, where) : [];
  });
  const path = pathTemplate(facts.pattern);
  const status = facts.websocket ? 101 : successStatus(facts.status, facts.output, facts.responses);
  const said = facts.outputDescription === OK ? '' : facts.outputDescription;
  const outputDescription =
    said || (facts.websocket ? 'Switching Protocols' : facts.responses?.[status]?.description) || OK;
  const output = outputOf(facts.output ?? facts.responses?.[status]?.output, models, where);
  const route = {
    method,
    pattern: facts.pattern,
    path,
    shape: templateShape(path),
    title: facts.title ?? '',
    description: facts.description ?? '',
    tags: [...new Set(facts.tags ?? [])],
    input,
    output,
    status,
    outputDescription,
    responses: documentedResponses(
      { ...facts, status, outputDescription },
      (shape) => outputOf(shape, models, where),
      method,
    ),
    bodyExamples: facts.bodyExamples ?? {},
    operationId: facts.operationId ?? '',
    security: facts.security,
    conditional: facts.conditional,
    deprecated: facts.deprecated ?? false,
    blocking: facts.blocking ?? false,
    websocket: facts.websocket ?? false,
    access: { ...(facts.roles && { roles: facts.roles }), ...(facts.public && { public: true }) },
  };
  return Object.freeze({ ...route, documented: isDocumented(route) });
}

function outputOf(value: unknown, models: ModelSchemas, where: string): Shape | undefined {
  const shape = shapeOf(value, models, where);
  return shape && { ...shape, schema: readableSchema(shape.schema) };
}

function shapeOf(value: unknown, models: ModelSchemas, where: string): Shape | undefined {
  return readShape(value, models, (shape, problem, cause) =>
    fwError(DOCS_ERRORS.FW_DOCS_SHAPE, { shape, where, problem }, { cause }),
  );
}

function documentedInput(group: InputFacts, models: ModelSchemas, where: string): DocumentedInput[] {
  const shape = shapeOf(group.shape, models, where);
  if (shape === undefined) return [];
  const required = group.source === 'body' && (group.required ?? false);
  return [{ source: group.source, ...shape, required, description: group.description ?? '' }];
}

function isDocumented(route: Omit<DocumentedRoute, 'documented'>): boolean {
  const { title, description, tags, input, output, responses } = route;
  const saysAnything = title !== '' || description !== '' || tags.length > 0;
  return saysAnything || input.length > 0 || output !== undefined || responses.length > 1;
}

/** Identity of a route: of two with the same key the later one counts. */
export function routeKey({ method, path, websocket }: DocumentedRoute): string {
  return `${method} ${path}${websocket ? ' (WebSocket)' : ''}`;
}

/** The order of every list: path, then method, byte by byte (SPEC "HTTP endpoints", rule 2). */
export function byPathAndMethod(a: DocumentedRoute, b: DocumentedRoute): number {
  return compare(a.path, b.path) || compare(a.method, b.method) || Number(a.websocket) - Number(b.websocket);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
