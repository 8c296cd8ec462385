import type Koa from 'koa';
import { type HttpContext, OBSERVE_BODY } from '../../../kernel/index.js';
import { traceOf } from './active-trace.js';
import { scrubbedJson } from '../recorded/index.js';

const BODY = Symbol('fw.fleet.response-body');

type Observed = { [BODY]?: unknown };

/**
 * Lets the tracer see response bodies as handlers set them: when the outermost middleware sees them, they may be compressed. Patches the
 * application's own prototype once, not each response.
 */
export function observeResponseBodies({ response }: Pick<Koa, 'response'>): void {
  const inherited = accessorOf(response, 'body');
  if (!inherited?.set || BODY in response) return;
  Object.defineProperty(response, BODY, { value: undefined, writable: true });
  Object.defineProperty(response, 'body', {
    configurable: true,
    get: inherited.get,
    set(this: Observed, value: unknown) {
      if (isPlain(value)) this[BODY] = value;
      inherited.set?.call(this, value);
    },
  });
}

function accessorOf(object: object, name: string): PropertyDescriptor | undefined {
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const found = Object.getOwnPropertyDescriptor(at, name);
    if (found) return found;
  }
  return undefined;
}

/** Scrubbed JSON of the response's body, when it is JSON and small enough. */
export function capturedResponse(context: HttpContext): string | undefined {
  const observed = (context.response as unknown as Observed)[BODY];
  if (observed !== undefined) return scrubbedJson(observed);
  const body: unknown = context.body;
  if (isPlain(body)) return scrubbedJson(body);
  const isText = typeof body === 'string' || Buffer.isBuffer(body);
  // Koa answers undefined for a header that is not set, whatever its types say.
  if (!isText || context.response.get('Content-Encoding')) return undefined;
  return /^application\/([\w.+-]+\+)?json\b/.test(context.response.get('Content-Type'))
    ? scrubbedJson(body)
    : undefined;
}

/** Keeps the original body of a request, before validation drops undeclared members. */
export function observeRequestBody(context: HttpContext): void {
  Object.assign(context, { [OBSERVE_BODY]: keepRequestBody });
}

function keepRequestBody(this: object, body: unknown): void {
  const trace = traceOf(this);
  if (trace) trace.requestPayload = scrubbedJson(body);
}

// False for streams, buffers and other objects that are not sent as JSON.
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return false;
  return (
    typeof (value as { pipe?: unknown }).pipe !== 'function' && !(value instanceof Blob || value instanceof Response)
  );
}
