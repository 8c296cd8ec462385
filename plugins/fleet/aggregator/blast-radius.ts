import type { AffectedService, BlastRadius } from '../../../kernel/contracts/fleet-wire.js';
import { byText, grouped, mostBy } from '../../../kernel/values/index.js';
import { counted } from './counted.js';
import type { AggregatorSettings } from './options.js';
import type { Rate } from './recent-rate.js';
import type { ServiceEdge, ServiceNode, TopologyGraph } from './topology.js';

/** Calls in the window below which an error rate says too little. */
const MIN_CALLS = 10;

type Settings = Pick<AggregatorSettings, 'blastRadiusErrorRateThreshold' | 'traceTTL'>;

/**
 * Every service whose recent error rate reaches the threshold, with the callers that fail because of it. Failure travels from callee to
 * caller, so the search follows callers; it stops at a caller that does not fail.
 */
export function blastRadii(graph: TopologyGraph, settings: Settings, now: number): readonly BlastRadius[] {
  const callers = callersByCallee(graph, settings, now);
  const radii: BlastRadius[] = [];
  for (const node of graph.nodes.values()) {
    const { service } = node;
    const failing = failingOf(node, settings, now);
    if (failing === undefined) continue;
    const affected = affectedBy(service, callers, graph, now);
    const banner = bannerOf(service, failing, affected);
    radii.push({ service, ...failing, affected, banner, computed_unix: Math.floor(now / 1000) });
  }
  return radii.sort(
    (a, b) => b.affected.length - a.affected.length || b.error_rate - a.error_rate || byText(a.service, b.service),
  );
}

type Failing = Pick<BlastRadius, 'fails' | 'error_rate' | 'calls'>;

// Messages and jobs are counted beside requests, and each kind of them for itself: a consumer that only fails would be lost among requests
// that go well.
function failingOf(node: ServiceNode, settings: Settings, now: number): Failing | undefined {
  const isFailing = ({ calls, errorRate }: Rate) =>
    calls >= MIN_CALLS && errorRate >= settings.blastRadiusErrorRateThreshold;
  const told = (fails: Failing['fails'], rate: Rate | undefined) =>
    rate && { fails, error_rate: rate.errorRate, calls: rate.calls };
  const requests = node.traffic(now).recent(now);
  return isFailing(requests)
    ? told('requests', requests)
    : told(
        'work',
        mostBy((node.work?.rates(now) ?? []).filter(isFailing), ({ errorRate }) => errorRate),
      );
}

type Callers = ReadonlyMap<string, readonly ServiceEdge[]>;

function callersByCallee(graph: TopologyGraph, { traceTTL }: Settings, now: number): Callers {
  const edges = graph.edges.values().filter(({ isShown, lastSeen }) => isShown && now - lastSeen <= traceTTL);
  return grouped(edges, ({ callee }) => callee);
}

function affectedBy(origin: string, callers: Callers, graph: TopologyGraph, now: number): readonly AffectedService[] {
  const affected: AffectedService[] = [];
  const visited = new Set([origin]);
  let ring = [origin];
  for (let hops = 1; ring.length > 0; hops++) {
    const reached = ring.flatMap((via) => (callers.get(via) ?? []).map((edge) => ({ via, edge })));
    // Sorted by name, so that the chosen path to a service does not depend on the order in which services were seen.
    reached.sort((a, b) => byText(a.edge.caller, b.edge.caller) || byText(a.via, b.via));
    ring = [];
    for (const { via, edge } of reached) {
      if (visited.has(edge.caller)) continue;
      const hit = impactOf(edge, graph, now);
      if (hit === undefined) continue;
      visited.add(edge.caller);
      ring.push(edge.caller);
      affected.push({ service: edge.caller, hops, ...hit, ...(via !== origin && { via }) });
    }
  }
  return affected.sort(
    (a, b) => a.hops - b.hops || b.attributed_share - a.attributed_share || byText(a.service, b.service),
  );
}

function impactOf(edge: ServiceEdge, graph: TopologyGraph, now: number) {
  const overEdge = graph.trafficOver(edge, now).recent(now);
  const ownRate = graph.nodes.get(edge.caller)?.traffic(now).recent(now).errorRate ?? 0;
  // Whoever is answered without failure is not affected, whatever else fails him.
  if (ownRate === 0 || overEdge.calls === 0 || overEdge.errorRate === 0) return undefined;
  return {
    dependency_error_rate: overEdge.errorRate,
    attributed_share: Math.min(overEdge.errorRate, ownRate),
  };
}

function bannerOf(service: string, { fails, error_rate: rate }: Failing, affected: readonly AffectedService[]): string {
  const what = fails === 'requests' ? 'requests' : 'messages and jobs';
  const failing = `⚠ ${service} fails ${Math.round(rate * 100)} % of its ${what}`;
  if (affected.length === 0) return `${failing}; no other service is affected`;
  return `${failing}; ${counted(affected.length, 'service')} affected: ${affected.map((each) => each.service).join(', ')}`;
}
