import type { HeartbeatRecord, Topology, TopologyEdge, TopologyNode } from '../../../kernel/contracts/fleet-wire.js';
import { BoundedMap } from '../../../kernel/bounded/index.js';
import { byText } from '../../../kernel/values/index.js';
import type { AggregatorSettings } from './options.js';
import type { StoredSpan } from './stored-span.js';
import { type Rate, RecentRate } from './recent-rate.js';
import { Traffic } from './traffic.js';

/** Routes of all services that are counted; then those seen longest ago go. */
const MAX_ROUTES = 2_000;

/** The parts of a span that count. */
type Observed = Pick<StoredSpan, 'durationMs' | 'failed' | 'weight'>;
/** What a request was for. */
type Route = Pick<StoredSpan, 'method' | 'route'>;

/** Lengths of the retention window and of the rate window, in milliseconds. */
interface Windows {
  readonly retention: number;
  readonly rate: number;
}

/** Requests as spans tell them, and as heartbeats do. */
class Requests {
  readonly recorded: Traffic;
  readonly counted: Traffic;

  constructor(private readonly windows: Windows) {
    this.recorded = new Traffic(windows);
    this.counted = new Traffic(windows);
  }

  /**
   * Spans are the newest word on requests, and exact where each left one. Where some did not (sampling, a caller that left the trace out, a
   * full buffer), the counts of heartbeats are exact and spans would be a guess: a failure is always recorded, and a few successes stand
   * for many. An instance that does not count makes the counts of the others useless.
   *
   * @param uncountedAt - when an instance last sent a heartbeat without counts
   */
  told(uncountedAt: number, now: number): Traffic {
    if (now - uncountedAt <= this.windows.retention) return this.recorded;
    const [seen, told] = [this.recorded.extent(now), this.counted.extent(now)];
    return told.calls > 0 && (seen.isEstimated || told.calls > seen.calls) ? this.counted : this.recorded;
  }
}

/** Kinds of messages and jobs of one service that are counted apart: a consumer that only fails may be one of many. */
const MAX_OPERATIONS = 32;

/** Messages that a service handled, and jobs that it ran. */
class Work {
  readonly all: Traffic;
  readonly #operations = new BoundedMap<string, RecentRate>(MAX_OPERATIONS);

  constructor(private readonly windows: Windows) {
    this.all = new Traffic(windows);
  }

  observe(operation: string, { durationMs, failed, weight }: Observed, now: number): void {
    this.all.observe(durationMs, failed, now, weight);
    const rate = this.#operations.use(operation, () => new RecentRate(this.windows.rate));
    rate.count(weight, failed ? weight : 0, now);
  }

  /** All of it, and each kind of it. */
  rates(now: number): readonly Rate[] {
    return [this.all.recent(now), ...this.#operations.values().map((rate) => rate.at(now))];
  }
}

/** A service as the search for affected ones sees it. */
export class ServiceNode {
  readonly requests: Requests;
  /** What it did without a request above; undefined for a service that only answers requests. */
  work: Work | undefined;
  #uncountedAt = -Infinity;
  /** When one of its instances last did not count requests by caller. */
  callersUncountedAt = -Infinity;
  isEntry = false;
  lastSeen = 0;

  constructor(
    readonly service: string,
    private readonly windows: Windows,
  ) {
    this.requests = new Requests(windows);
  }

  /** Counts a message that it handled, or a job that it ran. */
  worked(operation: string, observed: Observed, now: number): void {
    this.work ??= new Work(this.windows);
    this.work.observe(operation, observed, now);
  }

  /** Takes what a heartbeat of one of its instances tells about requests. */
  heard({ durations, errors = 0, callers }: HeartbeatRecord, now: number): void {
    if (durations === undefined) this.#uncountedAt = now;
    else this.requests.counted.count(durations, errors, now);
    if (callers === undefined) this.callersUncountedAt = now;
  }

  /** Its requests. */
  traffic(now: number): Traffic {
    return this.requests.told(this.#uncountedAt, now);
  }
}

/** A route of a service. */
export class ServiceRoute {
  readonly traffic: Traffic;

  constructor(
    readonly service: string,
    readonly method: string,
    readonly route: string,
    windows: Windows,
  ) {
    this.traffic = new Traffic(windows);
  }

  get lastSeen(): number {
    return this.traffic.lastSeen;
  }

  set lastSeen(at: number) {
    this.traffic.lastSeen = at;
  }
}

/** A pair of caller and callee. */
export class ServiceEdge {
  readonly requests: Requests;
  lastSeen = 0;

  constructor(
    readonly caller: string,
    readonly callee: string,
    windows: Windows,
  ) {
    this.requests = new Requests(windows);
  }

  /**
   * Whether a trace has shown a call. Until then there are only the counts of the callee, who has the name of the caller from a header that
   * anybody can write: they say how many calls there were, not that there is such a caller.
   */
  get isShown(): boolean {
    return this.requests.recorded.lastSeen > 0;
  }
}

type Settings = Pick<AggregatorSettings, 'maxServices' | 'maxEdges' | 'traceTTL' | 'blastRadiusWindow'>;

/** Graph of the calls between services, with counts, durations and error rates. */
export class TopologyGraph {
  readonly nodes: BoundedMap<string, ServiceNode>;
  readonly edges: BoundedMap<string, ServiceEdge>;
  /** By service, route and method. */
  readonly routes = new BoundedMap<string, ServiceRoute>(MAX_ROUTES);
  readonly #windows: Windows;

