import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isoText } from './iso-text.js';

const LATEST = 8.64e15;

describe('isoText', () => {
  test('writes what toISOString writes, whatever date came before', () => {
    const dates = fc.date({ noInvalidDate: true });
    fc.assert(
      fc.property(dates, fc.integer({ min: -86_400_000, max: 86_400_000 }), (date, apart) => {
        const near = new Date(Math.min(LATEST, Math.max(-LATEST, date.getTime() + apart)));
        const row = [date, near, date];
        expect(row.map(isoText)).toEqual(row.map((each) => each.toISOString()));
      }),
    );
  });

  test('refuses an invalid date as toISOString does', () => {
    expect(() => isoText(new Date(Number.NaN))).toThrow(RangeError);
  });
});
