import { degraded, off, ok, type Probe } from '../../../kernel/index.js';
import type { AggregatorRuntime } from './aggregator-runtime.js';

/** State of the aggregator, with every cap, fill and loss. */
export function aggregatorProbe(runtime: () => AggregatorRuntime | undefined): Probe {
  return () => {
    const active = runtime();
    if (active === undefined) return off('The aggregator is not started.');
    const stats = active.aggregator.stats();
    const detail = { ...stats, ...active.intakes() };
    const failing = active.aggregator.incidents().filter(({ state }) => state === 'open');
    const notes = failing.map(({ banner }) => banner);
    const summary = `${stats.traces} traces of ${stats.services} services, ${stats.spans} of at most ${stats.max_spans} spans.`;
    const isLosing = stats.spans_dropped + stats.spans_rejected > 0;
    return isLosing
      ? degraded(`${summary} Some spans were lost: see spans_dropped and spans_rejected.`, { detail, notes })
      : ok(summary, { detail, notes });
  };
}
