import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { epochMs, isoTime, nanoseconds, sinceMs } from './nanoseconds.js';

test('times are exact, as text and as numbers', () => {
  expect(nanoseconds('1764259200000000001')).toBe(1_764_259_200_000_000_001n);
  expect(nanoseconds(5)).toBe(5n);
  expect(sinceMs('1764259200001500000', '1764259200000000000')).toBe(1.5);
  expect(epochMs('1764259200000999999')).toBe(1_764_259_200_000);
  expect(isoTime('1764259200000000000')).toBe('2025-11-27T16:00:00.000Z');
});

test.each([undefined, null, '', 'soon', '1.5', 1.5, Number.NaN, Infinity, {}, [], '0x10', ' 1 ', '9'.repeat(5000)])(
  'what is no time is 0: %p',
  (value) => expect([nanoseconds(value), isoTime(value)]).toEqual([0n, '1970-01-01T00:00:00.000Z']),
);

test('no value that an aggregator may send throws', () => {
  const sent = fc.oneof(fc.jsonValue(), fc.bigInt().map(String), fc.double(), fc.string());
  fc.assert(
    fc.property(sent, sent, (one, other) => {
      expect(Number.isNaN(sinceMs(one, other))).toBe(false);
      expect(isoTime(one)).toMatch(/Z$/);
    }),
  );
});
