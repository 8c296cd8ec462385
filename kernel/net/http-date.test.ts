import { expect, test } from '@jest/globals';
import { httpDate } from './index.js';

test('reads the three forms of a date, and nothing else', () => {
  const at = Date.UTC(1994, 10, 6, 8, 49, 37);
  expect(httpDate('Sun, 06 Nov 1994 08:49:37 GMT')).toBe(at);
  expect(httpDate('Sunday, 06-Nov-94 08:49:37 GMT')).toBe(at);
  expect(httpDate('Sun Nov  6 08:49:37 1994')).toBe(at);
  // In the zone of the machine, or in another one, they would be other moments.
  for (const zone of ['', ' +0200', ' PST']) expect(httpDate(`Sun, 06 Nov 1994 08:49:37${zone}`)).toBeUndefined();
  expect([httpDate('1994'), httpDate(''), httpDate(undefined), httpDate('x')]).toEqual(Array(4).fill(undefined));
});
