import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { EPOCH_MS, span } from '../../../kernel/testing/fleet-spans.js';
import { systemClock } from '../../../kernel/index.js';
import { CallerCounts, LogHistogram, MAX_CALLERS } from '../recorded/index.js';
import { Aggregator } from './aggregator.js';
import { catalogOf } from './catalog.js';
import { aggregatorDefaults, settingsOf } from './options.js';

const REQUESTS = 10_000;
/** Requests between two heartbeats. */
const BEAT = 1_000;

/** Between 0 and 1, the same in every run. */
const chance = (of: string, at: number) => createHash('md5').update(`${of} ${at}`).digest().readUInt32BE() / 2 ** 32;

/**
 * Requests of which three in a hundred fail at the callee, and half of those at the caller; times are spread over two orders, and failures
 * are the slowest: deadlines that passed.
 */
const TRUTH = Array.from({ length: REQUESTS }, (_, at) => {
  const failed = chance('fails', at) < 0.03;
  const took = (failed ? 400 : 2) + Math.exp(chance('took', at) * 5);
  return { at, took, failed, above: failed && chance('above', at) < 0.5 };
});
const FAILURES = TRUTH.filter(({ failed }) => failed).length;
const SORTED = TRUTH.map(({ took }) => took).sort((a, b) => a - b);
const quantile = (share: number) => SORTED[share * REQUESTS] as number;

/** What a service sends besides the spans of a share of its traces. */
interface Peer {
  /** Whether its heartbeats count its requests. */
  readonly counts?: boolean;
  /** Whether it records every failure, as our tracers do, or samples failures like all else. */
  readonly everyFailure?: boolean;
}

function fleet() {
  const time = { now: EPOCH_MS };
  const clock = { ...systemClock, now: () => time.now };
  const aggregator = new Aggregator(settingsOf(aggregatorDefaults()), {
    clock,
    fetchDocument: () => Promise.reject(new Error('none')),
  });
  return { aggregator, time };
}

/** What the graph says of the callee when a share of the traces is recorded. */
function shown(share: number, { counts = false, everyFailure = true }: Peer) {
  const { aggregator, time } = fleet();
  let beat = { durations: new LogHistogram(), callers: new CallerCounts(), errors: 0 };
  aggregator.acceptHeartbeat({ service: 'web' });
  for (const { at, took, failed, above } of TRUTH) {
    time.now = EPOCH_MS + at * 5;
    const isRecorded = chance('recorded', at) < share;
    const of = (fails: boolean) => ({
      trace: at + 1,
      start: at * 5,
      ...(!(fails && everyFailure) && { probability: share }),
      ...(fails && { status: 500, error: 'HTTP 500' }),
    });
    const spans = [
      ...(isRecorded || (above && everyFailure)
        ? [span({ id: 1, service: 'web', duration_ms: took + 1, ...of(above) })]
        : []),
      ...(isRecorded || (failed && everyFailure)
        ? [
            span({ id: 2, parent: 1, kind: 'client', service: 'web', duration_ms: took, ...of(failed) }),
            span({ id: 3, parent: 2, service: 'orders', duration_ms: took, ...of(failed) }),
          ]
        : []),
    ];
    if (spans.length > 0) aggregator.acceptSpans(spans);
    beat.durations.add(took);
    beat.callers.add('web', failed, took);
    if (failed) beat.errors++;
    if (at % BEAT !== BEAT - 1) continue;
    const counted = { durations: beat.durations.pairs(), errors: beat.errors, callers: beat.callers.list() };
    aggregator.acceptHeartbeat({ service: 'orders', ...(counts && counted) });
    beat = { durations: new LogHistogram(), callers: new CallerCounts(), errors: 0 };
  }
  const { nodes, edges } = aggregator.topology();
  const orders = nodes.find(({ service }) => service === 'orders');
  return { orders, web: nodes.find(({ service }) => service === 'web'), edges, aggregator };
}

const off = (said: number | undefined, truth: number) => Math.abs((said ?? 0) / truth - 1);

