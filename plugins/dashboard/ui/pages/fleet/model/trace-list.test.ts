import { describe, expect, test } from '@jest/globals';
import type { TraceSummary } from '../../../../wire/fleet.js';
import { addedAbove, NO_TRACES, windowOf, withNewest, withNext } from './trace-list.js';

const trace = (n: number): TraceSummary =>
  ({ trace_id: `t${n}`, start_ns: String(1_750_000_000_000_000_000n + BigInt(n)) }) as TraceSummary;
const traces = (...numbers: number[]) => numbers.map(trace);
const ids = (list: { traces: readonly TraceSummary[] }) => list.traces.map(({ trace_id: id }) => id).join(' ');

describe('the loaded trace list', () => {
  test('grows at the end page by page, without repeating anything', () => {
    const first = withNewest(NO_TRACES, { traces: traces(9, 8), has_more: true, next_cursor: 'c8' }, 100);
    const second = withNext(first, { traces: traces(8, 7, 6), has_more: true, next_cursor: 'c6' });
    expect(ids(second)).toBe('t9 t8 t7 t6');
    expect(second.cursor).toBe('c6');
    expect(withNext(second, { traces: traces(5), has_more: false })).toMatchObject({ cursor: undefined });
  });

  test('takes new ones in at the top, and keeps what was loaded below', () => {
    const before = { traces: traces(9, 8, 7, 6), cursor: 'c6' };
    const after = withNewest(before, { traces: traces(11, 10, 9), has_more: true, next_cursor: 'c9' }, 100);
    expect(ids(after)).toBe('t11 t10 t9 t8 t7 t6');
    expect(after.cursor).toBe('c6');
  });

  test('forgets what has gone from within the newest page, and everything below the end', () => {
    expect(
      ids(withNewest({ traces: traces(9, 8, 7), cursor: 'c7' }, { traces: traces(9, 7), has_more: false }, 100)),
    ).toBe('t9 t7');
  });

  test('is never longer than what the aggregator keeps', () => {
    const page = { traces: traces(5, 4), has_more: true, next_cursor: 'c' };
    expect(ids(withNewest({ traces: traces(3, 2, 1), cursor: 'x' }, page, 4))).toBe('t5 t4 t3 t2');
  });

  test('tells how far the rows moved down', () => {
    expect(addedAbove(traces(3, 2), traces(5, 4, 3, 2))).toBe(2);
    expect(addedAbove(traces(3, 2), traces(4, 2))).toBe(0);
    expect(addedAbove(traces(3), traces(9))).toBe(0);
  });
});

describe('the window of a long list', () => {
  test('holds the rows that are seen and some around them', () => {
    expect(windowOf(2000, 40, 0, 400)).toEqual({ first: 0, last: 18 });
    expect(windowOf(2000, 40, 40_000, 400)).toEqual({ first: 992, last: 1018 });
    expect(windowOf(2000, 40, 80_000, 400)).toEqual({ first: 1992, last: 2000 });
    expect(windowOf(3, 40, 9_000, 400)).toEqual({ first: 3, last: 3 });
  });
});
