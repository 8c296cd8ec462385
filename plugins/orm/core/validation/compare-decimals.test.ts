import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareDecimals } from './compare-decimals.js';

test.each<[string, string, number]>([
  ['9', '10', -1],
  ['-9', '-10', 1],
  ['-1', '0.5', -1],
  ['0.45', '0.5', -1],
  ['1.10', '1.1', 0],
  ['007', '7', 0],
  ['+7', '7', 0],
  ['-0.00', '0', 0],
  ['.5', '0.5', 0],
  ['5.', '5', 0],
  ['1e+21', '1000000000000000000000', 0],
  ['1e-7', '0.0000001', 0],
  ['9007199254740993', '9007199254740992', 1],
  ['0.30000000000000000001', '0.3', 1],
])('%s beside %s', (left, right, sign) => {
  expect(Math.sign(compareDecimals(left, right))).toBe(sign);
  expect(Math.sign(compareDecimals(right, left)) + sign).toBe(0);
});

test.each(['', '.', '+', 'ten', '1,5', '1.2.3', '0x10', ' 1'])('"%s" is no decimal', (text) => {
  expect(compareDecimals(text, '1')).toBeNaN();
  expect(compareDecimals('1', text)).toBeNaN();
});

test('agrees with whole numbers of one scale', () => {
  const scaled = (value: bigint) => `${value < 0n ? '-' : ''}${String(value < 0n ? -value : value).padStart(4, '0')}`;
  const text = (value: bigint) => scaled(value).replace(/(\d{3})$/, '.$1');
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.bigInt(-(10n ** 30n), 10n ** 30n), (a, b) => {
      expect(Math.sign(compareDecimals(text(a), text(b)))).toBe(a === b ? 0 : a < b ? -1 : 1);
    }),
  );
});
