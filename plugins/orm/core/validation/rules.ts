import { BoundedMap } from '../../../../kernel/bounded/index.js';
import { isUuid, typeInWords, type ColumnKind } from '../model/kinds.js';
import type { ValidationRule } from '../model/tag-grammar.js';
import type { MaybePromise } from '../session/sql-handle.js';
import { compareDecimals } from './compare-decimals.js';

type Failure = Error | string | null | undefined;

/**
 * A custom rule; returns or throws the failure, or returns nothing. A promise is awaited when a row is written; `validate` and
 * `assertValid` are synchronous and refuse it.
 */
export type CustomRule = (value: unknown) => MaybePromise<Failure>;

const custom = new Map<string, CustomRule>();

/** Makes `custom=<name>` known (SPEC "ORM values", validate rules). The last registration of a name counts. */
export function registerCustom(name: string, rule: CustomRule): void {
  custom.set(name, rule);
}

/** A broken rule; `name` is the rule, `message` says what was expected. */
class RuleError extends Error {
  constructor(
    readonly rule: string,
    message: string,
  ) {
    super(message);
    this.name = rule;
  }
}

/**
 * The failure of a value under one rule, or undefined. Rules other than `required` let null and undefined pass.
 *
 * @param kind - kind of the column, because a decimal is text but compared as a number
 * @returns for an asynchronous custom rule a promise that never rejects
 */
export function checkRule(
  { rule, argument = '' }: ValidationRule,
  value: unknown,
  kind: ColumnKind,
): MaybePromise<Error | undefined> {
  if (rule === 'required') return isZero(value, kind) ? new RuleError(rule, 'is required') : undefined;
  if (value === null || value === undefined) return undefined;
  if (rule === 'custom') return customFailure(argument, value);
  const message = FORMATS[rule](value, argument, kind);
  return message === undefined ? undefined : new RuleError(rule, message);
}

function isZero(value: unknown, kind: ColumnKind): boolean {
  if (value instanceof Date) return Number.isNaN(value.getTime());
  if (kind === 'decimal' && typeof value === 'string' && compareDecimals(value, '0') === 0) return true;
  return value === null || value === undefined || value === '' || value === 0 || value === 0n || value === false;
}

type Check = (value: unknown, argument: string, kind: ColumnKind) => string | undefined;

const unless = (holds: boolean, message: string): string | undefined => (holds ? undefined : message);

// Length counts code points, not UTF-16 units, so that an emoji is one character.
const size = (value: unknown): number => [...(typeof value === 'string' ? value : String(value))].length;

/** Compares a number, or a decimal as text, with the bound of a rule; undefined for a value with a length instead. */
function beside(value: unknown, bound: string, kind: ColumnKind): number | undefined {
  if (typeof value === 'number') return value - Number(bound);
  if (typeof value !== 'bigint' && kind !== 'decimal') return undefined;
  return compareDecimals(String(value), isPlain(bound) ? bound : String(Number(bound)));
}

// A bound may be any JavaScript number, such as `1e3`.
const isPlain = (bound: string): boolean => /^[+-]?[\d.]+$/.test(bound);

function atLeast(value: unknown, least: string, kind: ColumnKind): string | undefined {
  const difference = beside(value, least, kind);
  if (difference !== undefined) return unless(difference >= 0, `must be >= ${least}`);
  return unless(size(value) >= Number(least), `must be at least ${least} characters`);
}

function atMost(value: unknown, most: string, kind: ColumnKind): string | undefined {
  const difference = beside(value, most, kind);
  if (difference !== undefined) return unless(difference <= 0, `must be <= ${most}`);
  return unless(size(value) <= Number(most), `must be at most ${most} characters`);
}

const FORMATS: Readonly<Record<Exclude<ValidationRule['rule'], 'required' | 'custom'>, Check>> = {
  min: atLeast,
  max: atMost,
  email: (value) => unless(typeof value === 'string' && isEmail(value), 'is not a valid email'),
  url: (value) => unless(typeof value === 'string' && isAbsoluteUrl(value), 'is not a valid URL'),
  uuid: (value) => unless(typeof value === 'string' && isUuid(value), 'is not a valid UUID'),
  regex: (value, pattern) => unless(compiled(pattern).test(String(value)), `does not match pattern ${pattern}`),
};

// RFC 5322, 3.4.1: addr-spec with a dot-atom or quoted-string local part, and optionally a display name before <...>.
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-\\u0080-\\uffff]+";
const DOT_ATOM = `${ATOM}(?:\\.${ATOM})*`;
const QUOTED = '"(?:[^"\\\\\\r\\n]|\\\\.)*"';
const ADDRESS = `(?:${DOT_ATOM}|${QUOTED})@(?:${DOT_ATOM}|\\[[^\\[\\]\\\\\\s]*\\])`;
const EMAIL = new RegExp(`^(?:${ADDRESS}|(?:(?:${QUOTED}|${ATOM}(?: ${ATOM})*) *)?<${ADDRESS}>)$`);
const LONGEST_EMAIL = 320;

// The length is checked first, so that the pattern never meets more than an address can hold.
const isEmail = (value: string): boolean => value.length <= LONGEST_EMAIL && EMAIL.test(value);

function isAbsoluteUrl(value: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:\S+$/.test(value) && URL.canParse(value);
}

const patterns = new BoundedMap<string, RegExp>(500);

const compiled = (pattern: string): RegExp => patterns.use(pattern, () => new RegExp(pattern, 'u'));

function customFailure(name: string, value: unknown): MaybePromise<Error | undefined> {
  const rule = custom.get(name);
  if (!rule) return new RuleError('custom', `unknown custom validator "${name}"`);
  try {
    const failure = rule(value);
    if (!isPromise(failure)) return failureOf(name, failure);
    return Promise.resolve(failure).then((late) => failureOf(name, late), thrownOf);
  } catch (error) {
    return thrownOf(error);
  }
}

const isPromise = (value: MaybePromise<Failure>): value is Promise<Failure> =>
  typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';

const thrownOf = (error: unknown): Error => (error instanceof Error ? error : new RuleError('custom', String(error)));

function failureOf(name: string, failure: unknown): Error | undefined {
  if (failure === null || failure === undefined) return undefined;
  if (failure instanceof Error) return failure;
  if (typeof failure === 'string') return new RuleError('custom', failure);
  const expected = 'an Error, a sentence, or nothing';
  return new RuleError('custom', `the rule "${name}" gave ${typeInWords(failure)} where ${expected} was expected`);
}
