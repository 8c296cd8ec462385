import { describe, expect, test } from '@jest/globals';
import type { Incident } from '../../../../wire/fleet.js';
import { isOnTheWay, radiusOfTrace } from './blast-radius.js';
import { fleetServices } from './service-state.js';
import { viewTrace } from './spans.js';
import { traceOf } from './testing/trace-sketch.js';

const view = viewTrace(
  traceOf({
    id: 'gateway',
    derived_error: true,
    children: [
      {
        id: 'auth',
        derived_error: true,
        children: [
          { id: 'orders', root_cause: true },
          { id: 'healthy', start: 1 },
        ],
      },
    ],
  }),
);
const incident = (state: string, ...affected: { service: string; hops: number }[]) =>
  ({ service: 'orders', state, affected }) as unknown as Incident;

describe('the blast radius of a root cause', () => {
  test('is the services above it that failed because of it', () => {
    const radius = radiusOfTrace(view, []);
    expect(radius).toMatchObject({ origin: 'orders', from: 'trace' });
    expect([...(radius?.hops ?? [])]).toEqual([['auth', 1], ['gateway', 2]]); // prettier-ignore
  });

  test('is that of the open incident of its service, which knows more than one trace', () => {
    const radius = radiusOfTrace(view, [
      incident('open', { service: 'auth', hops: 1 }, { service: 'mobile', hops: 2 }),
    ]);
    expect(radius?.from).toBe('incident');
    expect([...(radius?.hops.keys() ?? [])]).toEqual(['auth', 'mobile']);
    expect(radiusOfTrace(view, [incident('resolved', { service: 'auth', hops: 1 })])?.from).toBe('trace');
  });

  test('is none where nothing failed', () => {
    expect(radiusOfTrace(viewTrace(traceOf({ id: 'a' })), [])).toBeUndefined();
  });

  test('travels along calls towards the failing service only', () => {
    const radius = radiusOfTrace(view, []) as NonNullable<ReturnType<typeof radiusOfTrace>>;
    expect(isOnTheWay(radius, { caller: 'auth', callee: 'orders' })).toBe(true);
    expect(isOnTheWay(radius, { caller: 'gateway', callee: 'auth' })).toBe(true);
    expect(isOnTheWay(radius, { caller: 'auth', callee: 'healthy' })).toBe(false);
    expect(isOnTheWay(radius, { caller: 'orders', callee: 'auth' })).toBe(false);
    expect(isOnTheWay(radius, { caller: '', callee: 'gateway' })).toBe(false);
  });
});

describe('services of a fleet', () => {
  test('are those of heartbeats and of traces; failing traffic counts where the heartbeat is content', () => {
    const info = (name: string, status: string) => ({ name, status }) as never;
    const node = (service: string, calls: number, error_rate: number) => ({ service, calls, error_rate }) as never;
    const services = fleetServices(
      [info('up', 'up'), info('down', 'down'), info('failing', 'up')],
      [node('up', 9, 0.01), node('failing', 9, 0.5), node('silent', 3, 0), node('traced', 3, 1), node('', 1, 1)],
    );
    expect(services.map(({ name, state }) => [name, state])).toEqual([
      ['down', 'down'],
      ['failing', 'degraded'],
      ['silent', 'silent'],
      ['traced', 'degraded'],
      ['up', 'up'],
    ]);
  });
});
