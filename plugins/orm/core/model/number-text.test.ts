import { describe, expect, test } from '@jest/globals';
import { decimalText, exactNumber, withoutEndingZeros } from './number-text.js';

describe('exactNumber', () => {
  test.each([
    ['0', ['0', '0.00', '-0', '+0.0', '000', '0e5', '.0']],
    ['1000', ['1000', '1e3', '1E+3', '1000.000', '01000', '10000e-1']],
    ['100', ['100', '100.']],
    ['-0.5', ['-0.5', '-.5', '-0.50', '-5e-1', '-0.005e2']],
    ['9007199254740993', ['9007199254740993', '9007199254740993.0', '9.007199254740993e15']],
    ['12345678901234567890.123456789', ['12345678901234567890.1234567890']],
  ])('%s has one spelling', (exact, texts) => {
    expect(texts.map(exactNumber)).toEqual(texts.map(() => exact));
  });

  test.each(['', '-', '.', 'abc', '1 2', '0x10', 'NaN', 'Infinity', '1e', '1e99999', '1,5'])(
    '%j is no number',
    (text) => {
      expect(exactNumber(text)).toBeUndefined();
    },
  );
});

test('a text of a million digits and a letter is read at once', () => {
  const text = `${'1'.repeat(1_000_000)}x`;
  expect([exactNumber(text), decimalText(`${text}e5`).length]).toEqual([undefined, text.length + 2]);
});

test('zeros at the end of a fraction are cut off, also of a long one', () => {
  expect(['1.50', '1.00', '-0.0', '100', '0.05'].map(withoutEndingZeros)).toEqual(['1.5', '1', '-0', '100', '0.05']);
  const zeros = '0'.repeat(1_000_000);
  expect(withoutEndingZeros(`1.${zeros}1${zeros}`)).toBe(`1.${zeros}1`);
});

test('decimalText writes exponents out', () => {
  expect([1e21, 1e-7, -1.5e-7, '+2.5E3', '1e0', '0.10'].map(decimalText)).toEqual([
    '1000000000000000000000',
    '0.0000001',
    '-0.00000015',
    '+2500',
    '1',
    '0.10',
  ]);
});
