import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { EPOCH_MS, span, traceId } from '../../../kernel/testing/fleet-spans.js';
import { Aggregator } from './aggregator.js';
import { extentOf } from './assemble-trace.js';
import { aggregatorDefaults, type AggregatorConfig, settingsOf } from './options.js';

function fleet(options: AggregatorConfig) {
  const clock = { at: EPOCH_MS, now: () => clock.at, monotonic: () => clock.at };
  const settings = settingsOf({ ...aggregatorDefaults(), contractValidation: false, ...options } as never);
  const aggregator = new Aggregator(settings, {
    clock,
    fetchDocument: () => Promise.reject(new TypeError('no network')),
  });
  return { aggregator, clock };
}

const failing = { status: 500, error: 'HTTP 500' } as const;
const PER_BATCH = 1000;

/** An aggregator with so many traces, one of ten failed, all of them read once. */
function holding(traces: number) {
  const { aggregator } = fleet({ maxTraces: traces, maxSpans: traces, maxTags: traces });
  for (let from = 0; from < traces; from += PER_BATCH) {
    const numbers = Array.from({ length: PER_BATCH }, (_, at) => from + at + 1);
    aggregator.acceptSpans(numbers.map((trace) => sketched(trace)));
  }
  aggregator.traces({});
  return aggregator;
}

const sketched = (trace: number) =>
  span({ trace, id: trace, service: 'orders', start: trace, tags: { region: 'eu' }, ...(trace % 10 === 0 && failing) });

/** Traces that are looked at for an answer, and those that are put in order before. */
function looksFor(aggregator: Aggregator, ask: () => unknown): number {
  const { list } = aggregator.store;
  const newest = list.newest.bind(list);
  let looks = list.changed;
  const spies = [
    jest.spyOn(list, 'newest').mockImplementation(function* (before) {
      for (const each of newest(before)) {
        looks++;
        yield each;
      }
    }),
    jest.spyOn(aggregator.store, 'traces').mockImplementation(() => {
      throw new Error('all traces were read');
    }),
  ];
  try {
    ask();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return looks;
}

describe('an answer looks at as many traces as it needs, however many are kept', () => {
  const [few, many] = [holding(2 * PER_BATCH), holding(20 * PER_BATCH)];

  test.each([
    ['the newest', (aggregator: Aggregator) => aggregator.traces({}), 102],
    ['the newest that failed', (aggregator: Aggregator) => aggregator.traces({ status: 'error' }), 1011],
    ['the newest of a service', (aggregator: Aggregator) => aggregator.traces({ service: 'orders' }), 102],
    [
      'those with a tag that most have',
      (aggregator: Aggregator) => aggregator.traces({ tag: { key: 'region', value: 'eu' } }),
      102,
    ],
    ['incidents and their causes', (aggregator: Aggregator) => aggregator.incidents(), 1],
  ])('%s', (_what, ask, most) => {
    for (const aggregator of [few, many]) {
      // Another span since the last reading: the aggregator of a system that runs is never read twice without one.
      const next = aggregator.stats().spans_accepted + 1;
      aggregator.acceptSpans([sketched(next)]);
      expect(looksFor(aggregator, () => ask(aggregator))).toBeLessThanOrEqual(most);
      aggregator.traces({});
    }
  });
});

test('the list is by start and then by id, whatever came when and had to go', () => {
  const step = fc.oneof(
    fc.record({ trace: fc.integer({ min: 1, max: 12 }), start: fc.integer({ min: 0, max: 30 }), bad: fc.boolean() }),
    fc.constant('read' as const),
    fc.constant('wait' as const),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const { aggregator, clock } = fleet({ maxTraces: 6, maxSpansPerTrace: 3, traceTTL: 50 });
      const sorted = (isWanted: (trace: { readonly spans: readonly { readonly failed: boolean }[] }) => boolean) =>
        [...aggregator.store.traces()]
          .filter(isWanted)
          .map(({ traceId: id, spans }) => ({ id, start: BigInt(extentOf(spans).start_ns) }))
          .sort((a, b) => (a.start === b.start ? (a.id < b.id ? 1 : -1) : a.start < b.start ? 1 : -1))
          .map(({ id }) => id);
      const ids = (query: Parameters<Aggregator['traces']>[0]) =>
        aggregator.traces(query).traces.map(({ trace_id: id }) => id);
      const check = () => {
        expect(ids({})).toEqual(sorted(() => true));
        expect(ids({ status: 'error' })).toEqual(sorted(({ spans }) => spans.some(({ failed }) => failed)));
        const first = aggregator.traces({ limit: 2 });
        expect([...first.traces.map(({ trace_id: id }) => id), ...(first.next ? ids({ after: first.next }) : [])]).toEqual(ids({})); // prettier-ignore
      };
      let id = 0;
      for (const each of steps) {
        clock.at += 1;
        if (each === 'read') check();
        else if (each === 'wait') {
          clock.at += 40;
          aggregator.sweep();
        } else {
          aggregator.acceptSpans([span({ trace: each.trace, id: ++id, start: each.start, ...(each.bad && failing) })]);
        }
      }
      check();
    }),
  );
});

test('a service that failed in more traces than are examined is judged by the newest that are still there', () => {
  const { aggregator, clock } = fleet({ maxTraces: 30 });
  for (let trace = 1; trace <= 60; trace++) {
    clock.at += 100;
    aggregator.acceptSpans([span({ trace, id: trace, service: 'orders', ...failing })]);
  }
  const newest = () => aggregator.store.failures.of('orders', clock.at + 10_000).traces.map(({ traceId: id }) => id);
  expect(newest()).toEqual(Array.from({ length: 20 }, (_, at) => traceId(60 - at)));
  for (let trace = 61; trace <= 85; trace++) aggregator.acceptSpans([span({ trace, id: trace, start: trace })]);
  expect(newest()).toEqual(Array.from({ length: 5 }, (_, at) => traceId(60 - at)));
});
