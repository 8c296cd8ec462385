import { expect, test } from '@jest/globals';
import { EPOCH_MS, span } from '../../../kernel/testing/fleet-spans.js';
import { Aggregator } from './aggregator.js';
import { catalogOf } from './catalog.js';
import { aggregatorDefaults, type AggregatorConfig, settingsOf } from './options.js';

function fleet(options: AggregatorConfig = {}) {
  const clock = { at: EPOCH_MS, now: () => clock.at, monotonic: () => clock.at };
  const settings = settingsOf({ ...aggregatorDefaults(), contractValidation: false, ...options });
  const aggregator = new Aggregator(settings, {
    clock,
    fetchDocument: () => Promise.reject(new Error('no network')),
  });
  const both = () => {
    const [node] = aggregator.topology().nodes;
    const rows = catalogOf(aggregator);
    const sum = (member: 'calls' | 'errors') => rows.reduce((total, row) => total + row[member], 0);
    return { node: [node?.calls, node?.errors], routes: [sum('calls'), sum('errors')], rows };
  };
  return { aggregator, clock, both };
}

const requests = (from: number, many: number) =>
  Array.from({ length: many }, (_, at) =>
    span({
      trace: from + at, id: from + at, service: 'orders', route: at % 2 ? '/orders' : '/orders/:id', status: at % 5 ? 200 : 500,
      ...(at % 5 === 0 && { error: 'HTTP 500' }),
    }),
  ); // prettier-ignore

test('routes and services have the numbers of one window, though the traces are long gone', () => {
  const { aggregator, clock, both } = fleet({ maxTraces: 10 });
  aggregator.acceptSpans(requests(1, 200));
  expect(both()).toMatchObject({ node: [200, 40], routes: [200, 40], rows: [{ calls: 100 }, { calls: 100 }] });
  clock.at += 4 * 60_000;
  aggregator.acceptSpans(requests(201, 100));
  expect(both()).toMatchObject({ node: [300, 60], routes: [300, 60] });
  // The first ones leave the window of five minutes, and their services do not go with them.
  clock.at += 2 * 60_000;
  aggregator.sweep();
  expect(both()).toMatchObject({ node: [100, 20], routes: [100, 20] });
  expect(aggregator.topology().window_ms).toBe(300_000);
  clock.at += 10 * 60_000;
  aggregator.sweep();
  expect(both()).toMatchObject({ node: [undefined, undefined], routes: [0, 0], rows: [] });
});

test('routes say so where the service has counted more requests than spans show', () => {
  const { aggregator, both } = fleet();
  aggregator.acceptSpans(requests(1, 10));
  expect(both().rows.map(({ estimated }) => estimated)).toEqual([undefined, undefined]);
  aggregator.acceptHeartbeat({ service: 'orders', instance_id: '1', durations: [10, 1_000], errors: 2 });
  expect(both().rows.map(({ estimated }) => estimated)).toEqual([true, true]);
});

test('as many routes are counted as fit', () => {
  const { aggregator } = fleet();
  for (let at = 0; at < 3_000; at++) {
    aggregator.acceptSpans([span({ trace: at + 1, id: at + 1, service: 'orders', route: `/${at}` })]);
  }
  const rows = catalogOf(aggregator);
  expect(rows.length).toBeLessThanOrEqual(2_000);
  expect(rows.some(({ route }) => route === '/2999')).toBe(true);
});
