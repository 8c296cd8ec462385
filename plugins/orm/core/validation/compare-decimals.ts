import { decimalText, isNumberText } from '../dialect/number-text.js';

interface Decimal {
  readonly isNegative: boolean;
  /** Without the zeros that say nothing. */
  readonly whole: string;
  readonly fraction: string;
}

/**
 * Compares two decimals by all of their digits, without a number that would round them: below 0, 0 or above 0 as for a sort, NaN
 * when one of them is no decimal.
 */
export function compareDecimals(left: string, right: string): number {
  const [a, b] = [parsed(left), parsed(right)];
  if (a === undefined || b === undefined) return Number.NaN;
  if (a.isNegative !== b.isNegative) return a.isNegative ? -1 : 1;
  return a.isNegative ? compareSizes(b, a) : compareSizes(a, b);
}

function compareSizes(a: Decimal, b: Decimal): number {
  return a.whole.length - b.whole.length || compareTexts(a.whole, b.whole) || compareTexts(a.fraction, b.fraction);
}

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

const DECIMAL = /^([+-]?)(\d*)\.?(\d*)$/;

function parsed(text: string): Decimal | undefined {
  if (!isNumberText(text)) return undefined;
  const [, sign = '', before = '', behind = ''] = DECIMAL.exec(decimalText(text)) ?? [];
  const [whole, fraction] = [withoutZerosBefore(before), withoutZerosBehind(behind)];
  return { isNegative: sign === '-' && whole + fraction !== '', whole, fraction };
}

// By hand: a pattern could begin anew at every zero of a long text.
function withoutZerosBefore(digits: string): string {
  let from = 0;
  while (digits[from] === '0') from++;
  return digits.slice(from);
}

function withoutZerosBehind(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}
