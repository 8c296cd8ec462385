import {
  dateOfYears,
  heldAs,
  isoText,
  keepFiner,
  readTimeFormat,
  timeOfIsoText,
  type ColumnInfo,
  type NumberTime,
  type TextTime,
} from '../dialect/index.js';

/** How a column of SQLite holds times. One per format; made when a statement or a scanner is. */
export interface TimeCodec {
  /** What the column is to hold; what is finer than its unit is cut off. */
  encode(date: Date, column?: ColumnInfo): unknown;
  /** What a value of the column is compared with: exact, also where no value of the column can be equal. */
  comparand(date: Date, column?: ColumnInfo): unknown;
  /** The time that a value stands for; undefined for a value of another form. */
  decode(value: unknown): Date | undefined;
  /** SQL that orders and equals as the milliseconds of the column do; absent where its values do so by themselves. */
  key?(column: string): string;
  /** SQL of the milliseconds since 1970, to compare columns of two formats. */
  instant(column: string): string;
  /** SQL of the current time. */
  readonly now: string;
}

/** What a Date is kept as where the tag says nothing. */
export const ISO_FORMAT = 'YYYY-MM-DDThh:mm:ss.SSSZ';

const made = new Map<string, TimeCodec>();

/** The codec of a format that {@link readTimeFormat} has let through. */
export function timeCodec(format = ISO_FORMAT): TimeCodec {
  const known = made.get(format);
  if (known) return known;
  const read = readTimeFormat(format);
  const plain = read === undefined || read.is === 'text' ? textCodec(read ?? ISO) : numberCodec(read.is);
  // Where a form has a key, it says one moment in several ways.
  const codec = plain.key === undefined ? plain : keptCodec(plain, format);
  made.set(format, codec);
  return codec;
}

// What was read is written as it was, while it is the same moment.
function keptCodec(codec: TimeCodec, form: string): TimeCodec {
  return {
    ...codec,
    encode: (date, column) => heldAs(date, form) ?? codec.encode(date, column),
    decode(value) {
      const date = codec.decode(value);
      if (date === undefined || codec.encode(date) === value) return date;
      // A double would be kept as one in a column without a type.
      const held = typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
      return keepFiner(date, typeof value === 'string' ? finerIn(value) : '', held, form);
    },
  };
}

const finerIn = (text: string): string => /\.\d{3}(\d+)/.exec(text)?.[1] ?? '';

const ISO: TextTime = { separator: 'T', seconds: true, digits: 3, optional: false, zone: 'Z' };
const DAY = 86_400_000;
const MINUTE = 60_000;
const SECOND = 1000;
/** Digits of a Date behind the second. */
const DATE_DIGITS = 3;
/** Milliseconds from noon of the first Julian day to 1970. */
const JULIAN_EPOCH = 210_866_760_000_000;
/** Days of the years 0 to 9999. */
const [FIRST_JULIAN, LAST_JULIAN] = [1_721_059.5, 5_373_484.5];
/** Beyond this, what counts milliseconds is taken for seconds: the year 5138. */
export const MOST_SECONDS = 100_000_000_000;

const DATE_PART = '(\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01]))';
const TIME_PART = '((?:[01]\\d|2[0-3]):[0-5]\\d';

function textCodec(format: TextTime): TimeCodec {
  const { separator, seconds, digits, optional, zone } = format;
  const unit = unitOf(format);
  const written = zone === '+hh:mm' ? '+00:00' : zone;
  const text = (date: Date, column: ColumnInfo | undefined): string => {
    const iso = isoText(dateOfYears(date, 0, column));
    if (separator === undefined) return iso.slice(0, 10);
    const time = `${iso.slice(0, 10)}${separator}${iso.slice(11, seconds ? 19 : 16)}`;
    return `${time}${fraction(iso)}${written}`;
  };
  const fraction = (iso: string): string => {
    if (digits === 0 || (optional && iso.endsWith('.000Z'))) return '';
    return `.${iso
      .slice(20, 23)
      .padEnd(digits, '0')
      .slice(0, Math.max(digits, optional ? DATE_DIGITS : 0))}`;
  };
  const key = keyOf(format);
  return {
    encode: text,
    comparand: (date, column) => {
      if (key !== undefined) return keyText(format, isoText(dateOfYears(date, 0, column)));
      // Behind every value of the unit that it is in, and before the next.
      return date.getTime() % unit === 0 ? text(date, column) : `${text(date, column)}~`;
    },
    decode: textReader(format),
    ...(key && { key }),
    instant: (column) => `CAST(ROUND((julianday(${key?.(column) ?? column}) - 2440587.5) * ${DAY}.0) AS INTEGER)`,
    now: nowText(format, written),
  };
}

