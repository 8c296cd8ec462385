// Heap that a kept span costs: `node --expose-gc retained.mjs` fills an aggregator to its cap and prints bytes per span.
import { Aggregator, aggregatorDefaults, settingsOf } from '../../../dist/plugins/fleet/aggregator/index.js';
import { spansOf } from './span-batches.mjs';

const SIZE = 200;
const now = 1_750_000_000_000;
const settings = { ...settingsOf(aggregatorDefaults()), maxTraces: 100_000 };
const made = () =>
  new Aggregator(settings, { clock: { now: () => now, monotonic: () => now }, fetchDocument: Promise.reject });
const fill = (aggregator, from) => {
  // From text, as they come: a parsed string is not a literal of this program.
  for (let batch = 0; batch < settings.maxSpans / SIZE; batch++)
    aggregator.acceptSpans(JSON.parse(JSON.stringify(spansOf(from + batch, SIZE, now))));
};
const heapUsed = () => {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
};

// The first one is for compiled code and the like, which is not the spans' fault.
const first = made();
fill(first, 1_000_000);
const before = heapUsed();
const aggregator = made();
fill(aggregator, 0);
const bytes = heapUsed() - before;
const { spans, spans_accepted: accepted } = aggregator.stats();
if (spans !== settings.maxSpans || accepted !== spans || first.stats().spans !== spans)
  throw new Error(`kept ${spans} of ${accepted} spans`);
process.send?.({ bytesPerSpan: bytes / spans });
