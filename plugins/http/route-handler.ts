import { type HttpContext, isThenable, jsonText, type RouteHandler, type RouteInfo } from '../../kernel/index.js';
import type { ChainStep } from './middleware-chain.js';
import type { RouteOutput } from './output/route-output.js';

type Finish = (context: HttpContext, value: unknown, status: number) => void;

/**
 * The last step: calls the handler and sends what it returns, at once when nothing has to be waited for.
 *
 * @param output - what may leave of it, where the route declares that
 */
export function handlerStep(handler: RouteHandler, { status }: RouteInfo, output?: RouteOutput): ChainStep {
  const run = handler as unknown as ChainStep;
  const end: Finish = output
    ? (context, value) => finish(context, declaredPart(context, value, output), status)
    : finish;
  return function answer(context, next) {
    const value = run(context, next);
    return isThenable(value) ? finishLater(context, value, status, end) : end(context, value, status);
  };
}

async function finishLater(
  context: HttpContext,
  pending: PromiseLike<unknown>,
  status: number,
  end: Finish,
): Promise<void> {
  end(context, await pending, status);
}

function declaredPart(context: HttpContext, value: unknown, output: RouteOutput): unknown {
  const body = value === undefined ? context.body : value;
  return hasExplicitStatus(context) && !output.isAbout(context.status) ? value : output.part(context, body);
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
    // Never guessed to be HTML: that would turn an echo of input into a script.
    if (!context.res.hasHeader('Content-Type')) context.type = 'text';
    context.body = value;
  } else if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') {
    context.type = 'json';
    context.body = jsonText(value);
  } else {
    context.body = value;
  }
}

// Koa makes a 204 of it, of which the document of the route knows nothing.
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
 * Whether somebody has set the status. Koa has no public way to tell "404 because nobody said anything" from "404 because the
 * handler said so". The contexts of the fast path have the field themselves.
 */
export function hasExplicitStatus(context: HttpContext): boolean {
  const fast = context as unknown as { readonly _explicitStatus?: boolean };
  if (fast._explicitStatus !== undefined) return fast._explicitStatus;
  return (context.response as unknown as { readonly _explicitStatus?: boolean })._explicitStatus === true;
}
