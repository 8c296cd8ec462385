import { describe, expect, test } from '@jest/globals';
import type { Topology } from '../../../../wire/fleet.js';
import { partOfFleet, stateOfGroup } from './part-of-fleet.js';
import type { FleetService } from './service-state.js';

const NAMES = ['auth', 'orders-api', 'orders-worker', 'orders-db', 'stock-api', 'stock-sync', 'web'];
const named = (names: readonly string[], state: FleetService['state'] = 'up'): FleetService[] =>
  names.map((name) => ({ name, state, info: undefined, node: undefined }));
const traffic = { calls: 1, errors: 0, error_rate: 0, p50_ms: 1, p95_ms: 1, p99_ms: 1, avg_ms: 1, last_seen_unix: 0 };
const topology: Topology = {
  nodes: NAMES.map((service) => ({ service, ...traffic, ...(service === 'web' && { entry: true }) })),
  edges: [
    ['web', 'orders-api'], ['web', 'stock-api'], ['web', 'auth'], ['orders-api', 'orders-worker'], ['orders-worker', 'stock-sync'],
  ].map(([caller = '', callee = '']) => ({ caller, callee, ...traffic })), // prettier-ignore
};
const NOTHING = { service: '', group: '', radius: undefined };
const calls = (part: ReturnType<typeof partOfFleet>) =>
  part?.topology.edges.map(({ caller, callee }) => `${caller} > ${callee}`).sort();

describe('the part of a large fleet that is drawn', () => {
  test('has services whose names begin alike as one, and the calls between such', () => {
    const part = partOfFleet(named(NAMES), topology, NOTHING);
    expect([...(part?.services ?? [])].sort()).toEqual(['auth', 'orders · 3', 'stock · 2', 'web']);
    expect(calls(part)).toEqual(['orders · 3 > stock · 2', 'web > auth', 'web > orders · 3', 'web > stock · 2']);
    expect(part?.topology.nodes.filter(({ entry }) => entry).map(({ service }) => service)).toEqual(['web']);
  });

  test('has the members of an opened group one by one', () => {
    const part = partOfFleet(named(NAMES), topology, { ...NOTHING, group: 'orders' });
    expect(part?.services).toContain('orders-worker');
    expect(calls(part)).toContain('orders-worker > stock · 2');
    expect([...(part?.groups.keys() ?? [])]).toEqual(['stock · 2']);
  });

  test('is a chosen service with whoever it speaks with, and a radius with whom it reaches', () => {
    expect(partOfFleet(named(NAMES), topology, { ...NOTHING, service: 'orders-worker' })?.services.toSorted()).toEqual([
      'orders-api', 'orders-worker', 'stock-sync',
    ]); // prettier-ignore
    const radius = { origin: 'stock-api', hops: new Map([['web', 1]]), from: 'incident' as const };
    const part = partOfFleet(named(NAMES), topology, { ...NOTHING, service: 'web', radius });
    expect(part?.services.toSorted()).toEqual(['stock-api', 'web']);
    expect(calls(part)).toEqual(['web > stock-api']);
  });

  test('is everything where names have nothing in common, or all of them the same', () => {
    expect(partOfFleet(named(['a', 'b', 'c']), topology, NOTHING)).toBeUndefined();
    expect(partOfFleet(named(['s-1', 's-2', 's-3']), topology, NOTHING)).toBeUndefined();
    expect(partOfFleet(named(['a', 'b']), topology, { ...NOTHING, service: 'nobody' })).toBeUndefined();
  });

  test('a group is as bad as its worst member', () => {
    const group = (...states: FleetService['state'][]) => ({
      name: 'g',
      members: states.flatMap((state) => named(['x'], state)),
    });
    expect(stateOfGroup(group('up', 'degraded', 'silent'))).toBe('degraded');
    expect(stateOfGroup(group('up', 'down', 'degraded'))).toBe('down');
    expect(stateOfGroup(group('silent', 'up'))).toBe('up');
    expect(stateOfGroup(group('silent', 'silent'))).toBe('silent');
  });
});
