import type { HeartbeatRecord, SpanRecord } from '../../../../kernel/contracts/fleet-wire.js';

/** What a service of a simulated fleet does when it is called: its own work, and calls one after the other. */
export interface SimulatedRoute {
  readonly service: string;
  readonly method: string;
  readonly route: string;
  /** Milliseconds of work beside its calls. */
  readonly work: number;
  readonly calls?: readonly SimulatedRoute[];
  /** SQL that it runs, shown as a span of its own. */
  readonly query?: string;
  readonly tags?: Readonly<Record<string, string>>;
}

/** A simulated failure: where it begins, and how the services above react. */
export interface SimulatedFailure {
  readonly service: string;
  readonly status: number;
  readonly error: string;
  /** Factor on the time that the failing service takes. */
  readonly slower?: number;
}

const serving = (service: string, method: string, route: string, work: number, ...calls: SimulatedRoute[]) =>
  ({ service, method, route, work, calls }) as const;

const auth = serving('auth', 'GET', '/tokens/:token', 3);
const pricing = serving('pricing', 'GET', '/prices', 5);
const inventory: SimulatedRoute = {
  ...serving('inventory', 'GET', '/stock/:sku', 4),
  query: 'SELECT sku, units FROM stock WHERE sku = ?',
};
const catalog = serving('catalog', 'GET', '/products/:id', 6, inventory, pricing);
const ledger = serving('ledger', 'POST', '/entries', 7);
const fraud = serving('fraud', 'POST', '/scores', 11);
const payments = serving(
  'payments',
  'POST',
  '/payments',
  8,
  fraud,
  serving('bank-adapter', 'POST', '/charges', 24),
  ledger,
);
const shipping = serving('shipping', 'POST', '/parcels', 9);
const orders: SimulatedRoute = {
  ...serving('orders', 'POST', '/orders', 8, inventory, shipping, serving('notifications', 'POST', '/mails', 5)),
  query: 'INSERT INTO orders (id, customer, total) VALUES (?, ?, ?)',
};
const cart = serving('cart', 'GET', '/carts/:id', 4, pricing);
const checkout = serving('checkout', 'POST', '/checkouts', 9, cart, payments, orders);

/** Requests that the outside makes to a small online shop of sixteen services, with how often. */
export const SHOP: readonly (readonly [weight: number, route: SimulatedRoute])[] = [
  [5, serving('web', 'GET', '/products/:id', 3, auth, catalog)],
  [3, serving('web', 'GET', '/search', 3, serving('search', 'GET', '/query', 18, catalog))],
  [4, serving('web', 'POST', '/checkout', 4, auth, checkout)],
  [3, serving('mobile', 'GET', '/cart', 2, auth, cart)],
  [2, serving('mobile', 'POST', '/checkout', 3, auth, checkout)],
];

/** The bank stops answering: every checkout fails, and nothing above the adapter is to blame. */
export const BANK_TIMEOUT: SimulatedFailure = {
  service: 'bank-adapter',
  status: 504,
  error: 'the bank did not answer within 250 ms',
  slower: 10,
};

/** Numbers between 0 and 1 that are the same in every run (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Requests to a fleet, one trace each. */
export class SimulatedFleet {
  #lastSpan = 0;
  #lastTrace = 0;

  constructor(
    private readonly routes: readonly (readonly [weight: number, route: SimulatedRoute])[],
    private readonly random: () => number,
  ) {}

