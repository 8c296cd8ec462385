import { describe, expect, test } from '@jest/globals';
import { type Duration, milliseconds } from './duration.js';

describe('milliseconds', () => {
  test.each<[Duration, number]>([
    [250, 250],
    ['500ms', 500],
    ['10s', 10_000],
    ['1.5m', 90_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
  ])('reads %p as %d', (duration, expected) => {
    expect(milliseconds(duration)).toBe(expected);
  });

  test.each(['5 minutes', '-1s', '', 'soon', -5, Number.NaN])('refuses %p and says what is expected', (bad) => {
    expect(() => milliseconds(bad as Duration)).toThrow(/is not a duration.*500ms, 10s, 1m, 2h, 7d/);
  });
});
