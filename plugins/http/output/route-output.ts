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
import { messageOf } from '../../../kernel/errors/index.js';
import { HTTP_ERRORS } from '../errors.js';
import { unwritable } from '../json-body.js';
import { shapesOf } from './declared-responses.js';
import { IterableBody, isIteration, type ItemForm } from '../iterable-body.js';
import type { ChainStep } from '../middleware-chain.js';
import { isWrittenAsJson } from '../response-body.js';
import type { OnUndeclared } from './filter.js';
import { type OutputFilter, outputFilterOf } from './output-filter.js';

/** The output filters of a route. */
export interface RouteOutput {
  /**
   * The part of a body that may be sent. For JSON these are the members that the route declares for the status; other bodies, and those of
   * undeclared statuses, are sent as they are. The declaration of the success status also applies to 200, which Koa sets when a handler
   * sets a body without a status.
   *
   * @param status - undefined for the success of the route
   * @param type - media type of the body, if known; default the one that is set
   */
  part(context: HttpContext, body: unknown, status: number | undefined, type?: string): unknown;
}

/** The filters of one status by media type; under the empty name that of the first JSON type, the default. */
type Filters = ReadonlyMap<string, OutputFilter>;

/**
 * Makes the {@link RouteOutput} of each route from its options `output` and `responses`, at boot. A `doc` wrapper only documents. In
 * development each removed member is logged once.
 */
export function routeOutputs(catalogues: readonly ModelCatalogue[], log: Logger, profile: string) {
  return (route: RouteInfo): RouteOutput | undefined => {
    const byStatus = filtersOf(route, catalogues, log);
    if (byStatus.size === 0) return undefined;
    const onUndeclared = profile === 'dev' ? undeclaredOnce(route, log) : undefined;
    const declaresOk = route.responses?.[200] !== undefined;
    return {
      part(context, body, status = route.status, type) {
        const known = status === 200 && !declaresOk ? route.status : status;
        const filters = byStatus.get(known);
        if (body instanceof IterableBody || isIteration(body)) {
          const sent = type ?? (context.response.type || declareLines(context, filters));
          const form = formOf(
            sent,
            filterFor(filters, () => sent),
            onUndeclared,
          );
          if (!(body instanceof IterableBody)) return new IterableBody(body, form);
          body.formAs(form);
          return body;
        }
        const filter = filterFor(filters, () => type ?? context.response.type);
        return filter ? partOf(context, body, filter, onUndeclared) : body;
      },
    };
  };
}

/** Filters responses of a route's middlewares too: members that they add to the body, and bodies that they set instead. */
export function outputStep(output: RouteOutput): ChainStep {
  return direct(function declaredOutput(context, next) {
    return afterNext(next, () => {
      const { body } = context;
      const part = output.part(context, body, context.status);
      if (part !== body) context.body = part;
    });
  });
}

// `type` is a function, because asking Koa for the type makes an object per request, which few routes need.
function filterFor(filters: Filters | undefined, type: () => string): OutputFilter | undefined {
  if (filters === undefined || (filters.size === 1 && filters.has(''))) return filters?.get('');
  return filters.get(type()) ?? filters.get('');
}

function filtersOf(route: RouteInfo, catalogues: readonly ModelCatalogue[], log: Logger): ReadonlyMap<number, Filters> {
  const own = { status: route.status, type: undefined, shape: route.output };
  const byStatus = new Map<number, Map<string, OutputFilter>>();
  for (const { status, type, shape } of [own, ...shapesOf(route.responses)]) {
    if (type !== undefined && !JSON_TYPE.test(type) && !LINES_TYPE.test(type)) continue;
    const filter = filterOf(route, shape, catalogues, log);
    if (filter === undefined) continue;
    const filters = byStatus.get(status) ?? new Map<string, OutputFilter>();
    byStatus.set(status, filters);
    if (!filters.has('') && !LINES_TYPE.test(type ?? '')) filters.set('', filter);
    if (type !== undefined) filters.set(type, filter);
  }
  return byStatus;
}

const JSON_TYPE = /[/+]json$/i;
// Their schema is that of a line (OpenAPI 3.2, `itemSchema`, has no form in 3.1).
const LINES_TYPE = /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines)$/i;

// Items are lines where the route declares no other JSON.
function declareLines(context: HttpContext, filters: Filters | undefined): string {
  const lines = filters?.has('') ? undefined : [...(filters?.keys() ?? [])].find((type) => LINES_TYPE.test(type));
  if (lines !== undefined) context.set('Content-Type', lines);
  return lines ?? '';
}

/** How the items of a stream are held to what the route declares. */
function formOf(type: string, filter: OutputFilter | undefined, onUndeclared: OnUndeclared | undefined): ItemForm {
  if (filter === undefined) return { as: 'lines' };
  if (LINES_TYPE.test(type)) {
    return {
      as: 'lines',
      part: (item) => (typeof item === 'object' && item !== null ? filter(item, onUndeclared) : item),
    };
  }
  // A filter of what declares no list leaves nothing of one.
  if ((filter([0]) as readonly unknown[]).length === 0) return { as: 'text' };
  return { as: 'array', part: (item) => (filter([item], onUndeclared) as readonly unknown[])[0] };
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

function filterOf(
  { method, path }: RouteInfo,
  output: unknown,
  catalogues: readonly ModelCatalogue[],
  log: Logger,
): OutputFilter | undefined {
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
    throw unreadable(messageOf(cause), cause);
  }
}

// Whether a schema declares no members, like one made of a class without initial values or an empty example.
function saysNothing({ type, properties, items }: JsonSchema): boolean {
  if (type === 'array') return items !== undefined && saysNothing(items as JsonSchema);
  return type === 'object' && Object.keys(properties ?? {}).length === 0;
}

/** Logs a member the first time that it is removed. Paths contain only names of members, never values. */
function undeclaredOnce({ method, path: pattern }: RouteInfo, log: Logger): OnUndeclared {
  const remembered = new Set<string>();
  return (path) => {
    // The keys of a map are unlimited, so only a number of paths is logged.
    if (remembered.has(path) || remembered.size >= MAX_REMEMBERED) return;
    remembered.add(path);
    log.warn(
      { route: `${method} ${pattern}`, field: path },
      `${method} ${pattern} answers with ${path}, which its output does not declare: it is left out`,
    );
  };
}

const MAX_REMEMBERED = 100;
