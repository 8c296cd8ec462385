import type { CatalogEntry } from '../../../kernel/contracts/fleet-wire.js';
import { byText } from '../../../kernel/values/index.js';
import type { Aggregator } from './aggregator.js';
import type { ServiceRoute } from './topology.js';

/** Every route that was asked for within the retention window, sorted; the same requests and the same time as in the topology. */
export function catalogOf(aggregator: Aggregator): readonly CatalogEntry[] {
  const now = aggregator.now();
  return [...aggregator.graph.routes.entries()]
    .sort(([a], [b]) => byText(a, b))
    .flatMap(([, route]) => entryOf(aggregator, route, now) ?? []);
}

function entryOf(aggregator: Aggregator, route: ServiceRoute, now: number): CatalogEntry | undefined {
  const { service, method, route: pattern, traffic } = route;
  const { calls, errors, error_rate, p50_ms, p95_ms } = traffic.summary(now);
  if (calls === 0) return undefined;
  const documented = aggregator.contracts?.describes(service, method, pattern);
  return {
    service, method, route: pattern, calls, errors, error_rate, p50_ms, p95_ms,
    ...(aggregator.graph.isEstimated(route, now) && { estimated: true }),
    schema_known: documented !== undefined, documented: documented ?? false,
  }; // prettier-ignore
}
