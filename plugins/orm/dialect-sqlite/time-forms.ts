import { timeFormatText, type TextTime, type TimeFormat } from '../dialect/index.js';
import { MOST_SECONDS, timeCodec } from './sqlite-times.js';

// What begins like a time of ours; whether it is one says the codec of its form.
const TEXT = /^\d{4}-\d\d-\d\d(?:([T ])\d\d:\d\d(:\d\d(?:\.(\d{1,9}))?)?(Z| ?[+-]\d\d:\d\d)?)?$/;
/** Numbers below are of a time near 1970, or of another count. */
const LEAST_SECONDS = 100_000_000;
const [FIRST_JULIAN, LAST_JULIAN] = [1_721_059.5, 5_373_484.5];

/** The form of one value of a column; undefined for what is no time, and for a number that may be one of several. */
export function formOf(value: unknown): TimeFormat | undefined {
  const found = typeof value === 'string' ? textForm(value) : numberForm(value);
  return found && timeCodec(timeFormatText(found)).decode(value) === undefined ? undefined : found;
}

function textForm(value: string): TimeFormat | undefined {
  const parts = TEXT.exec(value);
  if (parts === null) return undefined;
  const [, separator, seconds, fraction = '', zone = ''] = parts;
  const isPlain = zone === '' || zone === 'Z' || zone === '+00:00' || zone === ' +00:00';
  return {
    is: 'text',
    separator: separator as TextTime['separator'],
    seconds: seconds !== undefined,
    digits: fraction.length,
    optional: false,
    zone: isPlain ? zone : '+hh:mm',
  };
}

function numberForm(value: unknown): TimeFormat | undefined {
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  const number = Number(value);
  const size = Math.abs(number);
  if (!Number.isInteger(number) && number >= FIRST_JULIAN && number <= LAST_JULIAN) return { is: 'julian' };
  if (size >= MOST_SECONDS) return { is: 'unixms' };
  if (size < LEAST_SECONDS) return undefined;
  return { is: Number.isInteger(number) ? 'unix' : 'unixreal' };
}

/**
 * The form of a column that holds values of these, which stand for all of them.
 *
 * @param values - of each form the least and the greatest
 * @returns undefined where there is none
 */
export function formOfAll(values: readonly unknown[]): TimeFormat | undefined {
  if (values.every((value) => typeof value === 'number' || typeof value === 'bigint')) return numberFormOfAll(values);
  const forms = values.map(formOf);
  const [first] = forms;
  if (first?.is !== 'text') return undefined;
  const texts = forms.filter((form) => form?.is === 'text');
  if (texts.length < forms.length) return undefined;
  return joined(texts as readonly (TimeFormat & { is: 'text' })[]);
}

function joined(forms: readonly (TextTime & { readonly is: 'text' })[]): TimeFormat | undefined {
  const one = <Part>(part: (form: TextTime) => Part) => new Set(forms.map(part)).size === 1;
  const [first] = forms;
  if (!first || !one(({ separator }) => separator) || !one(({ seconds }) => seconds)) return undefined;
  const digits = Math.max(...forms.map((form) => form.digits));
  const isFixed = one((form) => form.digits);
  const fraction = { digits, optional: !isFixed };
  if (one(({ zone }) => zone)) return { ...first, ...fraction };
  const hasOffset = forms.every(({ zone }) => zone !== '' && zone !== ' +00:00');
  return hasOffset && first.seconds ? { ...first, ...fraction, zone: '+hh:mm' } : undefined;
}

// A column of reals holds whole ones, and some of a count may be small.
function numberFormOfAll(values: readonly (number | bigint)[]): TimeFormat | undefined {
  const numbers = values.map(Number);
  const isReal = numbers.some((number) => !Number.isInteger(number));
  if (isReal && numbers.every((number) => number >= FIRST_JULIAN && number <= LAST_JULIAN)) return { is: 'julian' };
  const sizes = numbers.map(Math.abs);
  const hasMilliseconds = sizes.some((size) => size >= MOST_SECONDS);
  const hasSeconds = sizes.some((size) => size >= LEAST_SECONDS && size < MOST_SECONDS / 10);
  if (hasMilliseconds) return hasSeconds || isReal ? undefined : { is: 'unixms' };
  if (!hasSeconds) return undefined;
  return { is: isReal ? 'unixreal' : 'unix' };
}
