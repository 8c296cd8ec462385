import { describe, expect, test } from '@jest/globals';
import { withGaps } from './gaps.js';
import { stretches } from './sparkline.js';

describe('a gap in data', () => {
  test('is a gap in the lines', () => {
    expect(withGaps({ times: [0, 2, 4, 30, 32], values: [[1, 2, 3, 4, 5]] })).toEqual({
      times: [0, 2, 4, 6, 30, 32],
      values: [[1, 2, 3, null, 4, 5]],
    });
  });

  test('is a gap in a line that goes on over what was measured without a value', () => {
    const lines = { times: [0, 2, 4, 30, 32], values: [[1, null, 3, 4, 5]] };
    expect(withGaps(lines, true).values).toEqual([[1, undefined, 3, null, 4, 5]]);
  });

  test.each([[[]], [[1]], [[0, 1, 2, 3]], [[0, 2, 4, 8]]])('is none in %j', (times) => {
    const values = [times.map(() => 1)];
    expect(withGaps({ times, values })).toEqual({ times, values });
  });

  test('is a gap in the small line beside a number, too', () => {
    expect(stretches([1, 2, null, null, 3, null, 4, 5])).toEqual([
      { from: 0, known: [1, 2] },
      { from: 6, known: [4, 5] },
    ]);
  });
});
