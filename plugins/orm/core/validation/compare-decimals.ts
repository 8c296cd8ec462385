import { digitsOf, type Digits } from '../model/number-text.js';

/**
 * Compares two decimals by all of their digits, without a number that would round them: below 0, 0 or above 0 as for a sort, NaN
 * when one of them is no decimal.
 */
export function compareDecimals(left: string, right: string): number {
  const [a, b] = [digitsOf(left), digitsOf(right)];
  if (a === undefined || b === undefined) return Number.NaN;
  if (a.isNegative !== b.isNegative) return a.isNegative ? -1 : 1;
  return a.isNegative ? compareSizes(b, a) : compareSizes(a, b);
}

function compareSizes(a: Digits, b: Digits): number {
  return a.whole.length - b.whole.length || compareTexts(a.whole, b.whole) || compareTexts(a.fraction, b.fraction);
}

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
