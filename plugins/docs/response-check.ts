import {
  afterNext,
  direct,
  type HttpContext,
  isJsonSchema,
  jsonText,
  type Logger,
  type Middleware,
  type RouteInfo,
  type JsonSchema,
  type SchemaIssue,
  type Validator,
  validatorOf,
} from '../../kernel/index.js';
import { isDeeperThan } from '../http/index.js';
import { inDraft2020, selfContained } from '../../kernel/schema/index.js';
import type { TSchema } from 'typebox';

/** Levels of lists and objects that are checked: the most that an input may be allowed to have. */
const MAX_DEPTH = 1000;
const TOO_DEEP = `has more than ${MAX_DEPTH} levels of lists and objects, of which none was checked`;

// Each route and complaint is logged once; a service has far fewer kinds of them.
const MAX_REMEMBERED = 1000;

/**
 * Checks what handlers send against the `output` that their routes declare, and logs what differs, once for each kind of
 * difference. The response is sent as it is.
 */
export function responseCheck(log: Logger): Middleware {
  const remembered = new Set<string>();
  const check = (context: HttpContext) => {
    const issue = firstIssue(context);
    if (issue === undefined) return;
    const { method, path } = context.route as RouteInfo;
    const kind = `${method} ${path} ${issue.keyword} ${issue.path.replace(/\/\d+(?=\/|$)/g, '/*')}`;
    if (remembered.has(kind)) return;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.add(kind);
    const field = issue.path || 'the whole of it';
    log.warn(
      { route: `${method} ${path}`, field, rule: issue.keyword },
      `response differs from the declared output: ${field} ${issue.message}`,
    );
  };
  return direct(function checkResponse(context, next) {
    return afterNext(next, () => check(context));
  });
}

const checkers = new WeakMap<JsonSchema, Validator>();

function checkerOf(output: JsonSchema): Validator {
  const known =
    checkers.get(output) ?? validatorOf(selfContained(inDraft2020(output as TSchema) as JsonSchema) as TSchema);
  checkers.set(output, known);
  return known;
}

function firstIssue(context: HttpContext): SchemaIssue | undefined {
  const { route, body } = context;
  if (route === undefined || !isJsonBody(body)) return undefined;
  const output = declaredOf(context, route);
  if (!isJsonSchema(output)) return undefined;
  // The value as a client gets it: dates and bigints as text, without undefined members.
  const sent = sentValue(body);
  if (sent === undefined) return undefined;
  // The check recurses, so its depth is limited.
  if (isDeeperThan(sent.value, MAX_DEPTH))
    return { path: '', keyword: 'depth', message: TOO_DEEP, params: { limit: MAX_DEPTH } };
  return checkerOf(output as JsonSchema).check(sent.value)[0];
}

// What the route says of the status and media type that the body is sent with.
function declaredOf({ status, response }: HttpContext, route: RouteInfo): unknown {
  const { output, content = {} } = route.responses?.[status] ?? {};
  const own = output ?? (content[response.type] as unknown);
  return own ?? (status === route.status ? route.output : undefined);
}

// A body that JSON cannot represent is reported when it is sent, so it is ignored here.
function sentValue(body: unknown): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(jsonText(body)) as unknown };
  } catch {
    return undefined;
  }
}

function isJsonBody(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return (
    !Buffer.isBuffer(body) &&
    typeof (body as { pipe?: unknown }).pipe !== 'function' &&
    !(body instanceof ReadableStream)
  );
}
