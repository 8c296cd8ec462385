import { describe, expect, test } from '@jest/globals';
import { durationText } from './duration-text.js';
import { networkOf } from './client-key.js';

describe('networkOf', () => {
  test.each([
    ['192.0.2.1', 64, '192.0.2.1'],
    ['2001:db8::1', 128, '2001:db8::1'],
    ['2001:db8::1', 64, '2001:db8:0:0:0:0:0:0/64'],
    ['2001:db8:0:1::', 64, '2001:db8:0:1:0:0:0:0/64'],
    ['2001:db8:ff:ffff::', 56, '2001:db8:ff:ff00:0:0:0:0/56'],
    ['64:ff9b::192.0.2.33', 96, '64:ff9b:0:0:0:0:0:0/96'],
    ['not an address', 64, 'not an address'],
  ])('%s with prefix %d is %s', (address, prefix, expected) => {
    expect(networkOf(address, prefix)).toBe(expected);
  });
});

describe('durationText', () => {
  test.each([
    [0, '0s'],
    [500, '500ms'],
    [1000, '1s'],
    [1500, '1.5s'],
    [60_000, '1m0s'],
    [3_600_000, '1h0m0s'],
    [5_430_000, '1h30m30s'],
  ])('%d ms is %s', (milliseconds, expected) => {
    expect(durationText(milliseconds)).toBe(expected);
  });
});