  constructor(private readonly settings: Settings) {
    this.nodes = new BoundedMap(settings.maxServices);
    this.edges = new BoundedMap(settings.maxEdges);
    this.#windows = { retention: settings.traceTTL, rate: settings.blastRadiusWindow };
  }

  /** Counts a request that a service answered. */
  observe(service: string, span: Observed & Route, isEntry: boolean, now: number): void {
    if (service === '') return;
    const { durationMs, failed, weight, method, route } = span;
    const made = () => new ServiceRoute(service, method, route, this.#windows);
    this.routes.use(`${service}\0${route}\0${method}`, made).traffic.observe(durationMs, failed, now, weight);
    const node = this.#node(service, now);
    if (isEntry) node.isEntry = true;
    node.requests.recorded.observe(durationMs, failed, now, weight);
  }

  /** Counts a message that a service handled, or a job that it ran. */
  observeWork(service: string, operation: string, observed: Observed, now: number): void {
    if (service !== '') this.#node(service, now).worked(operation, observed, now);
  }

  /**
   * Takes what a heartbeat tells about requests. One without any makes no node, and keeps none alive.
   * @param isService - whether a service of a name has sent heartbeats; other callers are a stranger's words
   */
  heard(heartbeat: HeartbeatRecord, now: number, isService: (name: string) => boolean): void {
    const { service, durations, callers = [] } = heartbeat;
    const node = durations?.length ? this.#node(service, now) : this.nodes.get(service);
    node?.heard(heartbeat, now);
    for (const { service: caller, durations, errors } of callers) {
      if (caller === service || !isService(caller)) continue;
      this.#edge(caller, service, now).requests.counted.count(durations, errors, now);
    }
  }

  /** Counts a call between two services. A service that calls itself draws no edge. */
  observeCall(caller: string, callee: string, { durationMs, failed, weight }: Observed, now: number): void {
    if (caller === '' || callee === '' || caller === callee) return;
    this.#node(caller, now);
    this.#edge(caller, callee, now).requests.recorded.observe(durationMs, failed, now, weight);
  }

  /** The calls of an edge. */
  trafficOver({ callee, requests }: ServiceEdge, now: number): Traffic {
    return requests.told(this.nodes.get(callee)?.callersUncountedAt ?? -Infinity, now);
  }

  /**
   * Whether the numbers of a route are inferred: from spans that stand for others, or of which only some left one. Services count all of
   * their requests, and not by route.
   */
  isEstimated({ service, traffic }: ServiceRoute, now: number): boolean {
    const node = this.nodes.get(service);
    return traffic.extent(now).isEstimated || node?.traffic(now) === node?.requests.counted;
  }

  /** Forgets what was not seen for twice the retention window. */
  sweep(now: number): void {
    const isStale = (seen: { lastSeen: number }) => {
      // In the future it was before the clock was set back: its time begins anew.
      seen.lastSeen = Math.min(seen.lastSeen, now);
      return now - seen.lastSeen > 2 * this.settings.traceTTL;
    };
    for (const each of [this.nodes, this.edges, this.routes]) each.removeIf(isStale);
  }

  /** The graph with its numbers. */
  snapshot(now: number): Topology {
    const shown = [...this.edges.values()].filter(({ isShown }) => isShown);
    const called = new Set(shown.map(({ callee }) => callee));
    const nodes = [...this.nodes.values()]
      .map((node) => nodeView(node, called.has(node.service), now))
      .sort((a, b) => byText(a.service, b.service));
    const edges = shown
      .map((edge) => edgeView(edge, this.trafficOver(edge, now), now))
      .sort((a, b) => byText(a.caller, b.caller) || byText(a.callee, b.callee));
    return { nodes, edges, window_ms: this.settings.traceTTL };
  }

  #node(service: string, now: number): ServiceNode {
    let node = this.nodes.get(service);
    if (node === undefined) this.nodes.set(service, (node = new ServiceNode(service, this.#windows)));
    node.lastSeen = now;
    return node;
  }

  #edge(caller: string, callee: string, now: number): ServiceEdge {
    const key = `${caller}\0${callee}`;
    let edge = this.edges.get(key);
    if (edge === undefined) this.edges.set(key, (edge = new ServiceEdge(caller, callee, this.#windows)));
    edge.lastSeen = now;
    return edge;
  }
}

function nodeView(node: ServiceNode, isCalled: boolean, now: number): TopologyNode {
  const { service, isEntry, lastSeen, work } = node;
  const requests = node.traffic(now).summary(now);
  return {
    service,
    ...requests,
    // A balancer or a browser in front of it may begin traces whose first span nobody gets.
    ...((isEntry || (requests.calls > 0 && !isCalled)) && { entry: true }),
    ...(work && { work: work.all.summary(now) }),
    last_seen_unix: Math.floor(lastSeen / 1000),
  };
}

function edgeView({ caller, callee, lastSeen }: ServiceEdge, traffic: Traffic, now: number): TopologyEdge {
  return { caller, callee, ...traffic.summary(now), last_seen_unix: Math.floor(lastSeen / 1000) };
}
