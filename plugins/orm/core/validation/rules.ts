import type { ValidationRule } from '../model/tag-grammar.js';

/** A rule of one's own; returns or throws what is wrong, or gives nothing. */
export type CustomRule = (value: unknown) => Error | string | null | undefined;

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
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = rule;
  }
}

/** What is wrong with a value under one rule, or undefined. Rules other than `required` let null and undefined pass. */
export function checkRule({ rule, argument = '' }: ValidationRule, value: unknown): Error | undefined {
  if (rule === 'required') return isZero(value) ? new RuleError(rule, 'is required') : undefined;
  if (value === null || value === undefined) return undefined;
  if (rule === 'custom') return customFailure(argument, value);
  const message = FORMATS[rule](value, argument);
  return message === undefined ? undefined : new RuleError(rule, message);
}

function isZero(value: unknown): boolean {
  if (value instanceof Date) return Number.isNaN(value.getTime());
  return value === null || value === undefined || value === '' || value === 0 || value === 0n || value === false;
}

type Check = (value: unknown, argument: string) => string | undefined;

const unless = (holds: boolean, message: string): string | undefined => (holds ? undefined : message);

// Length counts code points, not UTF-16 units, so that an emoji is one character.
const size = (value: unknown): number => [...(typeof value === 'string' ? value : String(value))].length;
const isNumber = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';

const FORMATS: Readonly<Record<Exclude<ValidationRule['rule'], 'required' | 'custom'>, Check>> = {
  min: (value, least) =>
    isNumber(value)
      ? unless(value >= Number(least), `must be >= ${least}`)
      : unless(size(value) >= Number(least), `must be at least ${least} characters`),
  max: (value, most) =>
    isNumber(value)
      ? unless(value <= Number(most), `must be <= ${most}`)
      : unless(size(value) <= Number(most), `must be at most ${most} characters`),
  email: (value) => unless(typeof value === 'string' && isEmail(value), 'is not a valid email'),
  url: (value) => unless(typeof value === 'string' && isAbsoluteUrl(value), 'is not a valid URL'),
  uuid: (value) => unless(typeof value === 'string' && UUID.test(value), 'is not a valid UUID'),
  regex: (value, pattern) => unless(compiled(pattern).test(String(value)), `does not match pattern ${pattern}`),
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

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

const patterns = new Map<string, RegExp>();
const MOST_PATTERNS = 500;

function compiled(pattern: string): RegExp {
  const found = patterns.get(pattern);
  if (found) return found;
  if (patterns.size >= MOST_PATTERNS) patterns.clear();
  const made = new RegExp(pattern, 'u');
  patterns.set(pattern, made);
  return made;
}

function customFailure(name: string, value: unknown): Error | undefined {
  const rule = custom.get(name);
  if (!rule) return new RuleError('custom', `unknown custom validator "${name}"`);
  try {
    const failure = rule(value);
    if (failure === null || failure === undefined) return undefined;
    return typeof failure === 'string' ? new RuleError('custom', failure) : failure;
  } catch (error) {
    return error instanceof Error ? error : new RuleError('custom', String(error));
  }
}
