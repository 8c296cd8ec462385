import type { ClientRequest, RequestOptions } from 'node:http';
import type { HeaderCarrier } from '../../../kernel/contracts/fleet.js';
import { isObject } from '../../../kernel/values/index.js';
import { traceOf } from './active-trace.js';

/**
 * What `propagateFromHTTP` can write to: a request not sent yet, `Headers`, the options of `fetch` or `http.request`, or a plain object of
 * headers.
 */
export type OutgoingRequest =
  | Pick<ClientRequest, 'setHeader'>
  | Pick<Headers, 'set'>
  | { headers: Headers | Map<string, string> | Record<string, string> }
  | RequestInit
  | RequestOptions
  | Record<string, string>;

// Members of the options of `fetch`, `http.request` and clients from npm whose values could be those of headers.
const OPTIONS = [
  ...['method', 'body', 'redirect', 'credentials', 'mode', 'integrity', 'referrer', 'duplex', 'timeout'],
  ...['url', 'hostname', 'path', 'port', 'protocol', 'socketPath'],
];

// Beside these, what has a member that no header can be: `signal`, `dispatcher`, `keepalive`, `json`.
const isOptions = (request: object): boolean =>
  OPTIONS.some((name) => Object.hasOwn(request, name)) ||
  Object.values(request).some((value) => typeof value === 'boolean' || isObject(value));

/**
 * Adds the trace headers of the handled request to an outgoing one. Opt-in per call: without it the called service starts a trace of its
 * own. Outside a traced request nothing is written.
 *
 * @param context - the handled request's context; undefined for the ambient one
 * @param request - a `ClientRequest`, a `Request`, `Headers`, options of `fetch` or `http.request`, or an object of headers; options without
 * headers get some
 * @returns the request
 */
export function propagateFromHTTP<Request extends OutgoingRequest>(
  context: object | null | undefined,
  request: Request,
): Request {
  const trace = traceOf(context);
  if (trace) trace.owner.inject(trace, carrierOf(withHeaders(request)));
  return request;
}

// Not where a trace goes over something else (`inject`): there a member called `method` or `body` is one of the message.
function withHeaders<Request extends OutgoingRequest>(request: Request): Request {
  const options = request as { headers?: unknown };
  const isBare = options.headers === undefined || options.headers === null;
  if (isBare && isOptions(request)) options.headers = {};
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
  if (headers instanceof Headers || headers instanceof Map) return headers as unknown as HeaderCarrier;
  if (Array.isArray(headers)) return listCarrier(headers as HeaderList);
  const plain = (typeof headers === 'object' && headers !== null ? headers : request) as Record<string, string>;
  return { get: (name) => plain[name], set: (name, value) => void (plain[name] = value) };
}

type HeaderList = string[] | [string, string][];

/** Headers as a list of pairs, as `fetch` takes them, or of names and values by turns, as `http.request` and undici do. */
function listCarrier(headers: HeaderList): HeaderCarrier {
  const pairs = typeof headers[0] === 'string' ? undefined : (headers as [string, string][]);
  const flat = headers as string[];
  const isNamed = (name: string, given: string | undefined) => given?.toLowerCase() === name.toLowerCase();
  if (pairs) {
    const find = (name: string) => pairs.find(([given]) => isNamed(name, given));
    return {
      get: (name) => find(name)?.[1],
      set(name, value) {
        const pair = find(name);
        if (pair) pair[1] = value;
        else pairs.push([name, value]);
      },
    };
  }
  const placeOf = (name: string) => flat.findIndex((given, at) => at % 2 === 0 && isNamed(name, given));
  return {
    get: (name) => (placeOf(name) < 0 ? undefined : flat[placeOf(name) + 1]),
    set(name, value) {
      const place = placeOf(name);
      if (place < 0) flat.push(name, value);
      else flat[place + 1] = value;
    },
  };
}