  /** Spans of one request. @param at - milliseconds since the epoch */
  request(at: number, failure?: SimulatedFailure): SpanRecord[] {
    return this.trace(this.#choose(), at, failure);
  }

  /** Spans of one request to a certain route. */
  trace(route: SimulatedRoute, at: number, failure?: SimulatedFailure): SpanRecord[] {
    const spans: SpanRecord[] = [];
    const trace = hex(0xf1ee7_0000 + ++this.#lastTrace, 32);
    this.#serve({ spans, trace, failure }, route, undefined, at, { order_id: String(4000 + this.#lastTrace) });
    return spans;
  }

  #serve(
    request: { readonly spans: SpanRecord[]; readonly trace: string; readonly failure: SimulatedFailure | undefined },
    route: SimulatedRoute,
    parent: string | undefined,
    at: number,
    tags: Readonly<Record<string, string>>,
  ): { readonly end: number; readonly failed: boolean } {
    const { failure, spans, trace } = request;
    const { service, method, route: pattern, work, calls = [], query } = route;
    const isOrigin = failure?.service === service;
    const span = this.#spanId();
    const place = spans.push({} as SpanRecord) - 1;
    let now = at + this.#vary(work * 0.4);
    if (query !== undefined) {
      const took = this.#vary(work * 0.3);
      spans.push(
        record(
          { trace, span: this.#spanId(), parent: span, service, kind: 'query', method: 'SQL', route: query },
          now,
          took,
        ),
      );
      now += took;
    }
    let failed = isOrigin;
    for (const call of calls) {
      // The network takes time too.
      const answer = this.#serve(request, call, span, now + this.#vary(0.6), tags);
      now = answer.end + this.#vary(0.6);
      failed ||= answer.failed;
      // A failed request makes no further calls.
      if (answer.failed) break;
    }
    now += this.#vary(work * 0.6) * (isOrigin ? (failure.slower ?? 1) : 1);
    const status = isOrigin ? failure.status : failed ? (parent === undefined ? 500 : 502) : 200;
    const error = isOrigin ? failure.error : failed ? `HTTP ${status}` : undefined;
    spans[place] = {
      ...record({ trace, span, parent, service, method, route: pattern }, at, now - at),
      status,
      ...(error !== undefined && { error }),
      tags: { ...tags, ...route.tags },
      header_names: ['accept', 'content-type', 'traceparent', 'user-agent'],
    };
    return { end: now, failed };
  }

  #choose(): SimulatedRoute {
    const total = this.routes.reduce((sum, [weight]) => sum + weight, 0);
    let left = this.random() * total;
    for (const [weight, route] of this.routes) {
      left -= weight;
      if (left < 0) return route;
    }
    return (this.routes.at(-1) as (typeof this.routes)[number])[1];
  }

  /** A random duration around a given one; now and then far longer. */
  #vary(ms: number): number {
    const tail = this.random() < 0.04 ? 3 : 1;
    return ms * (0.7 + this.random() * 0.6) * tail;
  }

  #spanId(): string {
    return hex(0xb_0000 + ++this.#lastSpan, 16);
  }
}

/** Heartbeats of services that are well. */
export function heartbeats(
  services: readonly string[],
  failing: Readonly<Record<string, number>> = {},
): readonly HeartbeatRecord[] {
  return services.map((service, at) => ({
    service,
    instance_id: `${service}-1`,
    version: `1.${at % 5}.0`,
    rps: 4 + ((at * 7) % 23),
    error_rate: failing[service] ?? 0,
  }));
}

/** Names of the services that routes go through, sorted. */
export function servicesOf(routes: readonly (readonly [number, SimulatedRoute])[]): readonly string[] {
  const names = new Set<string>();
  const visit = ({ service, calls = [] }: SimulatedRoute): void => {
    names.add(service);
    calls.forEach(visit);
  };
  for (const [, route] of routes) visit(route);
  return [...names].sort();
}

/** Routes through a fleet of many services in four tiers; each calls a few of the next tier. */
export function largeFleet(count: number): readonly (readonly [number, SimulatedRoute])[] {
  const borders = [0, 0.04, 0.24, 0.6, 1].map((share) => Math.ceil(share * count));
  const below = (tier: number, at: number, salt: number): SimulatedRoute => {
    const [first, end] = [borders[tier] as number, borders[tier + 1] as number];
    const index = first + (at % (end - first));
    return {
      service: `service-${String(index).padStart(3, '0')}`,
      method: 'GET',
      route: `/things/${index % 7}`,
      work: 2 + (index % 9),
      calls: tier === 3 ? [] : [0, 1].map((nth) => below(tier + 1, index * 5 + nth * 3 + salt, salt)),
    };
  };
  return Array.from({ length: count }, (_, at) => [1, below(0, at, at % 7)] as const);
}

function record(
  {
    trace,
    span,
    parent,
    service,
    method,
    route,
    kind,
  }: {
    readonly trace: string;
    readonly span: string;
    readonly parent: string | undefined;
    readonly service: string;
    readonly method: string;
    readonly route: string;
    readonly kind?: SpanRecord['kind'];
  },
  at: number,
  took: number,
): SpanRecord {
  return {
    trace_id: trace,
    span_id: span,
    ...(parent !== undefined && { parent_span_id: parent }),
    service,
    method,
    route,
    status: kind === undefined ? 200 : 0,
    start_ns: String(BigInt(Math.round(at * 1000)) * 1000n),
    duration_ms: Math.round(took * 1000) / 1000,
    ...(kind !== undefined && { kind }),
  };
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
