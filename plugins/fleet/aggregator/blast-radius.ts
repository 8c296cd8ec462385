import type { AffectedService, BlastRadius } from '../../../kernel/contracts/fleet-wire.js';
import { counted } from './counted.js';
import type { AggregatorSettings } from './options.js';
import type { ServiceEdge, TopologyGraph } from './topology.js';

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
    const { calls, errorRate } = node.traffic(now).recent(now);
    if (calls < MIN_CALLS || errorRate < settings.blastRadiusErrorRateThreshold) continue;
    const affected = affectedBy(service, callers, graph, now);
    const banner = bannerOf(service, errorRate, affected);
    radii.push({ service, error_rate: errorRate, calls, affected, banner, computed_unix: Math.floor(now / 1000) });
  }
  return radii.sort(
    (a, b) => b.affected.length - a.affected.length || b.error_rate - a.error_rate || (a.service < b.service ? -1 : 1),
  );
}

type Callers = ReadonlyMap<string, readonly ServiceEdge[]>;

function callersByCallee(graph: TopologyGraph, { traceTTL }: Settings, now: number): Callers {
  const callers = new Map<string, ServiceEdge[]>();
  for (const edge of graph.edges.values()) {
    if (!edge.isShown || now - edge.lastSeen > traceTTL) continue;
    const known = callers.get(edge.callee);
    if (known) known.push(edge);
    else callers.set(edge.callee, [edge]);
  }
  return callers;
}

function affectedBy(origin: string, callers: Callers, graph: TopologyGraph, now: number): readonly AffectedService[] {
  const affected: AffectedService[] = [];
  const visited = new Set([origin]);
  let ring = [origin];
  for (let hops = 1; ring.length > 0; hops++) {
    const reached = ring.flatMap((via) => (callers.get(via) ?? []).map((edge) => ({ via, edge })));
    // Sorted by name, so that the chosen path to a service does not depend on the order in which services were seen.
    reached.sort((a, b) =>
      a.edge.caller < b.edge.caller ? -1 : a.edge.caller > b.edge.caller ? 1 : a.via < b.via ? -1 : 1,
    );
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
    (a, b) => a.hops - b.hops || b.attributed_share - a.attributed_share || (a.service < b.service ? -1 : 1),
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

function bannerOf(service: string, errorRate: number, affected: readonly AffectedService[]): string {
  const failing = `⚠ ${service} fails ${Math.round(errorRate * 100)} % of its requests`;
  if (affected.length === 0) return `${failing}; no other service is affected`;
  return `${failing}; ${counted(affected.length, 'service')} affected: ${affected.map((each) => each.service).join(', ')}`;
}
