import type { ClientRequest } from 'node:http';
import type { HeaderCarrier } from '../../../kernel/contracts/fleet.js';
import { traceOf } from './active-trace.js';

/** What `propagateFromHTTP` can write to: a request not sent yet, `Headers`, or a plain object of headers. */
export type OutgoingRequest =
  | Pick<ClientRequest, 'setHeader'>
  | Pick<Headers, 'set'>
  | { headers: Headers | Record<string, string> }
  | Record<string, string>;

/**
 * Adds the trace headers of the handled request to an outgoing one. Opt-in per call: without it the called service starts a trace of its
 * own. Outside a traced request nothing is written.
 *
 * @param context - the handled request's context; undefined for the ambient one
 * @param request - a `ClientRequest`, a `Request`, `Headers`, `{ headers }`, or an object of headers
 * @returns the request
 */
export function propagateFromHTTP<Request extends OutgoingRequest>(
  context: object | null | undefined,
  request: Request,
): Request {
  const trace = traceOf(context);
  if (trace) trace.owner.inject(trace, carrierOf(request));
  return request;
}

/** The function that writes headers into an outgoing request. */
export function carrierOf(request: OutgoingRequest): HeaderCarrier {
  if ('setHeader' in request && typeof request.setHeader === 'function') {
    const outgoing = request as Pick<ClientRequest, 'setHeader'> & Partial<Pick<ClientRequest, 'getHeader'>>;
    const get = (name: string) => {
      const value = outgoing.getHeader?.(name);
      return typeof value === 'string' ? value : undefined;
    };
    return { get, set: (name, value) => void outgoing.setHeader(name, value) };
  }
  if (request instanceof Headers) return request as unknown as HeaderCarrier;
  const { headers } = request as { headers?: unknown };
  if (headers instanceof Headers) return headers as unknown as HeaderCarrier;
  const plain = (typeof headers === 'object' && headers !== null ? headers : request) as Record<string, string>;
  return { get: (name) => plain[name], set: (name, value) => void (plain[name] = value) };
}
