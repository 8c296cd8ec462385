import type { JsonSchema } from '../contracts/docs.js';

/** A number as JSON writes it (RFC 8259, section 6): no sign `+`, no blanks, no leading zeros, no `0x`. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

// `on` is what a checkbox of HTML sends.
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off'].map((word) => [word, false] as const),
]);

/** Text as a number, where JSON would read it as one. */
export function readNumber(value: unknown): unknown {
  return typeof value === 'string' && JSON_NUMBER.test(value) ? Number(value) : value;
}

/** `true`, `1`, `yes`, `on` and their opposites, in either case, as booleans. */
export function readBoolean(value: unknown): unknown {
  return typeof value === 'string' ? (BOOLEANS.get(value.toLowerCase()) ?? value) : value;
}

/** Reads an empty text as null, the only text that can mean null. */
export function readNull(value: unknown): unknown {
  return value === '' ? null : value;
}

/** A reader for `enum` and `const` without a type, as `Type.Enum` writes them; undefined when all of their values are text. */
export function readMember(schema: JsonSchema): ((value: unknown) => unknown) | undefined {
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  if (!Array.isArray(values) || values.every((value) => typeof value === 'string')) return undefined;
  return (value) => {
    const readings = [value, readNumber(value), readBoolean(value), readNull(value)];
    const index = readings.findIndex((reading) => values.includes(reading));
    return index < 0 ? value : readings[index];
  };
}
