import { TEMPORAL_KINDS } from './temporal.js';
import type { ColumnDefinition } from './model-definition.js';

/** Numbers that stand for a time. */
const NUMBERS = ['unix', 'unixms', 'unixreal', 'julian'] as const;

/** A number that stands for a time: seconds since 1970 without and with a fraction, milliseconds, days of the Julian calendar. */
export type NumberTime = (typeof NUMBERS)[number];

/** How a column holds times as text. */
export interface TextTime {
  /** Between date and time; undefined for a date alone. */
  readonly separator: 'T' | ' ' | undefined;
  readonly seconds: boolean;
  /** Digits behind the seconds. */
  readonly digits: number;
  /** Whether a value may have fewer digits, or none. */
  readonly optional: boolean;
  /** `+hh:mm` is any offset; the others are written as they are. */
  readonly zone: '' | 'Z' | '+00:00' | ' +00:00' | '+hh:mm';
}

/** How a column holds times (`format=` in the tag). */
export type TimeFormat = { readonly is: NumberTime } | ({ readonly is: 'text' } & TextTime);

/** What `format=` takes, for sentences. */
export const TIME_FORMATS = `${NUMBERS.join(', ')}, or a pattern such as YYYY-MM-DD, YYYY-MM-DD hh:mm:ss, YYYY-MM-DDThh:mm:ss.SSSZ or YYYY-MM-DD hh:mm:ss[.SSSSSS]+hh:mm`;

const TEXT = /^YYYY-MM-DD(?:([T ])hh:mm(?:(:ss)(?:\.(S{1,9})|\[\.(S{1,9})\])?)?(Z|\+00:00| \+00:00|\+hh:mm)?)?$/;

/** Reads what stands behind `format=`; undefined for what is none. */
export function readTimeFormat(text: string): TimeFormat | undefined {
  if ((NUMBERS as readonly string[]).includes(text)) return { is: text as NumberTime };
  const parts = TEXT.exec(text);
  if (parts === null) return undefined;
  const [, separator, seconds, fixed, optional, zone = ''] = parts;
  // An offset is read with seconds before it.
  if (zone === '+hh:mm' && seconds === undefined) return undefined;
  return {
    is: 'text',
    separator: separator as TextTime['separator'],
    seconds: seconds !== undefined,
    digits: (fixed ?? optional ?? '').length,
    optional: optional !== undefined,
    zone: zone as TextTime['zone'],
  };
}

/** A format as a tag has it. */
export function timeFormatText(format: TimeFormat): string {
  if (format.is !== 'text') return format.is;
  const { separator, seconds, digits, optional, zone } = format;
  if (separator === undefined) return 'YYYY-MM-DD';
  const fraction = digits === 0 ? '' : `.${'S'.repeat(digits)}`;
  return `YYYY-MM-DD${separator}hh:mm${seconds ? ':ss' : ''}${optional ? `[${fraction}]` : fraction}${zone}`;
}

// Of numbers those that are whole, and of texts those that are ordered as they stand.
const isExact = (format: TimeFormat): boolean =>
  format.is === 'text' ? !format.optional && format.zone !== '+hh:mm' : format.is === 'unix' || format.is === 'unixms';

/** Why a column cannot have the `format=` of its tag or its class of Temporal; undefined when it can, or has neither. */
export function formatProblem({
  format,
  kind,
  temporal,
}: Pick<ColumnDefinition, 'format' | 'kind' | 'temporal'>): string | undefined {
  if (temporal !== undefined && TEMPORAL_KINDS[temporal] !== kind)
    return `Temporal.${temporal} is for a column of the kind ${TEMPORAL_KINDS[temporal]}, and this one is of the kind ${kind}`;
  if (format === undefined) return undefined;
  if (kind !== 'date') return `format=${format} is for a Date, and the column is of the kind ${kind}`;
  const read = readTimeFormat(format);
  if (read === undefined) return `format= is one of ${TIME_FORMATS}; got "${format}"`;
  if (temporal === undefined || isExact(read)) return undefined;
  return `format=${format} has several values for one moment, so that nanoseconds cannot be compared in it: declare the property as Date`;
}
