import { describe, expect, test } from '@jest/globals';
import { sinceMs } from './nanoseconds.js';
import { viewTrace } from './spans.js';
import { traceOf } from './testing/trace-sketch.js';

describe('the open trace', () => {
  test('is a list, depth first, children by their start, with depth, caller and number of descendants', () => {
    const view = viewTrace(
      traceOf({
        id: 'gateway',
        duration_ms: 100,
        children: [
          { id: 'late', start: 50 },
          { id: 'early', start: 10, children: [{ id: 'leaf', start: 12, duration_ms: 2 }] },
        ],
      }),
    );
    expect(
      view.spans.map(({ id, depth, start, caller, descendants }) => [id, depth, start, caller, descendants]),
    ).toEqual([
      ['gateway', 0, 0, '', 3],
      ['early', 1, 10, 'gateway', 1],
      ['leaf', 2, 12, 'early', 0],
      ['late', 1, 50, 'gateway', 0],
    ]);
    expect(view.duration).toBe(100);
    expect(view.byId.get('leaf')?.parentId).toBe('early');
  });

  test('moves a span of a clock that is ahead or behind into its parent', () => {
    const { spans } = viewTrace(
      traceOf({
        id: 'root',
        start: 1000,
        duration_ms: 100,
        children: [
          { id: 'behind', start: 0, duration_ms: 20, skewed: true },
          { id: 'ahead', start: 5000, duration_ms: 30 },
        ],
      }),
    );
    expect(spans.map(({ id, start, end }) => [id, start, end])).toEqual([
      ['root', 0, 100],
      ['behind', 0, 20],
      ['ahead', 70, 100],
    ]);
  });

  test('leaves out a span with the id of another, which would be its own parent', () => {
    const { spans } = viewTrace(traceOf({ id: 'a', children: [{ id: 'a', root_cause: true }, { id: 'b' }] }));
    expect(spans.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['a', undefined],
      ['b', 'a'],
    ]);
  });

  test('knows the one cause', () => {
    const view = viewTrace(traceOf({ id: 'a', derived_error: true, children: [{ id: 'b', root_cause: true }] }));
    expect(view.cause?.id).toBe('b');
    expect(view.spans.map(({ mark }) => mark)).toEqual(['derived', 'cause']);
  });

  test('may be empty, and may be one chain of hundreds', () => {
    expect(viewTrace(traceOf())).toMatchObject({ spans: [], duration: 0, cause: undefined });
    let chain = { id: 'span-1500' };
    for (let n = 1499; n > 0; n--) chain = { id: `span-${n}`, children: [chain] } as typeof chain;
    expect(viewTrace(traceOf(chain)).spans.at(-1)).toMatchObject({ id: 'span-1500', depth: 1499 });
  });

  test('subtracts nanoseconds exactly', () => {
    expect(sinceMs('1750000000000000123', '1750000000000000001')).toBeCloseTo(0.000122, 9);
  });
});
