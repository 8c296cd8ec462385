import { describe, expect, test } from '@jest/globals';
import { isSameText, KnownSecret, newSecret } from './known-secret.js';

describe('a secret that callers have to know', () => {
  test('is given by its own text only', () => {
    const known = new KnownSecret('swordfish');
    expect(known.isGivenAs('swordfish')).toBe(true);
    for (const wrong of ['', 'swordfis', 'swordfish ', 'Swordfish', 'swordfish\0', undefined, null, 7, ['swordfish']]) {
      expect(known.isGivenAs(wrong)).toBe(false);
    }
  });

  test('is never given by nothing, also where it was configured as nothing', () => {
    expect(new KnownSecret('').isGivenAs('')).toBe(false);
  });

  test('is told by no property of what knows it', () => {
    expect(JSON.stringify(new KnownSecret('swordfish'))).toBe('{}');
  });
});

test('signatures are the same only letter by letter', () => {
  expect(isSameText('0af3', '0af3')).toBe(true);
  for (const wrong of ['', '0af', '0af31', '0AF3', '\u{30}\u{fe0f}af3']) expect(isSameText(wrong, '0af3')).toBe(false);
});

test('new secrets have 256 bits, and differ', () => {
  const made = Array.from({ length: 100 }, newSecret);
  expect(new Set(made).size).toBe(100);
  for (const each of made) expect(each).toMatch(/^[0-9a-f]{64}$/);
});
