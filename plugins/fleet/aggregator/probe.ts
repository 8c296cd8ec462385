import { degraded, off, ok, type Probe } from '../../../kernel/index.js';
import type { AggregatorRuntime } from './aggregator-runtime.js';
import { counted } from './counted.js';

/** State of the aggregator, with every cap, fill and loss. */
export function aggregatorProbe(runtime: () => AggregatorRuntime | undefined): Probe {
  return () => {
    const active = runtime();
    if (active === undefined) return off('The aggregator is not started.');
    const stats = active.aggregator.stats();
    const detail = { ...stats, ...active.intakes() };
    const failing = active.aggregator.incidents().filter(({ state }) => state === 'open');
    const notes = failing.map(({ banner }) => banner);
    const traces = `${counted(stats.traces, 'trace')} of ${counted(stats.services, 'service')}`;
    const summary = `${traces}, ${stats.spans} of at most ${counted(stats.max_spans, 'span')}.`;
    const isLosing = stats.spans_dropped + stats.spans_rejected > 0;
    return isLosing
      ? degraded(`${summary} Some spans were lost: see spans_dropped and spans_rejected.`, { detail, notes })
      : ok(summary, { detail, notes });
  };
}
