import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { objectOf } from '../../../kernel/values/index.js';
import { traceOf } from './active-trace.js';
import { type CallTarget, ClientCall } from './client-call.js';
import { TRACE_HEADERS } from './headers.js';
import { announcedBy, type RequestTrace } from './request-trace.js';
import { newSpanId } from './span-ids.js';
import { callingSpanOf, formatTraceparent, isTraceparent } from './traceparent.js';
import type { Tracer } from './tracer.js';

/** A request in undici's diagnostics events, of the built-in `fetch` or of the package. */
interface UndiciRequest {
  readonly origin?: string | URL;
  readonly method: string;
  readonly path: string;
  /** Names and values alternate. */
  readonly headers?: unknown;
}

type Message = {
  readonly request: object;
  readonly response?: { readonly statusCode?: number };
  readonly error?: unknown;
};

/** Milliseconds by which a timer may be early. */
const TIMER_MS = 1;

const calls = new WeakMap<object, ClientCall>();
let users = 0;

const CHANNELS: Readonly<Record<string, (message: Message) => void>> = {
  'undici:request:create': ({ request }) => beginUndici(request as UndiciRequest),
  'undici:request:headers': ({ request, response }) => calls.get(request)?.answered(response?.statusCode ?? 0),
  'undici:request:trailers': ({ request }) => calls.get(request)?.end(),
  'undici:request:error': ({ request, error }) => calls.get(request)?.end(error),
  'http.client.request.created': ({ request }) => void beginHttp(request as ClientRequest),
  'http.client.request.start': ({ request }) => startHttp(request as ClientRequest),
  'http.client.response.finish': ({ request, response }) => followHttp(request, response as IncomingMessage),
  'http.client.request.error': ({ request, error }) => failHttp(request as ClientRequest, error),
};

/**
 * Records the outgoing calls of traced requests as client spans: those of `fetch`, undici, `node:http` and `node:https`, and of libraries
 * built on them. It adds no headers; a call that has trace headers becomes the parent of the callee's span. Calls outside a traced request,
 * including the tracer's own, are ignored.
 *
 * @param tracer - tracer of the requests
 * @returns ends it
 */
export function traceCalls(tracer: Tracer): () => void {
  if (!tracer.enabled || tracer.tracesCalls) return () => undefined;
  tracer.tracesCalls = true;
  if (users++ === 0) for (const [name, handle] of Object.entries(CHANNELS)) subscribe(name, handle as never);
  return () => {
    if (!tracer.tracesCalls) return;
    tracer.tracesCalls = false;
    if (--users === 0) for (const [name, handle] of Object.entries(CHANNELS)) unsubscribe(name, handle as never);
  };
}

function beginUndici(request: UndiciRequest): void {
  const at = traceparentAt(request.headers);
  const header = at === -1 ? undefined : String((request.headers as unknown[])[at]);
  const trace = traceOfCall(header);
  if (trace === undefined) return;
  const call = new ClientCall(trace, undiciTarget(request));
  calls.set(request, call);
  if (header === undefined || !isTraceparent(header)) return;
  call.spanId = trace.takeAnnounced(callingSpanOf(header));
  // A retry with the same headers is a call of its own, and gets its own span id.
  if (call.spanId !== undefined || !trace.hasTaken(callingSpanOf(header))) return;
  call.spanId = newSpanId();
  (request.headers as unknown[])[at] = formatTraceparent({
    traceId: trace.traceId,
    spanId: call.spanId,
    sampled: trace.sampled,
  });
}

function traceparentAt(headers: unknown): number {
  if (!Array.isArray(headers)) return -1;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] as unknown;
    if (
      typeof name === 'string' &&
      name.length === TRACE_HEADERS.traceparent.length &&
      name.toLowerCase() === TRACE_HEADERS.traceparent
    )
      return at + 1;
  }
  return -1;
}

// Finds the trace of a call by its headers, for calls without an ambient context.
function traceOfCall(header: string | undefined): RequestTrace | undefined {
  const announced = header !== undefined && isTraceparent(header) ? announcedBy(callingSpanOf(header)) : undefined;
  const trace = announced ?? traceOf(undefined);
  return trace?.owner.tracesCalls === true ? trace : undefined;
}

function undiciTarget({ origin, method, path }: UndiciRequest): CallTarget {
  const { protocol, hostname, port } = new URL(origin ?? 'http://unknown');
  const scheme = protocol.slice(0, -1);
  return { method, scheme, host: hostname, port: portOf(port, scheme), path };
}

function beginHttp(request: ClientRequest): ClientCall | undefined {
  const known = calls.get(request);
  if (known) return known;
  const trace = traceOfCall(headerOf(request));
  if (trace === undefined) return undefined;
  const scheme = request.protocol.replace(/:$/, '');
  const port = portOf(/:(\d+)$/.exec(String(request.getHeader('host') ?? ''))?.[1] ?? '', scheme);
  const call = new ClientCall(trace, { method: request.method, scheme, host: request.host, port, path: request.path });
  calls.set(request, call);
  return call;
}

// Called when the head is sent, so that headers set after the creation of the request are included.
function startHttp(request: ClientRequest): void {
  const call = beginHttp(request);
  const header = headerOf(request);
  if (call === undefined || header === undefined || !isTraceparent(header)) return;
  const spanId = callingSpanOf(header);
  call.spanId ??= announcedBy(spanId)?.takeAnnounced(spanId);
}

function headerOf(request: ClientRequest): string | undefined {
  const header = request.getHeader(TRACE_HEADERS.traceparent);
  return typeof header === 'string' ? header : undefined;
}

function followHttp(request: object, response: IncomingMessage): void {
  const call = calls.get(request);
  if (call === undefined) return;
  call.answered(response.statusCode ?? 0);
  response.once('close', () => {
    // Its own caller has destroyed it, and has what he wanted: a connection that breaks off leaves an error.
    const isLeft = response.complete || !response.errored;
    if (isLeft) call.end();
    else endHttp(call, request as ClientRequest, response.errored, isHungUpByCaller(request as ClientRequest));
  });
}

function failHttp(request: ClientRequest, error: unknown): void {
  const call = calls.get(request);
  if (call) endHttp(call, request, error, request.destroyed && !hasCodeOfItsOwn(error));
}

// What a request says that its own caller has destroyed, at its `timeout` for example, is an error of his choice, or the one of a
// connection that broke off.
function endHttp(call: ClientCall, request: ClientRequest, error: unknown, isOwn: boolean): void {
  if (!isOwn) call.end(error);
  else call.end({ name: isOverdue(call, request) ? 'TimeoutError' : 'AbortError' });
}

// The timeout of a request is that of its socket.
function isOverdue({ ms }: ClientCall, { socket }: ClientRequest): boolean {
  const longest = socket?.timeout ?? 0;
  return longest > 0 && ms >= longest - TIMER_MS;
}

function hasCodeOfItsOwn(error: unknown): boolean {
  const { code, name } = objectOf(error);
  return name === 'TimeoutError' || (typeof code === 'string' && code !== 'ECONNRESET');
}

// The other side ends a connection that it leaves, or resets it, which is an error of the socket.
function isHungUpByCaller({ socket }: ClientRequest): boolean {
  return socket !== null && !socket.readableEnded && socket.errored === null;
}

function portOf(port: string, scheme: string): number {
  if (port !== '') return Number(port);
  return scheme === 'https' ? 443 : scheme === 'http' ? 80 : 0;
}
