import type { HttpContext } from '../../../kernel/index.js';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Known methods; all others count as one (semantic conventions for HTTP, `http.request.method`). */
const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'TRACE',
]);
const OTHER = '_OTHER';
/** Route label for requests beyond the limit of series. */
const OVERFLOW = '_overflow';

const LABELS = ['http_request_method', 'http_route', 'http_response_status_code'] as const;

type Labels = Record<(typeof LABELS)[number], string>;

/** A request with its duration. */
export interface ObservedRequest extends Pick<HttpContext, 'method' | 'status'> {
  /** Pattern of the route; undefined when none matched. Never a path, because the number of paths is unlimited. */
  readonly route: string | undefined;
  readonly seconds: number;
  /** Trace of the request when it is recorded: it becomes an exemplar. */
  readonly traceId: string | undefined;
}

/** Counts requests by method, route and status, with names from the semantic conventions of OpenTelemetry. */
export class RequestMetrics {
  readonly #durations: Histogram<keyof Labels>;
  readonly #active: Gauge;
  readonly #overflows: Counter;
  readonly #series = new Map<string, Labels>();
  readonly #maxSeries: number;

  constructor(
    registry: Registry,
    { buckets, maxSeries }: { readonly buckets: readonly number[]; readonly maxSeries: number },
  ) {
    const registers = [registry];
    this.#durations = new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Duration of answered requests.',
      labelNames: LABELS,
      buckets: [...buckets],
      enableExemplars: true,
      registers,
    });
    this.#active = new Gauge({
      name: 'http_server_active_requests',
      help: 'Requests that are being answered.',
      registers,
    });
    this.#overflows = new Counter({
      name: 'fw_metrics_overflows',
      help: 'Requests without a series of their own, because there were maxSeries.',
      registers,
    });
    this.#maxSeries = maxSeries;
  }

  began(): void {
    this.#active.inc();
  }

  ended({ method, status, route, seconds, traceId }: ObservedRequest): void {
    this.#active.dec();
    const labels = this.#labels(METHODS.has(method) ? method : OTHER, route ?? '', String(status));
    // A histogram with exemplars takes one object, whatever its types say, and throws on two arguments. The types also require the labels of
    // the series for an exemplar; OpenMetrics does not want them.
    const exemplar = traceId === undefined ? {} : { exemplarLabels: { trace_id: traceId } as object };
    this.#durations.observe({ labels, value: seconds, ...exemplar });
  }

  #labels(method: string, route: string, status: string): Labels {
    const key = `${method} ${status} ${route}`;
    const known = this.#series.get(key);
    if (known) return known;
    const isFull = this.#series.size >= this.#maxSeries;
    if (isFull) this.#overflows.inc();
    const labels = {
      http_request_method: isFull ? OTHER : method,
      http_route: isFull ? OVERFLOW : route,
      http_response_status_code: status,
    };
    if (!isFull) this.#series.set(key, labels);
    return labels;
  }
}
