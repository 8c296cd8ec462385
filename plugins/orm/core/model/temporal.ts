import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import { finerDigits, keepFiner } from './finer-time.js';
import type { ColumnKind } from './kinds.js';

/**
 * Classes of Temporal that a column's values may have, and the kind that such a column is of. On the way to and from the database a value
 * has the form of its kind; the class is how the application sees it (https://tc39.es/proposal-temporal/).
 */
export const TEMPORAL_KINDS = {
  PlainDate: 'plainDate',
  PlainTime: 'plainTime',
  PlainDateTime: 'date',
  Instant: 'date',
  Duration: 'interval',
} as const satisfies Readonly<Record<string, ColumnKind>>;

/** Name of a class of Temporal that a column's values may have. */
export type TemporalClass = keyof typeof TEMPORAL_KINDS;

/** A value of such a class, whichever declarations of Temporal a program has. */
export interface TemporalValue<Name extends TemporalClass = TemporalClass> {
  readonly [Symbol.toStringTag]: `Temporal.${Name}`;
}

/** What is used of the namespace, which TypeScript declares from its release 6 on. */
interface Namespace {
  readonly PlainDate: Readable;
  readonly PlainTime: Readable;
  readonly PlainDateTime: Readable;
  readonly Duration: Readable;
  readonly Instant: Readable & {
    new (nanoseconds: bigint): object;
    fromEpochMilliseconds(milliseconds: number): object;
  };
}

interface Readable {
  from(text: string): object;
}

/** Members that are used of the values. */
interface Members {
  readonly calendarId?: unknown;
  readonly epochMilliseconds: number;
  readonly epochNanoseconds: bigint;
  toString(options?: { readonly calendarName: 'never' }): string;
}

const PREFIX = 'Temporal.';
const MILLION = 1_000_000n;
/** Digits of a second that a Date does not hold. */
const FINER_DIGITS = 6;

/** Whether a text names a class of Temporal that a column's values may have. */
export const isTemporalClass = (name: string): name is TemporalClass => Object.hasOwn(TEMPORAL_KINDS, name);

/** Name of the class of a value of Temporal, of any of its classes: `PlainDate`; undefined for any other value. */
export function temporalName(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const tag: unknown = (value as Partial<TemporalValue>)[Symbol.toStringTag];
  return typeof tag === 'string' && tag.startsWith(PREFIX) ? tag.slice(PREFIX.length) : undefined;
}

/** The class of a value, if a column's values may have it. A polyfill's values are such of the same class. */
export function temporalClass(value: unknown): TemporalClass | undefined {
  const name = temporalName(value);
  return name !== undefined && isTemporalClass(name) ? name : undefined;
}

/** A value in the form that its kind has without Temporal: exact, to the nanosecond. */
export interface KindForm {
  readonly name: TemporalClass;
  readonly kind: ColumnKind;
  readonly form: Date | string;
}

/** The form of a value of Temporal; undefined for any other value, and for one of another calendar than that of ISO 8601. */
export function kindForm(value: unknown): KindForm | undefined {
  const name = temporalClass(value);
  if (name === undefined || !isOfIsoCalendar(value)) return undefined;
  return { name, kind: TEMPORAL_KINDS[name], form: formOf(name, value as Members) };
}

// Databases have this calendar alone, and a value that lost its own would be another one.
const isOfIsoCalendar = (value: unknown): boolean => ((value as Members).calendarId ?? 'iso8601') === 'iso8601';

function formOf(name: TemporalClass, value: Members): Date | string {
  switch (name) {
    case 'Instant':
      return momentOf(value);
    case 'PlainDateTime':
      return dateOfText(value.toString({ calendarName: 'never' }));
    case 'PlainDate':
      return value.toString({ calendarName: 'never' });
    default:
      return value.toString();
  }
}

function momentOf({ epochMilliseconds, epochNanoseconds }: Members): Date {
  const finer = epochNanoseconds - BigInt(epochMilliseconds) * MILLION;
  return keepFiner(new Date(epochMilliseconds), String(finer).padStart(FINER_DIGITS, '0'));
}

// The calendar's time as if it were one of UTC, which it is for every database that keeps no zone beside it.
function dateOfText(text: string): Date {
  const [seconds = '', fraction = ''] = text.split('.');
  return keepFiner(new Date(`${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`), fraction.slice(3));
}

/** Whether this process has Temporal: Node has it from its release 26 on, and a polyfill may bring it. */
export const hasTemporal = (): boolean => (globalThis as { readonly Temporal?: unknown }).Temporal !== undefined;

/**
 * A value of a class, from the form of its kind or from its text.
 *
 * @returns undefined for what the class does not hold
 * @throws FwError `FW_ORM_TEMPORAL` where there is no Temporal
 */
export function temporalValue(name: TemporalClass, form: Date | string): object | undefined {
  const temporal = namespace(name);
  try {
    if (form instanceof Date) return ofMoment(temporal, name, form);
    return WRITTEN[name].test(form) ? temporal[name].from(form) : undefined;
  } catch (error) {
    // By name: a polyfill, or another realm, has a class of its own.
    if ((error as { readonly name?: unknown }).name === 'RangeError') return undefined;
    throw error;
  }
}

function namespace(name: TemporalClass): Namespace {
  const found = (globalThis as { readonly Temporal?: Namespace }).Temporal;
  if (found === undefined) throw temporalMissing(`Temporal.${name}`);
  return found;
}

/** The error of a process that has no Temporal. */
export const temporalMissing = (what: string) =>
  fwError(ORM_ERRORS.FW_ORM_TEMPORAL, { what, version: process.version });

// A class takes more than it holds, such as a time with an offset, which it leaves out.
const WRITTEN: Readonly<Record<TemporalClass, RegExp>> = {
  PlainDate: /^(?:\d{4}|[+-]\d{6})-\d\d-\d\d$/,
  PlainTime: /^\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/,
  PlainDateTime: /^(?:\d{4}|[+-]\d{6})-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/,
  Instant: /^(?:\d{4}|[+-]\d{6})-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d(?::?\d\d)?)$/,
  Duration: /^[+-]?P[\d.YMWDTHS]+$/,
};

function ofMoment({ Instant, PlainDateTime }: Namespace, name: TemporalClass, date: Date): object {
  const finer = finerDigits(date);
  if (name === 'PlainDateTime') return PlainDateTime.from(`${date.toISOString().slice(0, -1)}${finer}`);
  if (finer === '') return Instant.fromEpochMilliseconds(date.getTime());
  return new Instant(BigInt(date.getTime()) * MILLION + BigInt(finer.slice(0, FINER_DIGITS).padEnd(FINER_DIGITS, '0')));
}
