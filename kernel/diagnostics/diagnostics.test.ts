import { afterEach, describe, expect, test } from '@jest/globals';
import { countersSince, degraded, Diagnostics, disableCounters, enableCounters, HitCounter, off, ok } from './index.js';

describe('Diagnostics', () => {
  test('reports every probe, sorted by key', () => {
    const diagnostics = new Diagnostics();
    diagnostics.register('orm', () => ok('fine', { detail: { models: 3 } }));
    diagnostics.register('docs', () => off('enable the docs plugin'));
    expect(diagnostics.snapshot()).toEqual([
      { subsystem: 'docs', status: 'off', summary: 'enable the docs plugin' },
      { subsystem: 'orm', status: 'ok', summary: 'fine', detail: { models: 3 } },
    ]);
  });

  test('replaces a probe of the same key, and removes one', () => {
    const diagnostics = new Diagnostics();
    diagnostics.register('orm', () => ok('first'));
    diagnostics.register('orm', () => degraded('second'));
    expect(diagnostics.get('orm')).toMatchObject({ status: 'degraded', summary: 'second' });
    expect(diagnostics.unregister('orm')).toBe(true);
    expect(diagnostics.get('orm')).toBeUndefined();
    expect(diagnostics.unregister('orm')).toBe(false);
  });

  test('contains a probe that throws or answers without a known status: both are unknown', () => {
    const diagnostics = new Diagnostics();
    diagnostics.register('bad', () => {
      throw new Error('nil');
    });
    diagnostics.register('odd', () => ({ status: '' as never, summary: 's' }));
    expect(diagnostics.snapshot()).toEqual([
      { subsystem: 'bad', status: 'unknown', summary: 'The probe itself failed.', notes: ['probe threw: nil'] },
      { subsystem: 'odd', status: 'unknown', summary: 's' },
    ]);
  });
});

describe('HitCounter', () => {
  afterEach(disableCounters);

  test('counts only after enableCounters(), and says so', () => {
    const counter = new HitCounter({ hit: 'served', miss: 'passed' }, () => 0);
    counter.hit(10, 5);
    expect(counter.detail()).toEqual({ served: 0, passed: 0, counting: false });
    expect(counter.notes()).toHaveLength(1);
    enableCounters();
    counter.hit(10, 5);
    counter.miss(1);
    counter.error();
    expect(counter.detail()).toEqual({
      served: 1, passed: 1, counting: true, errors: 1, bytes: 11, bytes_saved: 5, last: '1970-01-01T00:00:00.000Z', total: 2, hit_rate: 0.5,
    }); // prettier-ignore
    expect(counter.notes()).toEqual([]);
  });

  test('keeps values when counting is switched off, and the time of the first switch', () => {
    enableCounters(5);
    enableCounters(9);
    expect(countersSince()).toBe(5);
    const counter = new HitCounter({ hit: 'h', miss: 'm' });
    counter.hit();
    disableCounters();
    counter.hit();
    expect(counter.hits).toBe(1);
    expect(countersSince()).toBeUndefined();
  });
});
