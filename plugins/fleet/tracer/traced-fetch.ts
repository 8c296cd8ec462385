import { traceOf } from './active-trace.js';

/** Options of {@link tracedFetch}. */
export interface TracedFetchOptions {
  /** Origins that get trace headers, e.g. `http://orders:3002`; every origin when left out. */
  readonly origins?: readonly string[];
  /** The fetch to use; the global one by default. */
  readonly fetch?: typeof fetch;
}

/**
 * A `fetch` that carries the trace of the handled request on to the services that it calls.
 *
 * @param context - the handled request's context; undefined for the ambient one at the time of each call
 *
 * @example
 * const answer = await tracedFetch(ctx)('http://orders:3002/orders/7');
 */
export function tracedFetch(context?: object | null, options: TracedFetchOptions = {}): typeof fetch {
  const send = options.fetch ?? fetch;
  const origins = options.origins && new Set(options.origins.map((origin) => new URL(origin).origin));
  // Rejects, as `fetch` does, also for what is no URL.
  return async (input, init) => {
    const trace = traceOf(context);
    const url = typeof input === 'string' || input instanceof URL ? input : input.url;
    if (trace === undefined || (origins && !origins.has(new URL(url).origin))) return send(input, init);
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    trace.owner.inject(trace, {
      get: (name) => headers.get(name) ?? undefined,
      set: (name, value) => headers.set(name, value),
    });
    return send(input, { ...init, headers });
  };
}
