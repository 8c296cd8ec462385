import {
  anyValue,
  cutDigits,
  decimalText,
  jsonText,
  jsonValue,
  int32,
  mapElements,
  temporalName,
  valueRefusal,
  type Codecs,
  type ColumnInfo,
  type ColumnKind,
  type KindCodec,
} from '../dialect/index.js';
import { readArray } from './postgres-arrays.js';
import { dayText, intervalText, momentText, SECOND_DIGITS, toDay, toMoment } from './postgres-times.js';

/**
 * A text that the server takes: the character 0 has no place in one (https://www.postgresql.org/docs/current/datatype-character.html).
 *
 * @throws FwError `FW_ORM_VALUE`
 */
function textWithoutNul(value: string, column?: ColumnInfo): string {
  if (!value.includes('\0')) return value;
  throw valueRefusal(column, 'a string', 'one with the character 0, which PostgreSQL does not store');
}

// The same in JSON, and halves of characters, which it writes as escapes (https://www.postgresql.org/docs/current/datatype-json.html).
const REFUSED_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

function toJson(value: unknown, column?: ColumnInfo): string {
  const text = jsonText(value, column);
  if (!text.includes('\\u') || !REFUSED_ESCAPE.test(text)) return text;
  const got = 'one with the character 0 or half of a character in a text, which PostgreSQL does not store';
  throw valueRefusal(column, 'a value that JSON can hold', got);
}

// The driver makes a text of a number, and JavaScript's text of the negative zero has no sign.
const withSign = (value: unknown): unknown => (Object.is(value, -0) ? '-0' : value);

// Places of the null of JSON in lists that were read, which JavaScript does not tell from that of SQL.
const jsonNulls = new WeakMap<object, ReadonlySet<number>>();

// Lists that were read as a further dimension, where a list is else one value of JSON.
const dimensions = new WeakSet<object>();

function readJsons(texts: readonly unknown[]): unknown[] {
  const list = texts.map((text) => {
    if (!Array.isArray(text)) return text === null ? null : jsonValue(text as string);
    const inner = readJsons(text);
    dimensions.add(inner);
    return inner;
  });
  const places = texts.flatMap((text, at) => (text === 'null' ? [at] : []));
  if (places.length > 0) jsonNulls.set(list, new Set(places));
  return list;
}

// Beside a further dimension each list is one.
function writeJsons(list: readonly unknown[], encode: (value: unknown) => unknown): unknown[] {
  const isDeeper = list.some((value) => Array.isArray(value) && dimensions.has(value));
  return list.map((value, at) => {
    if (value === null) return jsonNulls.get(list)?.has(at) ? 'null' : null;
    return isDeeper && Array.isArray(value) ? writeJsons(value, encode) : encode(value);
  });
}

/** How values travel to and from PostgreSQL. The adapter leaves dates, json and 64-bit integers as text. */
export const postgresCodecs: Codecs = {
  int: { decode: Number },
  bigint: { encode: String, decode: (value: string | number) => BigInt(value) },
  float: { encode: withSign, decode: Number },
  decimal: { encode: decimalText, decode: String },
  string: { encode: textWithoutNul },
  text: { encode: textWithoutNul },
  boolean: {},
  date: { encode: momentText, decode: toMoment },
  plainDate: { encode: dayText, decode: toDay },
  plainTime: { encode: (time: string) => cutDigits(time, SECOND_DIGITS) },
  interval: { encode: intervalText },
  json: { encode: toJson, decode: jsonValue },
  bytes: {
    encode: (value: Uint8Array) => Buffer.from(value.buffer, value.byteOffset, value.byteLength),
    decode: (value: Uint8Array) => new Uint8Array(value.buffer, value.byteOffset, value.byteLength),
  },
  uuid: {},
  enum: {},
  array: {
    decode: (value: unknown, element: ColumnKind = 'any') => {
      // Of a type of its own, such as an enum, the text of an array comes as it is.
      const list = typeof value === 'string' ? readArray(value) : value;
      if (element === 'json') return readJsons(list as readonly unknown[]);
      return mapElements(list, postgresCodecs[element].decode);
    },
  },
  any: { encode: encodeAny },
};

/** A value of unknown column: objects become JSON text, dates ISO text; the driver does the rest. */
export function encodeAny(given: unknown, column?: ColumnInfo): unknown {
  const value = anyValue(given, column);
  if (value instanceof Date) return momentText(value, column);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return withSign(value);
  if (temporalName(given) === 'Duration') return intervalText(value as string);
  if (typeof value === 'string') return textWithoutNul(value, column);
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array || Array.isArray(value)) return value;
  return toJson(value, column);
}

// A parameter has the type of the column that it stands beside, so that the server refuses a longer number in a condition, too.
const INT: KindCodec = { encode: int32, decode: Number };

/** Codec of a column: elements of a native array travel each by their own kind. */
export function postgresCodec(column: ColumnInfo): KindCodec {
  const { kind, definition } = column;
  const isInt32 = definition.sqlType === undefined;
  if (kind !== 'array') return kind === 'int' && isInt32 ? INT : postgresCodecs[kind];
  const { element = 'any' } = definition;
  const { encode } = (element === 'int' && isInt32 ? INT : postgresCodecs[element]) as {
    readonly encode?: (value: unknown, column: ColumnInfo) => unknown;
  };
  if (encode === undefined) return {};
  const encoded = (value: unknown) => (value === null ? null : encode(value, column));
  if (element === 'json') return { encode: (list: readonly unknown[]) => writeJsons(list, encoded) };
  return { encode: (list: readonly unknown[]) => mapElements(list, encoded) };
}
