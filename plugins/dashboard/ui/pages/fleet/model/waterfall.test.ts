import { describe, expect, test } from '@jest/globals';
import { viewTrace } from './spans.js';
import { traceOf } from './testing/trace-sketch.js';
import { axisTicks, pressKey, reveal, toggleRow, visibleRows, type WaterfallState } from './waterfall.js';

const { spans, byId } = viewTrace(
  traceOf({
    id: 'a',
    duration_ms: 100,
    children: [
      { id: 'b', start: 1, duration_ms: 50, children: [{ id: 'c', start: 2 }, { id: 'd', start: 3 }] },
      { id: 'e', start: 60 },
    ],
  }),
); // prettier-ignore

const open = (selected?: string, ...collapsed: string[]): WaterfallState => ({
  selected,
  collapsed: new Set(collapsed),
});
const ids = (state: WaterfallState) => visibleRows(spans, state.collapsed).map(({ id }) => id);

describe('the waterfall', () => {
  test('hides what is below a folded row, and nothing else', () => {
    expect(ids(open())).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(ids(open(undefined, 'b'))).toEqual(['a', 'b', 'e']);
    expect(ids(open(undefined, 'a', 'b'))).toEqual(['a']);
  });

  test.each([
    ['ArrowDown', 'a', 'b'],
    ['ArrowDown', 'e', 'e'],
    ['ArrowUp', 'b', 'a'],
    ['ArrowUp', 'a', 'a'],
    ['Home', 'd', 'a'],
    ['End', 'a', 'e'],
    ['ArrowRight', 'b', 'c'],
    ['ArrowRight', 'e', 'e'],
    ['ArrowLeft', 'd', 'b'],
  ])('%s on %s selects %s', (key, from, to) => {
    expect(pressKey(spans, open(from), key)).toEqual(open(to));
  });

  test('the first key selects the first row', () => {
    expect(pressKey(spans, open(), 'ArrowDown')?.selected).toBe('a');
  });

  test('left folds and right unfolds before they move', () => {
    const folded = pressKey(spans, open('b'), 'ArrowLeft');
    expect(folded).toEqual(open('b', 'b'));
    expect(pressKey(spans, folded as WaterfallState, 'ArrowDown')?.selected).toBe('e');
    expect(pressKey(spans, folded as WaterfallState, 'ArrowRight')).toEqual(open('b'));
    expect(pressKey(spans, folded as WaterfallState, 'ArrowLeft')?.selected).toBe('a');
  });

  test('other keys mean nothing', () => {
    expect(pressKey(spans, open('a'), 'x')).toBeUndefined();
  });

  test('folding over the selection moves it to the folded row', () => {
    expect(toggleRow(spans, open('d'), 'b')).toEqual(open('b', 'b'));
    expect(toggleRow(spans, open('e'), 'b')).toEqual(open('e', 'b'));
  });

  test('a span that is looked for is unfolded', () => {
    expect(reveal(byId, open(undefined, 'a', 'b', 'e'), 'd')).toEqual(open('d', 'e'));
  });

  test.each([
    [0, [0]],
    [10, [0, 2, 4, 6, 8, 10]],
    [0.37, [0, 0.1, 0.2, 0.3]],
    [1234, [0, 500, 1000]],
  ])('an axis of %p ms has round ticks', (duration, ticks) => {
    expect(axisTicks(duration)).toEqual(ticks);
  });
});
