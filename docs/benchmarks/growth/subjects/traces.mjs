import { Aggregator, aggregatorDefaults, settingsOf } from '../../../../dist/plugins/fleet/aggregator/index.js';
import { spansOf } from '../../fleet/span-batches.mjs';

const SPANS = 5;
const BATCH = 200;

/**
 * An aggregator that holds so many traces of five spans, a few of each hundred failed, and goes on to get others.
 *
 * @param {number} size
 */
export function open(size) {
  const bounds = { maxTraces: size, maxSpans: size * SPANS, maxTags: size * SPANS * 4, traceTTL: '1d' };
  // Within the window in which incidents look for causes.
  let now = 1_750_000_000_000;
  const clock = { now: () => now, monotonic: () => now };
  const aggregator = new Aggregator(settingsOf({ ...aggregatorDefaults(), ...bounds, contractValidation: false }), {
    clock,
    fetchDocument: () => Promise.reject(new Error('no network')),
  });
  let batch = 0;
  const accept = () => {
    now += 10;
    // From text, as spans come: a parsed string is not a literal of this program.
    aggregator.acceptSpans(JSON.parse(JSON.stringify(spansOf(batch++, BATCH, now))));
  };
  while (batch * BATCH < size * SPANS) accept();
  if (aggregator.stats().traces !== size) throw new Error(`${aggregator.stats().traces} traces are held`);
  let read = 0;
  // Each trace once: the second read of one comes from memory.
  const id = () => `c${(batch * (BATCH / SPANS) - 1 - (read++ % size)).toString(16).padStart(31, '0')}`;
  return {
    operations: {
      'a batch of 200 spans': accept,
      // As a viewer meets them: spans come between two reads.
      'a batch, and the newest 100 traces': () => [accept(), aggregator.traces({})],
      'a batch, and the newest 100 with an error': () => [accept(), aggregator.traces({ status: 'error' })],
      'a trace by its tag': () => aggregator.traces({ tag: { key: 'order_id', value: String(batch * 40 - 7) } }),
      'a trace, its tree and its root cause': () => aggregator.trace(id()),
      'the graph': () => aggregator.topology(),
      'a batch, and the incidents with their causes': () => [accept(), aggregator.incidents()],
    },
  };
}
