import type Koa from 'koa';
import { type HttpContext, OBSERVE_BODY, UNCODED_BODY } from '../../../kernel/index.js';
import { traceOf } from './active-trace.js';
import { scrubbedJson } from '../recorded/index.js';

const PATCHED = Symbol('fw.fleet.response-body');

type Observed = { [UNCODED_BODY]?: unknown };

/**
 * Lets the tracer see response bodies as handlers set them: when the outermost middleware sees them, they may be compressed. Patches the
 * application's own prototype once, not each response. Compression of ours says by itself what it compresses.
 */
export function observeResponseBodies({ response }: Pick<Koa, 'response'>): void {
  const inherited = accessorOf(response, 'body');
  if (!inherited?.set || PATCHED in response) return;
  Object.defineProperty(response, PATCHED, { value: true });
  Object.defineProperty(response, 'body', {
    configurable: true,
    get: inherited.get,
    set(this: Koa.Response, value: unknown) {
      const context = this.ctx as Observed;
      // Anything else takes the place of what was set before: an error, or nothing with a 304.
      if (!isCoded(value)) context[UNCODED_BODY] = undefined;
      else context[UNCODED_BODY] ??= inherited.get?.call(this);
      inherited.set?.call(this, value);
    },
  });
}

// Whether a body may be the one before it in a coding.
function isCoded(body: unknown): boolean {
  return Buffer.isBuffer(body) || typeof (body as { readonly pipe?: unknown } | null | undefined)?.pipe === 'function';
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
  const isEncoded = context.res.hasHeader('Content-Encoding');
  const body: unknown = isEncoded ? (context as Observed)[UNCODED_BODY] : context.body;
  if (isPlain(body)) return scrubbedJson(body);
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return undefined;
  // Koa answers undefined for a header that is not set, whatever its types say.
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
