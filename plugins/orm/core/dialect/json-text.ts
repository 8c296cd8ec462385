import { randomUUID } from 'node:crypto';
import type { ColumnInfo } from '../model/model-info.js';
import { expectationOf, typeInWords, unreadable, valueRefusal } from '../model/kinds.js';
import { exactNumber } from '../model/number-text.js';

// Numbers that come out in another spelling, and then some: at least 16 digits, an exponent, a zero at the end of a fraction.
const UNUSUAL = /[\d.]{17}|\d[eE][-+\d]|\.\d*0(?!\d)/;
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
// A random prefix, so that no other text begins with it.
const MARK = `fw-number-${randomUUID()}:`;
const MARKED = new RegExp(`"${MARK}([^"]*)"`, 'g');

/** Original spellings of numbers, by their object or list. */
const spellings = new WeakMap<object, Map<string, string>>();
let isAnyKept = false;

/**
 * Reads JSON. The text of a number that a double cannot hold, or prints differently, is kept with its object or list, so that {@link
 * jsonText} writes it unchanged unless another one was assigned.
 *
 * @throws FwError `FW_ORM_UNREADABLE` for what is no JSON, and for a number that is the whole value and loses digits
 */
export function jsonValue(text: string): unknown {
  if (!UNUSUAL.test(text)) return plainJson(text);
  const marked = text.replace(TOKENS, (token) =>
    token.startsWith('"') || token === String(Number(token)) ? token : `"${MARK}${token}"`,
  );
  const value = plainJson(marked, keep);
  if (typeof value !== 'number' || exactNumber(text.trim()) === exactNumber(String(value))) return value;
  const remedy = 'declare the property as Text, with sql= and the type of the column, to have it as text';
  throw unreadable('a number that a double holds', text, remedy);
}

/**
 * A text of JSON, with numbers as `JSON.parse` reads them.
 *
 * @throws FwError `FW_ORM_UNREADABLE`
 */
export function plainJson(text: string, reviver?: typeof keep): unknown {
  try {
    return JSON.parse(text, reviver) as unknown;
  } catch {
    throw unreadable('JSON', text, 'correct the rows, or declare the property as Text to have them as they are');
  }
}

function keep(this: object, key: string, value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith(MARK)) return value;
  const text = value.slice(MARK.length);
  const known = spellings.get(this) ?? new Map<string, string>();
  spellings.set(this, known.set(key, text));
  isAnyKept = true;
  return Number(text);
}

/**
 * A value as JSON text, with the numbers that {@link jsonValue} has kept.
 *
 * @throws FwError `FW_ORM_VALUE` for a cycle, a bigint and what else JSON cannot hold; for an expression or a condition, whose insides
 *   would be written
 */
export function jsonText(value: unknown, column?: ColumnInfo): string {
  if (isOfQuery(value)) throw valueRefusal(column, expectationOf({ kind: 'json' }), typeInWords(value));
  let text: string | undefined;
  let cause: unknown;
  try {
    text = textOf(value);
  } catch (error) {
    cause = error;
  }
  if (text !== undefined) return text;
  throw valueRefusal(column, expectationOf({ kind: 'json' }), typeInWords(value), cause);
}

function isOfQuery(value: unknown): boolean {
  const { appendValueTo, appendTo } = (value ?? {}) as {
    readonly appendValueTo?: unknown;
    readonly appendTo?: unknown;
  };
  return typeof appendValueTo === 'function' || typeof appendTo === 'function';
}

function textOf(value: unknown): string | undefined {
  if (!isAnyKept || typeof value !== 'object') return JSON.stringify(value) as string | undefined;
  const text = JSON.stringify(value, respell) as string | undefined;
  return text?.replace(MARKED, '$1');
}

function respell(this: object, key: string, value: unknown): unknown {
  if (typeof value !== 'number') return value;
  const text = spellings.get(this)?.get(key);
  return text === undefined || Number(text) !== value ? value : `${MARK}${text}`;
}