function unitOf({ separator, seconds, digits, optional }: TextTime): number {
  if (separator === undefined) return DAY;
  if (!seconds) return MINUTE;
  return optional || digits >= DATE_DIGITS ? 1 : SECOND / 10 ** digits;
}

/** Whether texts of a format are ordered and equal as the milliseconds that are read of them. */
const sortsByItself = ({ digits, optional, zone }: TextTime): boolean =>
  !optional && digits <= DATE_DIGITS && zone !== '+hh:mm';

// A text of the same format, of which each has the milliseconds in full.
function keyOf(format: TextTime): ((column: string) => string) | undefined {
  const { digits, optional, zone } = format;
  if (sortsByItself(format)) return undefined;
  if (!optional && zone !== '+hh:mm')
    return (column) => `(substr(${column}, 1, 23) || '${'0'.repeat(digits - DATE_DIGITS)}${zone}')`;
  const padded = (rest: string) => `substr(coalesce(nullif(${rest}, ''), '.') || '000', 1, 4)`;
  if (zone !== '+hh:mm') {
    const rest = (column: string) =>
      zone === '' ? `substr(${column}, 20)` : `replace(substr(${column}, 20), '${zone}', '')`;
    return (column) => `(substr(${column}, 1, 19) || ${padded(rest(column))} || '${zone}')`;
  }
  return (column) => {
    const length = `CASE WHEN substr(${column}, -1) = 'Z' THEN 1 ELSE 6 END`;
    const utc = `datetime(substr(${column}, 1, 19) || substr(${column}, -(${length})))`;
    return `(${utc} || ${padded(`substr(${column}, 20, length(${column}) - 19 - ${length})`)} || 'Z')`;
  };
}

/** What {@link keyOf} makes of a time. */
function keyText({ separator, digits, optional, zone }: TextTime, iso: string): string {
  if (zone === '+hh:mm') return `${iso.slice(0, 10)} ${iso.slice(11)}`;
  const zeros = optional ? '' : '0'.repeat(digits - DATE_DIGITS);
  return `${iso.slice(0, 10)}${separator ?? ''}${iso.slice(11, 23)}${zeros}${zone}`;
}

const ZONES: Readonly<Record<TextTime['zone'], string>> = {
  '': '()',
  Z: '(Z)',
  '+00:00': '(\\+00:00)',
  ' +00:00': '( \\+00:00)',
  '+hh:mm': '(Z|[+-]\\d\\d:\\d\\d)',
};

function textReader(format: TextTime): (value: unknown) => Date | undefined {
  const { separator, seconds, digits, optional, zone } = format;
  // The key of values with offsets is one of them, too.
  const isLoose = optional || zone === '+hh:mm';
  const most = isLoose ? Math.max(digits, DATE_DIGITS) : digits;
  const behind = most === 0 ? '()' : `(?:\\.(\\d{${isLoose ? 1 : most},${most}}))${isLoose ? '?' : ''}`;
  const between = zone === '+hh:mm' ? '[T ]' : separator;
  const time =
    separator === undefined ? '' : `${between}${TIME_PART}${seconds ? ':[0-5]\\d' : ''})${behind}${ZONES[zone]}`;
  const pattern = new RegExp(`^${DATE_PART}${time}$`);
  return (value) => {
    const parts = typeof value === 'string' ? pattern.exec(value) : null;
    if (parts === null) return undefined;
    const [, date = '', clock = '00:00', fraction = '', offset = ''] = parts;
    const full = clock.length === 5 ? `${clock}:00` : clock;
    const at = timeOfIsoText(`${date}T${full}.${fraction.padEnd(DATE_DIGITS, '0').slice(0, DATE_DIGITS)}Z`);
    // A day that its month does not have.
    if (new Date(at).getUTCDate() !== Number(date.slice(8))) return undefined;
    return new Date(zone === '+hh:mm' && offset !== 'Z' ? at - minutesOf(offset) * MINUTE : at);
  };
}

