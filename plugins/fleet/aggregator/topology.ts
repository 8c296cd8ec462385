import type { HeartbeatRecord, Topology, TopologyEdge, TopologyNode } from '../../../kernel/contracts/fleet-wire.js';
import { BoundedMap } from './bounded-map.js';
import type { AggregatorSettings } from './options.js';
import type { StoredSpan } from './stored-span.js';
import { Traffic } from './traffic.js';

/** The parts of a span that count. */
type Observed = Pick<StoredSpan, 'durationMs' | 'failed' | 'weight'>;

/** A service as the search for affected ones sees it. */
export class ServiceNode {
  /** As its spans tell. */
  readonly recorded: Traffic;
  /** As its heartbeats tell. */
  readonly #counted: Traffic;
  #uncountedAt = -Infinity;
  isEntry = false;
  lastSeen = 0;

  constructor(
    readonly service: string,
    private readonly spans: { readonly retention: number; readonly rate: number },
  ) {
    this.recorded = new Traffic(spans);
    this.#counted = new Traffic(spans);
  }

  /** Takes what a heartbeat of one of its instances tells about requests. */
  heard({ durations, errors = 0 }: Pick<HeartbeatRecord, 'durations' | 'errors'>, now: number): void {
    if (durations === undefined) this.#uncountedAt = now;
    else this.#counted.count(durations, errors, now);
  }

  /**
   * Its requests. Spans are the newest word on them, and exact where each request left one. Where some did not (sampling, a caller that
   * left the trace out, a full buffer), the counts of heartbeats are exact and spans would be a guess: a failure is always recorded, and a
   * few successes stand for many. An instance that does not count its requests makes the counts of the others useless.
   */
  traffic(now: number): Traffic {
    if (now - this.#uncountedAt <= this.spans.retention) return this.recorded;
    const [seen, told] = [this.recorded.extent(now), this.#counted.extent(now)];
    return told.calls > 0 && (seen.isEstimated || told.calls > seen.calls) ? this.#counted : this.recorded;
  }
}

/** A pair of caller and callee. */
export class ServiceEdge {
  readonly traffic: Traffic;
  lastSeen = 0;

  constructor(
    readonly caller: string,
    readonly callee: string,
    spans: { readonly retention: number; readonly rate: number },
  ) {
    this.traffic = new Traffic(spans);
  }
}

type Settings = Pick<AggregatorSettings, 'maxServices' | 'maxEdges' | 'traceTTL' | 'blastRadiusWindow'>;

/** Graph of the calls between services, with counts, durations and error rates. */
export class TopologyGraph {
  readonly nodes: BoundedMap<ServiceNode>;
  readonly edges: BoundedMap<ServiceEdge>;
  readonly #spans: { readonly retention: number; readonly rate: number };

  constructor(private readonly settings: Settings) {
    this.nodes = new BoundedMap(settings.maxServices);
    this.edges = new BoundedMap(settings.maxEdges);
    this.#spans = { retention: settings.traceTTL, rate: settings.blastRadiusWindow };
  }

  /** Counts a request that a service answered. */
  observe(service: string, { durationMs, failed, weight }: Observed, isEntry: boolean, now: number): void {
    if (service === '') return;
    const node = this.#node(service, now);
    if (isEntry) node.isEntry = true;
    node.recorded.observe(durationMs, failed, now, weight);
  }

  /** Takes what a heartbeat tells about requests. One without any makes no node, and keeps none alive. */
  heard(heartbeat: HeartbeatRecord, now: number): void {
    const { service, durations } = heartbeat;
    const node = durations?.length ? this.#node(service, now) : this.nodes.get(service);
    node?.heard(heartbeat, now);
  }

  /** Counts a call between two services. A service that calls itself draws no edge. */
  observeCall(caller: string, callee: string, { durationMs, failed, weight }: Observed, now: number): void {
    if (caller === '' || callee === '' || caller === callee) return;
    this.#node(caller, now);
    const key = `${caller}\0${callee}`;
    let edge = this.edges.get(key);
    if (edge === undefined) this.edges.set(key, (edge = new ServiceEdge(caller, callee, this.#spans)));
    edge.lastSeen = now;
    edge.traffic.observe(durationMs, failed, now, weight);
  }

  /** Forgets what was not seen for twice the retention window. @returns how many nodes and edges */
  sweep(now: number): number {
    const isStale = ({ lastSeen }: { readonly lastSeen: number }) => now - lastSeen > 2 * this.settings.traceTTL;
    return this.nodes.removeIf(isStale) + this.edges.removeIf(isStale);
  }

  /** The graph with its numbers. */
  snapshot(now: number): Topology {
    const nodes = [...this.nodes.values()]
      .map((node) => nodeView(node, now))
      .sort((a, b) => order(a.service, b.service));
    const edges = [...this.edges.values()]
      .map((edge) => edgeView(edge, now))
      .sort((a, b) => order(a.caller, b.caller) || order(a.callee, b.callee));
    return { nodes, edges };
  }

  #node(service: string, now: number): ServiceNode {
    let node = this.nodes.get(service);
    if (node === undefined) this.nodes.set(service, (node = new ServiceNode(service, this.#spans)));
    node.lastSeen = now;
    return node;
  }
}

function nodeView(node: ServiceNode, now: number): TopologyNode {
  const { service, isEntry, lastSeen } = node;
  return {
    service,
    ...node.traffic(now).summary(now),
    ...(isEntry && { entry: true }),
    last_seen_unix: Math.floor(lastSeen / 1000),
  };
}

function edgeView({ caller, callee, traffic, lastSeen }: ServiceEdge, now: number): TopologyEdge {
  return { caller, callee, ...traffic.summary(now), last_seen_unix: Math.floor(lastSeen / 1000) };
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
