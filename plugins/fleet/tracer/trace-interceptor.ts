import type { HeaderCarrier } from '../../../kernel/contracts/fleet.js';
import { traceOf } from './active-trace.js';

/** The parts of an undici request that matter here. */
interface DispatchRequest {
  readonly origin?: string | URL;
  readonly headers?: unknown;
}

type Dispatch = (request: never, handler: never) => boolean;

/**
 * An interceptor for undici's `dispatcher.compose(...)`: requests to the listed origins carry the ambient trace, or that of the given
 * context. Requests to other origins get no trace headers.
 *
 * @param origins - e.g. `['http://orders:3002']`
 *
 * @example setGlobalDispatcher(new Agent().compose(traceInterceptor(['http://orders:3002'])));
 */
export function traceInterceptor(origins: readonly string[], context?: object | null) {
  const allowed = new Set(origins.map((origin) => new URL(origin).origin));
  return <Next extends Dispatch>(dispatch: Next): Next =>
    ((request: DispatchRequest, handler: never) => {
      const trace = traceOf(context);
      const isAllowed = request.origin !== undefined && allowed.has(new URL(request.origin).origin);
      if (!trace || !isAllowed) return dispatch(request as never, handler);
      const added: string[] = [];
      const carrier: HeaderCarrier = { get: () => undefined, set: (name, value) => void added.push(name, value) };
      trace.owner.inject(trace, carrier);
      return dispatch({ ...request, headers: [...flat(request.headers), ...added] } as never, handler);
    }) as unknown as Next;
}

// undici takes headers as a flat list, as an object, or as an iterable of pairs.
function flat(headers: unknown): readonly unknown[] {
  if (headers === undefined || headers === null) return [];
  if (Array.isArray(headers)) return headers as unknown[];
  const pairs =
    Symbol.iterator in (headers as object) ? [...(headers as Iterable<[string, unknown]>)] : Object.entries(headers);
  return pairs.flatMap(([name, value]) =>
    Array.isArray(value) ? value.flatMap((each) => [name, each as unknown]) : [name, value],
  );
}
