import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cutText } from './cut-text.js';

test('gives the beginning of any text, half a pair of surrogates too', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\ud83d', '\0') });
  fc.assert(fc.property(text, fc.nat(20), (whole, most) => expect(cutText(whole, most)).toBe(whole.slice(0, most))));
});