function minutesOf(offset: string): number {
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4));
  return offset.startsWith('-') ? -minutes : minutes;
}

function nowText({ separator, seconds, digits, optional }: TextTime, zone: string): string {
  if (separator === undefined) return 'CURRENT_DATE';
  // https://sqlite.org/lang_createtable.html#the_default_clause
  if (separator === ' ' && seconds && digits === 0 && zone === '') return 'CURRENT_TIMESTAMP';
  const isFull = digits >= DATE_DIGITS || optional;
  const clock = !seconds ? '%H:%M' : isFull ? '%H:%M:%f' : '%H:%M:%S';
  const rest =
    !seconds || digits === 0 ? '' : isFull ? '0'.repeat(optional ? 0 : digits - DATE_DIGITS) : `.${'0'.repeat(digits)}`;
  return `(strftime('%Y-%m-%d${separator}${clock}${rest}${zone}', 'now'))`;
}

const exactly = (value: number): Date => new Date(value);
const within = (value: unknown, low: number, high: number): value is number | bigint =>
  (typeof value === 'number' || typeof value === 'bigint') && value >= low && value <= high;

function numberCodec(unit: NumberTime): TimeCodec {
  return NUMBER_CODECS[unit];
}

/** Whole numbers travel as such: a double would be kept as one in a column without a type. */
const NUMBER_CODECS: Readonly<Record<NumberTime, TimeCodec>> = {
  unix: {
    encode: (date) => BigInt(Math.floor(date.getTime() / SECOND)),
    comparand: (date) => date.getTime() / SECOND,
    decode: (value) =>
      within(value, -MOST_SECONDS, MOST_SECONDS) && Number.isInteger(Number(value))
        ? exactly(Number(value) * SECOND)
        : undefined,
    instant: (column) => `(${column} * 1000)`,
    now: `(CAST(strftime('%s', 'now') AS INTEGER))`,
  },
  unixreal: {
    encode: (date) => date.getTime() / SECOND,
    comparand: (date) => date.getTime() / SECOND,
    decode: (value) =>
      within(value, -MOST_SECONDS, MOST_SECONDS) ? exactly(Math.round(Number(value) * SECOND)) : undefined,
    key: (column) => `(ROUND(${column} * 1000.0) / 1000.0)`,
    instant: (column) => `CAST(ROUND(${column} * 1000.0) AS INTEGER)`,
    now: `((julianday('now') - 2440587.5) * 86400.0)`,
  },
  unixms: {
    encode: (date) => BigInt(date.getTime()),
    comparand: (date) => date.getTime(),
    decode: (value) =>
      within(value, -8.64e15, 8.64e15) && Number.isInteger(Number(value)) ? exactly(Number(value)) : undefined,
    instant: (column) => column,
    now: `(CAST(ROUND((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER))`,
  },
  julian: {
    encode: (date, column) => (dateOfYears(date, 0, column).getTime() + JULIAN_EPOCH) / DAY,
    comparand: (date) => (date.getTime() + JULIAN_EPOCH) / DAY,
    decode: (value) =>
      within(value, FIRST_JULIAN, LAST_JULIAN) ? exactly(Math.round(Number(value) * DAY) - JULIAN_EPOCH) : undefined,
    key: (column) => `(ROUND(${column} * ${DAY}.0) / ${DAY}.0)`,
    instant: (column) => `(CAST(ROUND(${column} * ${DAY}.0) AS INTEGER) - ${JULIAN_EPOCH})`,
    now: `(julianday('now'))`,
  },
};
