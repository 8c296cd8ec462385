import {
  dateOfYears,
  finerDigits,
  isoText,
  keepFiner,
  readTimeFormat,
  type ColumnInfo,
  type TextTime,
} from '../dialect/index.js';
import { timeCodec, type TimeCodec } from './sqlite-times.js';

/** What a moment of Temporal is kept as where the tag says nothing: to the nanosecond, and ordered as it stands. */
const EXACT_FORMATS = {
  Instant: 'YYYY-MM-DDThh:mm:ss.SSSSSSSSSZ',
  PlainDateTime: 'YYYY-MM-DDThh:mm:ss.SSSSSSSSS',
} as const;

type MomentClass = keyof typeof EXACT_FORMATS;

const isMoment = (name: string | undefined): name is MomentClass => Object.hasOwn(EXACT_FORMATS, name ?? '');

/** The format that a column holds times in; undefined for the dialect's own, and for what is no time. */
export function formatOfColumn({ kind, definition }: ColumnInfo): string | undefined {
  const { format, temporal } = definition;
  if (format !== undefined || kind !== 'date') return format;
  return isMoment(temporal) ? EXACT_FORMATS[temporal] : undefined;
}

/** The codec of a column's times; undefined for the dialect's own form, and for what is no time. */
export function codecOfColumn(column: ColumnInfo): TimeCodec | undefined {
  const format = formatOfColumn(column);
  if (format === undefined) return undefined;
  return column.definition.temporal === undefined ? timeCodec(format) : exactCodec(format);
}

/** A moment of Temporal that no column explains, as one of its class is kept. */
export const looseMoment = (name: string | undefined, date: Date): unknown =>
  isMoment(name) ? exactCodec(EXACT_FORMATS[name]).encode(date) : undefined;

const made = new Map<string, TimeCodec>();

// The format is one of those whose values are ordered as they stand (formatProblem).
function exactCodec(format: string): TimeCodec {
  const known = made.get(format);
  if (known) return known;
  const read = readTimeFormat(format);
  const plain = timeCodec(format);
  const codec = read?.is === 'text' ? exactText(read, plain) : exactNumber(plain);
  made.set(format, codec);
  return codec;
}

/** Digits of a second behind those that a Date holds. */
const FINER_DIGITS = 6;

function exactText({ separator, seconds, digits, zone }: TextTime, { key: _key, ...plain }: TimeCodec): TimeCodec {
  const parts = (date: Date, column: ColumnInfo | undefined): readonly [held: string, rest: string] => {
    const iso = isoText(dateOfYears(date, 0, column));
    const nanoseconds = `${iso.slice(20, 23)}${finerDigits(date).padEnd(FINER_DIGITS, '0')}`;
    if (separator === undefined) return [iso.slice(0, 10), `${iso.slice(11, 19)}${nanoseconds}`];
    const day = `${iso.slice(0, 10)}${separator}`;
    if (!seconds) return [`${day}${iso.slice(11, 16)}${zone}`, `${iso.slice(17, 19)}${nanoseconds}`];
    const fraction = digits === 0 ? '' : `.${nanoseconds.slice(0, digits)}`;
    return [`${day}${iso.slice(11, 19)}${fraction}${zone}`, nanoseconds.slice(digits)];
  };
  return {
    ...plain,
    encode: (date, column) => parts(date, column)[0],
    // Behind every value of the unit that it is in, and before the next.
    comparand: (date, column) => {
      const [held, rest] = parts(date, column);
      return /[1-9]/.test(rest) ? `${held}~` : held;
    },
    decode(value) {
      const date = plain.decode(value);
      const finer = typeof value === 'string' ? /\.\d{3}(\d+)/.exec(value)?.[1] : undefined;
      return date && finer !== undefined ? keepFiner(date, finer) : date;
    },
  };
}

function exactNumber(plain: TimeCodec): TimeCodec {
  return {
    ...plain,
    // Between two whole numbers for what is between two values of the column.
    comparand: (date, column) => {
      const whole = plain.encode(date, column) as bigint;
      const isWhole = finerDigits(date) === '' && plain.decode(whole)?.getTime() === date.getTime();
      return isWhole ? whole : Number(whole) + 0.5;
    },
  };
}
