import {
  Answer,
  type HttpContext,
  isThenable,
  jsonText,
  type RouteHandler,
  type RouteInfo,
} from '../../kernel/index.js';
import { takeAnswer } from './answer-step.js';
import { IterableBody } from './iterable-body.js';
import type { ChainStep } from './middleware-chain.js';
import type { RouteOutput } from './output/route-output.js';

type Finish = (context: HttpContext, value: unknown) => Promise<void> | undefined;

/**
 * The last step: calls the handler and sends its result, synchronously if the handler is synchronous.
 *
 * @param output - filters of the result, if the route declares them
 */
export function handlerStep(handler: RouteHandler, route: RouteInfo, output?: RouteOutput): ChainStep {
  const { status } = route;
  const run = handler as unknown as ChainStep;
  const end: Finish = (context, value) => {
    if (value instanceof Answer) finishAnswer(context, value, route, output);
    else finish(context, output ? declaredPart(context, value, output) : value, status);
    // Here, so that an error before the first item is answered with a status, and middlewares know the media type.
    const { body } = context as { readonly body: unknown };
    return body instanceof IterableBody ? body.start(context) : undefined;
  };
  return function answer(context, next) {
    const value = run(context, next);
    return isThenable(value) ? finishLater(context, value, end) : end(context, value);
  };
}

async function finishLater(context: HttpContext, pending: PromiseLike<unknown>, end: Finish): Promise<void> {
  await end(context, await pending);
}

function finishAnswer(context: HttpContext, answer: Answer, route: RouteInfo, output: RouteOutput | undefined): void {
  const { type, isEmpty } = takeAnswer(context, answer, route);
  const { status, body } = answer;
  if (isEmpty) {
    context.body = null;
    // Setting a null body has changed the status to 204.
    context.status = status;
    return;
  }
  send(context, output ? output.part(context, body, status, type) : body, status);
  if (type !== undefined) context.type = type;
}

// A body that a handler sets without a status is filtered as a success.
function declaredPart(context: HttpContext, value: unknown, output: RouteOutput): unknown {
  const body = value === undefined ? context.body : value;
  return output.part(context, body, hasExplicitStatus(context) ? context.status : undefined);
}

function finish(context: HttpContext, value: unknown, status: number): void {
  if (value !== undefined && value !== context.body) send(context, value, status);
  else if (status !== 200 && !hasExplicitStatus(context)) context.status = status;
}

function send(context: HttpContext, value: unknown, status: number): void {
  if (status !== 200 && !hasExplicitStatus(context)) context.status = status;
  if (value === null) {
    sendNull(context);
  } else if (typeof value === 'string') {
    // Never guessed to be HTML, which could turn echoed input into a script.
    if (!context.res.hasHeader('Content-Type')) context.type = 'text';
    context.body = value;
  } else if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') {
    context.type = 'json';
    context.body = jsonText(value);
  } else {
    context.body = value;
  }
}

// Koa would change the status to 204, which the route does not document.
function sendNull(context: HttpContext): void {
  if (hasExplicitStatus(context) && WITHOUT_BODY.has(context.status)) {
    context.body = null;
    return;
  }
  context.type = 'json';
  context.body = 'null';
}

const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * Whether the status was set explicitly. Koa has no public way to tell its default 404 from one that a handler has set. The contexts of the
 * fast path have the field themselves.
 */
export function hasExplicitStatus(context: HttpContext): boolean {
  const fast = context as unknown as { readonly _explicitStatus?: boolean };
  if (fast._explicitStatus !== undefined) return fast._explicitStatus;
  return (context.response as unknown as { readonly _explicitStatus?: boolean })._explicitStatus === true;
}
