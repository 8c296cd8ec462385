import {
  afterNext,
  direct,
  fwError,
  type HttpContext,
  isFwError,
  isJsonSchema,
  type JsonSchema,
  type Logger,
  type ModelCatalogue,
  type RouteInfo,
} from '../../../kernel/index.js';
import { readShape } from '../../../kernel/schema/index.js';
import { HTTP_ERRORS } from '../errors.js';
import { unwritable } from '../json-body.js';
import type { ChainStep } from '../middleware-chain.js';
import { isWrittenAsJson } from '../response-body.js';
import type { OnUndeclared } from './filter.js';
import { type OutputFilter, outputFilterOf } from './output-filter.js';

/** What may leave of the answers of a route. */
export interface RouteOutput {
  /**
   * Whether it is about answers of a status: the declared one, and 200, which Koa gives to a body that a handler sets without
   * a word about the status.
   */
  isAbout(status: number): boolean;
  /** What may leave of a body: of what is sent as JSON what the route declares, of everything else all. */
  part(context: HttpContext, body: unknown): unknown;
}

/**
 * Makes the {@link RouteOutput} of each route from its option `output`, at boot. What a `doc` wrapper says is documentation
 * alone. While one develops, what does not leave is logged, each member once.
 */
export function routeOutputs(catalogues: readonly ModelCatalogue[], log: Logger, profile: string) {
  return (route: RouteInfo): RouteOutput | undefined => {
    const filter = filterOf(route, catalogues, log);
    if (filter === undefined) return undefined;
    const onUndeclared = profile === 'dev' ? undeclaredOnce(route, log) : undefined;
    const isAbout = (status: number) => status === route.status || status === 200;
    return { isAbout, part: (context, body) => partOf(context, body, filter, onUndeclared) };
  };
}

/** Holds the middlewares of a route to its output too: what they add to the body, and what they answer in its place. */
export function outputStep(output: RouteOutput): ChainStep {
  return direct(function declaredOutput(context, next) {
    return afterNext(next, () => {
      if (!output.isAbout(context.status)) return;
      const { body } = context;
      const part = output.part(context, body);
      if (part !== body) context.body = part;
    });
  });
}

function partOf(
  context: HttpContext,
  body: unknown,
  filter: OutputFilter,
  onUndeclared: OnUndeclared | undefined,
): unknown {
  if (typeof body !== 'object' || body === null || !isWrittenAsJson(body)) return body;
  try {
    return filter(body, onUndeclared);
  } catch (cause) {
    throw isFwError(cause) ? cause : unwritable(context, cause);
  }
}

function filterOf(route: RouteInfo, catalogues: readonly ModelCatalogue[], log: Logger): OutputFilter | undefined {
  const { method, path, output } = route;
  const unreadable = (problem: string, cause: unknown) =>
    fwError(HTTP_ERRORS.FW_HTTP_OUTPUT, { method, path, problem }, { cause });
  const answerOf = (model: object) => {
    for (const catalogue of catalogues) {
      const schema = catalogue.answerOf?.(model) ?? catalogue.schemaOf(model);
      if (schema) return schema;
    }
    return undefined;
  };
  const shape = readShape(output, answerOf, (name, problem, cause) => unreadable(`${name}: ${problem}`, cause));
  if (shape === undefined) return undefined;
  if (!isJsonSchema(output) && saysNothing(shape.schema)) {
    log.warn(
      { route: `${method} ${path}` },
      `the output of ${method} ${path} names no member, so that its answers are not held to it: give a schema instead`,
    );
    return undefined;
  }
  try {
    return outputFilterOf(shape.schema);
  } catch (cause) {
    throw unreadable(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

// A class without initial values, or an empty example, is seen as one without members.
function saysNothing({ type, properties, items }: JsonSchema): boolean {
  if (type === 'array') return items !== undefined && saysNothing(items as JsonSchema);
  return type === 'object' && Object.keys(properties ?? {}).length === 0;
}

/** Logs a member the first time that it is left out. Paths tell of declared members and names alone, never of values. */
function undeclaredOnce({ method, path: pattern }: RouteInfo, log: Logger): OnUndeclared {
  const remembered = new Set<string>();
  return (path) => {
    // Keys of a map may be anything: no more of them than anybody reads.
    if (remembered.has(path) || remembered.size >= MAX_REMEMBERED) return;
    remembered.add(path);
    log.warn(
      { route: `${method} ${pattern}`, field: path },
      `${method} ${pattern} answers with ${path}, which its output does not declare: it is left out`,
    );
  };
}

const MAX_REMEMBERED = 100;