// What a sample of that size can tell: counts vary by sqrt((1 - share) / (share * requests)), the histogram by 5 %.
test.each([
  [1, 0, 0.05],
  [0.25, 0.04, 0.08],
  [0.05, 0.1, 0.2],
])('the numbers of %d of the traces are those of all requests', (share, counts, times) => {
  const { orders, web, edges } = shown(share, {});
  expect([orders?.errors, web?.errors]).toEqual([FAILURES, TRUTH.filter(({ above }) => above).length]);
  for (const said of [orders?.calls, web?.calls]) expect(off(said, REQUESTS)).toBeLessThanOrEqual(counts);
  expect(off(orders?.error_rate, FAILURES / REQUESTS)).toBeLessThanOrEqual(counts * 1.2);
  for (const [said, of] of [
    [orders?.p50_ms, 0.5],
    [orders?.p95_ms, 0.95],
    // Among the failures, all of which are recorded.
    [orders?.p99_ms, 0.99],
  ] as const) {
    expect(off(said, quantile(of))).toBeLessThanOrEqual(times);
  }
  expect(edges).toMatchObject([{ caller: 'web', callee: 'orders', errors: FAILURES, calls: orders?.calls }]);
  for (const edge of edges) expect(off(edge.p99_ms, quantile(0.99))).toBeLessThanOrEqual(times);
});

test.each([0.25, 0.05])(
  'failures of a tracer that samples them like all else stand for those it left out (%d)',
  (share) => {
    const { orders } = shown(share, { everyFailure: false });
    expect(off(orders?.errors, FAILURES)).toBeLessThanOrEqual(3 / Math.sqrt(share * FAILURES));
    expect(off(orders?.p99_ms, quantile(0.99))).toBeLessThanOrEqual(0.2);
  },
);

test('routes have the numbers of all requests, too, and not those of the traces that are kept', () => {
  const { aggregator } = shown(0.05, {});
  const orders = catalogOf(aggregator).find(({ service }) => service === 'orders');
  expect(orders?.errors).toBe(FAILURES);
  expect(off(orders?.calls, REQUESTS)).toBeLessThanOrEqual(0.1);
  expect(off(orders?.error_rate, FAILURES / REQUESTS)).toBeLessThanOrEqual(0.12);
  for (const [said, of] of [
    [orders?.p50_ms, 0.5],
    [orders?.p95_ms, 0.95],
  ] as const) {
    expect(off(said, quantile(of))).toBeLessThanOrEqual(0.2);
  }
});

// With a hundredth, each quantile of spans alone would be a guess; with none, every request that is seen has failed.
test.each([1, 0.05, 0.01, 0])('the counts of heartbeats are exact when %d of the traces are recorded', (share) => {
  const { orders, edges, aggregator } = shown(share, { counts: true });
  expect(edges).toMatchObject([{ caller: 'web', callee: 'orders' }]);
  for (const numbers of [orders, edges[0]]) {
    expect(numbers).toMatchObject({ calls: REQUESTS, errors: FAILURES, error_rate: FAILURES / REQUESTS });
    for (const [said, of] of [
      [numbers?.p50_ms, 0.5],
      [numbers?.p95_ms, 0.95],
      [numbers?.p99_ms, 0.99],
    ] as const) {
      expect(off(said, quantile(of))).toBeLessThanOrEqual(0.02);
    }
  }
  expect(aggregator.incidents().filter(({ service }) => service === 'orders')).toEqual([]);
});

test('counts of some instances are not taken for those of all', () => {
  const { aggregator, time } = fleet();
  const spans = Array.from({ length: 100 }, (_, at) =>
    span({ trace: at + 1, id: 1, service: 'orders', probability: 0.1 }),
  );
  aggregator.acceptSpans(spans);
  const counting = { service: 'orders', instance_id: 'new', durations: [10, 500], errors: 0 };
  const calls = () => aggregator.topology().nodes[0]?.calls;
  aggregator.acceptHeartbeat(counting);
  expect(calls()).toBe(500);
  aggregator.acceptHeartbeat({ service: 'orders', instance_id: 'old', rps: 100 });
  expect(calls()).toBe(1_000);
  // Long after the last old instance has gone.
  time.now += 2 * 300_000;
  aggregator.acceptHeartbeat(counting);
  expect(calls()).toBe(500);
});

/** A call of which every trace is recorded that fails. */
const FAILED_CALL = [
  span({ id: 1, service: 'web', status: 500 }),
  span({ id: 2, parent: 1, service: 'orders', status: 500 }),
];

