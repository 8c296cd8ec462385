import { describe, expect, test } from '@jest/globals';
import { arcStateAt, type Hop, hopsOf, pulsesAt } from './hops.js';
import { viewTrace } from './spans.js';
import { traceOf } from './testing/trace-sketch.js';

const { spans } = viewTrace(
  traceOf({
    id: 'g',
    service: 'gateway',
    duration_ms: 100,
    children: [
      { id: 'o1', service: 'orders', start: 10, duration_ms: 20, status: 503 },
      {
        id: 'o2',
        service: 'orders',
        start: 40,
        duration_ms: 30,
        children: [
          { id: 'q', service: 'orders', kind: 'query', start: 41 },
          { id: 'self', service: 'orders', start: 55 },
        ],
      },
    ],
  }),
);
const hops = hopsOf(spans);
const toOrders = hops[1] as Hop;

describe('hops of a trace', () => {
  test('are its calls between services, counted and added up; work inside of a service is none', () => {
    expect(hops.map(({ caller, callee, calls, total }) => [caller, callee, calls, total])).toEqual([
      ['', 'gateway', 1, 100],
      ['gateway', 'orders', 2, 50],
    ]);
    expect(toOrders).toMatchObject({ start: 10, end: 70, worstStatus: 503, failed: true });
  });

  test('the response lights once the cursor passes the last span of the hop, red after a 5xx', () => {
    expect(arcStateAt(toOrders, 5)).toEqual({ request: 'waiting', response: 'waiting' });
    expect(arcStateAt(toOrders, 10)).toEqual({ request: 'running', response: 'waiting' });
    expect(arcStateAt(toOrders, 69.9)).toEqual({ request: 'running', response: 'waiting' });
    expect(arcStateAt(toOrders, 70)).toEqual({ request: 'done', response: 'failed' });
    expect(arcStateAt(hops[0] as Hop, 100)).toEqual({ request: 'done', response: 'answered' });
    expect(arcStateAt(toOrders, undefined)).toEqual({ request: 'done', response: 'failed' });
  });

  test('a dot leaves with each call and with each answer', () => {
    const at = (played: number) =>
      pulsesAt(hops, played, (ms) => ms * 10, 50).map(({ hop, way, share, failed }) => [
        hop.callee,
        way,
        share,
        failed,
      ]);
    expect(at(0)).toEqual([['gateway', 'request', 0, false]]);
    expect(at(125)).toEqual([['orders', 'request', 0.5, false]]);
    expect(at(310)).toEqual([['orders', 'response', 0.2, true]]);
    expect(at(710)).toEqual([['orders', 'response', 0.2, false]]);
    expect(at(900)).toEqual([]);
  });
});
