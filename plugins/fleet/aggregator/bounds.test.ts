import { describe, expect, test } from '@jest/globals';
import { GivenUp } from '../contracts/given-up.js';
import { ViolationOrigins } from '../contracts/violation-origins.js';
import { IncidentLog } from './incidents/incident-log.js';
import { ServiceRegistry } from './service-registry.js';
import { Traffic } from './traffic.js';

const HOUR = 3_600_000;

describe('what the aggregator remembers is bounded, and what goes is counted', () => {
  const radius = (service: string) => ({ service, error_rate: 1, calls: 9, affected: [], banner: '' }) as never;
  const group = (nth: number) => ({
    key: `${nth}`,
    radius: radius(`s${nth}`),
    cause: undefined,
    consequences: [],
    isSettled: true,
  });

  test('incidents, the resolved ones first, and silences', () => {
    const log = new IncidentLog();
    for (let nth = 1; nth <= 130; nth++) {
      log.update([group(0), group(nth)], nth * HOUR);
      log.silence(nth + 1, 1, nth * HOUR);
    }
    expect([log.list().length, log.dropped, log.silencesDropped]).toEqual([100, 31, 30]);
    expect(log.get(1)).toMatchObject({ service: 's0', state: 'open' });
  });

  test('an incident and a silence end in their time when the clock was set back by hours', () => {
    const log = new IncidentLog();
    const failing = (key: string) => [{ ...group(1), key, cause: { name: key } as never }];
    const [before, after] = [10 * HOUR, 8 * HOUR];
    log.update(failing('a'), before);
    log.silence(1, 10, before);
    // Another cause: the first one ends after its grace.
    log.update(failing('b'), after);
    expect(log.get(1)?.state).toBe('open');
    log.update(failing('b'), after + 61_000);
    expect(log.get(1)).toMatchObject({ state: 'resolved', silenced_until_unix: after / 1000 + 661 });
    log.update(failing('a'), after + 662_000);
    expect(log.get(3)).toMatchObject({ state: 'open' });
    expect(log.get(3)?.silenced_until_unix).toBeUndefined();
  });

  test('instances of a service', () => {
    const registry = new ServiceRegistry({ serviceTTL: 15_000, maxServices: 10 });
    for (let nth = 0; nth < 1_000; nth++) registry.beat({ service: 'a', instance_id: `${nth}` }, 0);
    const [{ instances = 0 } = {}] = registry.list(0);
    expect(instances).toBeLessThanOrEqual(200);
    expect(instances + registry.instancesEvicted).toBe(1_000);
  });

  test('checks that were given up', () => {
    const given = new GivenUp(10);
    const check = { service: 'a', method: 'GET', direction: '', reason: 'r' } as const;
    for (let nth = 0; nth < 25; nth++) given.add({ ...check, route: `/${nth}` }, nth);
    expect([given.list().length, given.dropped]).toEqual([10, 15]);
  });

  test('origins of violations, of many traces and of one', () => {
    const origins = new ViolationOrigins(() => false);
    const facts = {
      caller: 'a',
      callee: 'b',
      direction: 'response',
      rule: 'type',
      expected: 'x',
      observed: 'y',
    } as const;
    const add = (trace: number, span: number) =>
      origins.add({ ...facts, trace_id: `${trace}`, span_id: `${span}`, path: `/p${span}` });
    for (let trace = 0; trace < 1_010; trace++) add(trace, 0);
    expect(origins.dropped).toBe(10);
    for (let span = 1; span < 70; span++) add(1_009, span);
    expect(origins.dropped).toBe(16);
  });
});

describe('numbers of calls', () => {
  const traffic = () => new Traffic({ retention: HOUR, rate: 60_000 });

  test('are those of now, when the clock was set back by hours', () => {
    const calls = traffic();
    const [before, after] = [100 * HOUR, 97 * HOUR];
    for (let nth = 0; nth < 50; nth++) calls.observe(1, true, before);
    expect(calls.recent(before)).toEqual({ calls: 50, errorRate: 1 });
    expect([calls.recent(after), calls.summary(after).calls]).toEqual([{ calls: 0, errorRate: 0 }, 0]);
    calls.observe(1, false, after);
    expect([calls.recent(after), calls.summary(after)]).toMatchObject([{ calls: 1, errorRate: 0 }, { calls: 1 }]);
    expect(calls.recent(after + 180_000).calls).toBe(0);
  });

  test('are kept, when the clock is set back by a moment', () => {
    const calls = traffic();
    calls.observe(1, true, 100 * HOUR);
    calls.observe(1, false, 100 * HOUR - 50);
    expect([calls.recent(100 * HOUR - 50), calls.summary(100 * HOUR).calls]).toEqual([{ calls: 2, errorRate: 0.5 }, 2]);
  });

  test('begin anew, when the clock was set forward by hours', () => {
    const calls = traffic();
    calls.observe(1, true, 100 * HOUR);
    expect([calls.recent(103 * HOUR), calls.summary(103 * HOUR).calls]).toEqual([{ calls: 0, errorRate: 0 }, 0]);
  });
});
