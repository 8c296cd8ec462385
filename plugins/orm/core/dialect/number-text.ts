// Three digits of exponent are more than a double has, and what is written out stays short.
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const EXPONENT = /^([+-]?)(\d*)\.?(\d*)e([+-]?\d+)$/i;

/** Whether a text is a number in digits, with or without a fraction and an exponent. */
export const isNumberText = (text: string): boolean => NUMBER.test(text);

/** A decimal as text without an exponent, which numbers below 1e-6 and from 1e21 on are printed with. */
export function decimalText(value: string | number | bigint): string {
  const text = String(value);
  // Nearly none has an exponent, and rows are read through here.
  const parts = text.includes('e') || text.includes('E') ? EXPONENT.exec(text) : null;
  if (parts === null) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = `${whole}${fraction}`;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits.padEnd(point, '0')}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** The one spelling of a number, with every digit that counts: 0, 0.00 and -0 are `0`, 1e3 is `1000`. Undefined for what is none. */
export function exactNumber(text: string): string | undefined {
  if (!isNumberText(text)) return undefined;
  const [, sign, whole = '', fraction = ''] = /^([+-]?)0*(\d*)\.?(\d*?)0*$/.exec(decimalText(text)) ?? [];
  const digits = `${whole || '0'}${fraction && `.${fraction}`}`;
  return sign === '-' && digits !== '0' ? `-${digits}` : digits;
}