describe('callers in heartbeats', () => {
  const counted = (callers: unknown) => ({ service: 'orders', durations: [10, 500], errors: 1, callers });
  const byWeb = counted([{ service: 'web', durations: [10, 500], errors: 1 }]);

  test('draw no edge that no trace has shown, and have counted its calls when one does', () => {
    const { aggregator } = fleet();
    aggregator.acceptHeartbeat({ service: 'web' });
    aggregator.acceptHeartbeat(byWeb);
    expect(aggregator.topology().edges).toEqual([]);
    aggregator.acceptSpans(FAILED_CALL);
    expect(aggregator.topology().edges).toMatchObject([{ caller: 'web', callee: 'orders', calls: 500, errors: 1 }]);
  });

  test('take part in what an incident says of those it drags along', () => {
    const { aggregator } = fleet();
    aggregator.acceptHeartbeat({ service: 'web', durations: [10, 40], errors: 10, callers: [] });
    aggregator.acceptHeartbeat({
      ...counted([{ service: 'web', durations: [10, 40], errors: 10 }]),
      durations: [10, 40],
      errors: 10,
    });
    aggregator.acceptSpans(FAILED_CALL);
    const affected = [{ service: 'web', dependency_error_rate: 0.25, attributed_share: 0.25 }];
    expect(aggregator.incidents()).toMatchObject([{ service: 'orders', affected }]);
  });

  test.each([
    ['names that are of no service', counted([{ service: 'a stranger', durations: [10, 500], errors: 0 }])],
    ['a heartbeat without callers', counted(undefined)],
    ['a caller without a name', counted([{ durations: [10, 500], errors: 0 }])],
    [
      'one of two with half of a pair',
      counted([...(byWeb.callers as []), { service: 'b', durations: [1], errors: 0 }]),
    ],
    ['more than there can be', counted(Array.from({ length: MAX_CALLERS + 1 }, () => byWeb.callers))],
    ['no list', counted({ service: 'web' })],
  ])('%s: the edge has the numbers of its spans', (_, heartbeat) => {
    const { aggregator } = fleet();
    aggregator.acceptHeartbeat({ service: 'web' });
    aggregator.acceptSpans(FAILED_CALL);
    aggregator.acceptHeartbeat(heartbeat);
    expect(aggregator.topology().edges).toMatchObject([{ caller: 'web', callee: 'orders', calls: 1, errors: 1 }]);
    expect(aggregator.stats().edges).toBe(1);
  });

  test('of some instances are not taken for those of all', () => {
    const { aggregator } = fleet();
    aggregator.acceptHeartbeat({ service: 'web' });
    aggregator.acceptSpans(FAILED_CALL);
    aggregator.acceptHeartbeat({ ...byWeb, instance_id: 'new' });
    aggregator.acceptHeartbeat({ ...counted(undefined), instance_id: 'old' });
    aggregator.acceptHeartbeat({ ...byWeb, instance_id: 'new' });
    expect(aggregator.topology().edges).toMatchObject([{ calls: 1 }]);
  });

  test('are as many as one heartbeat tells of, or none', () => {
    const counts = new CallerCounts();
    for (let at = 0; at < MAX_CALLERS; at++) counts.add(`caller%20${at}`, at === 0, 3);
    counts.add('caller%200', false, 3);
    const list = counts.list();
    expect(list).toHaveLength(MAX_CALLERS);
    expect(list?.[0]).toEqual({ service: 'caller 0', durations: [expect.closeTo(3, 1), 2], errors: 1 });
    const merged = new CallerCounts();
    merged.add('another', false, 3);
    merged.merge(counts);
    expect(merged.list()).toBeUndefined();
    counts.add('%', false, 3);
    expect(counts.list()).toBeUndefined();
    counts.merge(new CallerCounts());
    expect(counts.list()).toBeUndefined();
  });
});

test.each([
  ['not numbers', ['1', 2]],
  ['a half of a pair', [1, 2, 3]],
  ['less than none', [1, -5]],
  ['more pairs than there are durations', Array.from({ length: 10_002 }, () => 1)],
  ['more requests than anybody answers', [1, 1e300]],
])('durations that are %s count nothing', (_, durations) => {
  const { aggregator } = fleet();
  aggregator.acceptHeartbeat({ service: 'orders', durations, errors: 1 });
  expect([aggregator.topology().nodes, aggregator.services()]).toMatchObject([[], [{ name: 'orders' }]]);
});

test('what heartbeats count is neither kept with the service nor told to those who watch', () => {
  const { aggregator } = fleet();
  const told: unknown[] = [];
  aggregator.subscribe({ onService: (heartbeat) => told.push(heartbeat) });
  aggregator.acceptHeartbeat({ service: 'orders', durations: [3, 2], errors: 1 });
  expect(told).toEqual([{ service: 'orders' }]);
  expect(aggregator.topology().nodes).toMatchObject([{ service: 'orders', calls: 2, errors: 1 }]);
});
