import { degraded, off, ok, type Probe } from '../../../kernel/index.js';
import { inWords } from '../contracts/index.js';
import type { AggregatorRuntime } from './aggregator-runtime.js';
import { counted } from './counted.js';

/** Bodies that were not checked which the report names; the API names more. */
const MOST_NOTES = 10;

/** State of the aggregator, with every cap, fill and loss. */
export function aggregatorProbe(runtime: () => AggregatorRuntime | undefined): Probe {
  return () => {
    const active = runtime();
    if (active === undefined) return off('The aggregator is not started.');
    const stats = active.aggregator.stats();
    const detail = { ...stats, ...active.intakes() };
    const failing = active.aggregator.incidents().filter(({ state }) => state === 'open');
    const unchecked = (stats.contracts.not_checked ?? [])
      .slice(0, MOST_NOTES)
      .map((each) => `Not checked: ${inWords(each)}.`);
    const notes = [...failing.map(({ banner }) => banner), ...unchecked];
    const traces = `${counted(stats.traces, 'trace')} of ${counted(stats.services, 'service')}`;
    const summary = `${traces}, ${stats.spans} of at most ${counted(stats.max_spans, 'span')}.`;
    const isLosing = stats.spans_dropped + stats.spans_rejected > 0;
    if (isLosing) {
      return degraded(`${summary} Some spans were lost: see spans_dropped and spans_rejected.`, { detail, notes });
    }
    if (unchecked.length > 0) return degraded(`${summary} Some bodies were not checked: see notes.`, { detail, notes });
    return ok(summary, { detail, notes });
  };
}
