// An exponent of three digits exceeds that of a double, and keeps the written-out number short. Digits behind the point only behind a point:
// else a long text that is no number would be tried with a point at each of its digits.
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const DIGITS = /^([+-]?)(\d*)(?:\.(\d*))?$/;
const EXPONENT = /^([+-]?)(\d*)(?:\.(\d*))?e([+-]?\d+)$/i;

/** Whether a text is a number in digits, with or without a fraction and an exponent. */
export const isNumberText = (text: string): boolean => NUMBER.test(text);

/** A decimal as text without an exponent, which numbers below 1e-6 and from 1e21 on are printed with. */
export function decimalText(value: string | number | bigint): string {
  const text = String(value);
  // A fast check first, because rows are read through this function and exponents are rare.
  const parts = text.includes('e') || text.includes('E') ? EXPONENT.exec(text) : null;
  if (parts === null) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = `${whole}${fraction}`;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits.padEnd(point, '0')}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** The significant digits of a number. */
export interface Digits {
  readonly isNegative: boolean;
  /** Empty for none. */
  readonly whole: string;
  readonly fraction: string;
}

/** The significant digits of a number, none for 0 in any spelling; undefined for a text that is not a number. */
export function digitsOf(text: string): Digits | undefined {
  if (!isNumberText(text)) return undefined;
  const [, sign, before = '', behind = ''] = DIGITS.exec(decimalText(text)) ?? [];
  const [whole, fraction] = [withoutZerosBefore(before), withoutZerosBehind(behind)];
  return { isNegative: sign === '-' && whole + fraction !== '', whole, fraction };
}

/** The canonical spelling of a number: 0, 0.00 and -0 are `0`, 1e3 is `1000`; undefined for a text that is not a number. */
export function exactNumber(text: string): string | undefined {
  const digits = digitsOf(text);
  if (digits === undefined) return undefined;
  const { isNegative, whole, fraction } = digits;
  return `${isNegative ? '-' : ''}${whole || '0'}${fraction && `.${fraction}`}`;
}

/** A decimal without the zeros that its fraction ends with, and without a point that nothing is left behind. */
export function withoutEndingZeros(text: string): string {
  if (!text.includes('.')) return text;
  const cut = withoutZerosBehind(text);
  return cut.endsWith('.') ? cut.slice(0, -1) : cut;
}

// A loop, because a regular expression could backtrack at every zero of a long text.
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
