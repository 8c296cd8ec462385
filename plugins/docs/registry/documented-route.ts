import { fwError, type InputSource, type JsonSchema, type RouteAccess } from '../../../kernel/index.js';
import { readableSchema, readShape, type ModelSchemas, type Shape } from '../../../kernel/schema/index.js';
import { DOCS_ERRORS } from '../errors.js';
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
  readonly deprecated: boolean;
  readonly blocking: boolean;
  /** Whether it accepts WebSocket connections (RFC 6455) instead of requests. */
  readonly websocket: boolean;
  /** Who may call it, as far as the route says. */
  readonly access: RouteAccess;
  /** Whether the route says anything about itself beyond method and path. */
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
  const route = {
    method,
    pattern: facts.pattern,
    path,
    shape: templateShape(path),
    title: facts.title ?? '',
    description: facts.description ?? '',
    tags: [...new Set(facts.tags ?? [])],
    input,
    output: outputOf(facts.output, models, where),
    status: facts.websocket ? 101 : (facts.status ?? 200),
    outputDescription: facts.outputDescription || (facts.websocket ? 'Switching Protocols' : OK),
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

function isDocumented({ title, description, tags, input, output }: Omit<DocumentedRoute, 'documented'>): boolean {
  return title !== '' || description !== '' || tags.length > 0 || input.length > 0 || output !== undefined;
}

/** What tells routes apart: of two with the same key the later one counts. */
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
