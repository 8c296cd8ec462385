import type { CatalogEntry } from '../../../kernel/contracts/fleet-wire.js';
import type { Aggregator } from './aggregator.js';

/** Rows of the catalog. */
const MAX_ROWS = 2_000;

interface Row {
  readonly service: string;
  readonly method: string;
  readonly route: string;
  readonly durations: number[];
  errors: number;
}

/** Every route that the kept traces went through, sorted; the first rows when there are too many. */
export function catalogOf(aggregator: Aggregator): readonly CatalogEntry[] {
  const rows = new Map<string, Row>();
  for (const { spans } of aggregator.store.traces()) {
    for (const { service, method, route, kind, durationMs, failed } of spans) {
      if (kind !== 'server') continue;
      const key = `${service}\0${route}\0${method}`;
      let row = rows.get(key);
      if (row === undefined) {
        if (rows.size >= MAX_ROWS) continue;
        rows.set(key, (row = { service, method, route, durations: [], errors: 0 }));
      }
      row.durations.push(durationMs);
      if (failed) row.errors++;
    }
  }
  return [...rows.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => entryOf(aggregator, row));
}

function entryOf(aggregator: Aggregator, { service, method, route, durations, errors }: Row): CatalogEntry {
  const sorted = durations.sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] as number;
  const documented = aggregator.contracts?.describes(service, method, route);
  return {
    service, method, route, calls: sorted.length, errors, error_rate: errors / sorted.length,
    p50_ms: at(0.5), p95_ms: at(0.95), schema_known: documented !== undefined, documented: documented ?? false,
  }; // prettier-ignore
}
