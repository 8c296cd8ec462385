import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { EPOCH_MS, span } from '../../../kernel/testing/fleet-spans.js';
import { systemClock } from '../../../kernel/index.js';
import { Aggregator } from './aggregator.js';
import { aggregatorDefaults, settingsOf } from './options.js';

const REQUESTS = 10_000;

/** Between 0 and 1, the same in every run. */
const chance = (of: string, at: number) => createHash('md5').update(`${of} ${at}`).digest().readUInt32BE() / 2 ** 32;

/** Requests of which three in a hundred fail at the callee, and half of those at the caller; times are spread over two orders. */
const TRUTH = Array.from({ length: REQUESTS }, (_, at) => {
  const failed = chance('fails', at) < 0.03;
  return { at, took: 2 + Math.exp(chance('took', at) * 5), failed, above: failed && chance('above', at) < 0.5 };
});
const quantile = (share: number) => TRUTH.map(({ took }) => took).sort((a, b) => a - b)[share * REQUESTS] as number;

/** What the graph says of the callee when a share of the traces is recorded, and of the others what failed. */
function shown(share: number) {
  let now = EPOCH_MS;
  const clock = { ...systemClock, now: () => now };
  const aggregator = new Aggregator(settingsOf(aggregatorDefaults()), {
    clock,
    fetchDocument: () => Promise.reject(new Error('none')),
  });
  for (const { at, took, failed, above } of TRUTH) {
    now = EPOCH_MS + at * 5;
    const isRecorded = chance('recorded', at) < share;
    const of = (fails: boolean) => ({
      trace: at + 1,
      start: at * 5,
      probability: share,
      ...(fails && { status: 500, error: 'HTTP 500' }),
    });
    const spans = [
      ...(isRecorded || above ? [span({ id: 1, service: 'web', duration_ms: took + 1, ...of(above) })] : []),
      ...(isRecorded || failed
        ? [
            span({ id: 2, parent: 1, kind: 'client', service: 'web', duration_ms: took, ...of(failed) }),
            span({ id: 3, parent: 2, service: 'orders', duration_ms: took, ...of(failed) }),
          ]
        : []),
    ];
    if (spans.length > 0) aggregator.acceptSpans(spans);
  }
  return aggregator.topology();
}

const off = (said: number | undefined, truth: number) => Math.abs((said ?? 0) / truth - 1);

// What a sample of that size can tell: counts vary by sqrt((1 - share) / (share * requests)), the histogram by 5 %.
test.each([
  [1, 0, 0.05],
  [0.25, 0.04, 0.08],
  [0.05, 0.1, 0.2],
])('the numbers of %d of the traces are those of all requests', (share, counts, times) => {
  const { nodes, edges } = shown(share);
  const orders = nodes.find(({ service }) => service === 'orders');
  const web = nodes.find(({ service }) => service === 'web');
  const failures = TRUTH.filter(({ failed }) => failed).length;
  expect([orders?.errors, web?.errors]).toEqual([failures, TRUTH.filter(({ above }) => above).length]);
  for (const said of [orders?.calls, web?.calls]) expect(off(said, REQUESTS)).toBeLessThanOrEqual(counts);
  expect(off(orders?.error_rate, failures / REQUESTS)).toBeLessThanOrEqual(counts * 1.2);
  expect(off(orders?.p50_ms, quantile(0.5))).toBeLessThanOrEqual(times);
  expect(off(orders?.p95_ms, quantile(0.95))).toBeLessThanOrEqual(times);
  expect(edges).toMatchObject([{ caller: 'web', callee: 'orders', errors: failures, calls: orders?.calls }]);
});
