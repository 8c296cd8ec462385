import { fwError } from '../../../../kernel/index.js';
import { parsedJson } from '../../../../kernel/values/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { ColumnDefinition } from './model-definition.js';
import type { ColumnInfo } from './model-info.js';
import { timeOfText } from './iso-text.js';
import { isDay } from './plain-date.js';
import { isUuid, type ColumnKind } from './kinds.js';
import { exactNumber } from './number-text.js';

/** What the option `default=` says of a column. */
export type DefaultValue =
  | { readonly is: 'now' | 'today' | 'uuid' }
  | { readonly is: 'number'; readonly text: string }
  | { readonly is: 'boolean'; readonly value: boolean }
  /** `day` is the date as written, if it has no time. */
  | { readonly is: 'date'; readonly at: Date; readonly day: string | undefined }
  | { readonly is: 'array'; readonly list: readonly unknown[] }
  | { readonly is: 'text'; readonly text: string };

type Defaulted = Pick<ColumnDefinition, 'kind' | 'values'>;
type Read = (text: string, column: Defaulted) => DefaultValue | undefined;

const NOW = /^(?:current_timestamp|now\(\)|now)$/i;
const MOST_BITS = 64;

const asText: Read = (text) => ({ is: 'text', text });

const nowOr =
  (other: Read): Read =>
  (text, column) =>
    NOW.test(text) ? { is: 'now' } : other(text, column);

const wholeNumber: Read = (text, { kind }) => {
  const exact = exactNumber(text);
  if (exact === undefined || exact.includes('.')) return undefined;
  const value = BigInt(exact);
  const fits = kind === 'int' ? Number.isSafeInteger(Number(value)) : BigInt.asIntN(MOST_BITS, value) === value;
  return fits ? number(text, exact) : undefined;
};

const decimal: Read = (text) => {
  const exact = exactNumber(text);
  return exact === undefined ? undefined : number(text, exact);
};

const float: Read = (text) => {
  if (exactNumber(text) === undefined || !Number.isFinite(Number(text))) return undefined;
  return { is: 'number', text: String(Number(text)) };
};

const boolean: Read = (text) => {
  return /^(?:true|false|1|0)$/i.test(text) ? { is: 'boolean', value: /^(?:true|1)$/i.test(text) } : undefined;
};

const date: Read = (text) => {
  const at = timeOfText(text);
  return at && { is: 'date', at, day: text.length === 'yyyy-mm-dd'.length ? text : undefined };
};

const TODAY = /^(?:today|current_date(?:\(\))?|curdate\(\))$/i;
const day: Read = (text) => (TODAY.test(text) ? { is: 'today' } : isDay(text) ? { is: 'text', text } : undefined);

const uuid: Read = (text) => {
  if (/^gen_random_uuid(?:\(\))?$/i.test(text)) return { is: 'uuid' };
  return isUuid(text) ? { is: 'text', text } : undefined;
};

const json: Read = (text) => (parsedJson(text) === undefined ? undefined : { is: 'text', text });

const array: Read = (text) => {
  const list = text === '{}' ? [] : parsedJson(text);
  return Array.isArray(list) ? { is: 'array', list } : undefined;
};

const oneOf: Read = (text, { values }) => {
  return values === undefined || values.some((value) => String(value) === text) ? { is: 'text', text } : undefined;
};

const READ: Readonly<Record<ColumnKind, Read>> = {
  int: wholeNumber,
  bigint: wholeNumber,
  float,
  decimal,
  // Some databases keep dates as text, and a column of unknown kind may hold dates.
  string: nowOr(asText),
  text: nowOr(asText),
  boolean,
  date: nowOr(date),
  plainDate: day,
  plainTime: asText,
  interval: asText,
  json,
  bytes: asText,
  uuid,
  enum: oneOf,
  array,
  any: nowOr(asText),
};

const EXPECTED: Partial<Readonly<Record<ColumnKind, string>>> = {
  int: 'a whole number of at most 53 bits',
  bigint: 'a whole number of at most 64 bits',
  float: 'a number',
  decimal: 'a number',
  boolean: 'true or false',
  plainDate: 'today, or a day such as 2024-05-06',
  date: 'now, or a time such as 2024-05-06 or 2024-05-06T07:08:09Z',
  json: 'JSON',
  uuid: 'a UUID, or gen_random_uuid()',
  array: 'a list as JSON, such as []',
};

// The digits as they were written, where SQL reads them so.
function number(text: string, exact: string): DefaultValue {
  return { is: 'number', text: /^-?\d+(?:\.\d+)?$/.test(text) ? text : exact };
}

/** Parses the default of a column; undefined for a text that does not fit the column's kind. */
export function readDefault(column: Defaulted, text: string): DefaultValue | undefined {
  return READ[column.kind](text, column);
}

/**
 * The parsed default of a declared column; undefined when it has none.
 *
 * @throws FwError `FW_ORM_TAG` when the text is none of the column's kind
 */
export function checkedDefault(model: string, column: ColumnDefinition): DefaultValue | undefined {
  return column.default === undefined ? undefined : checked(model, column, column.default);
}

function checked(model: string, column: ColumnDefinition, text: string): DefaultValue {
  // A definition by hand may come from JavaScript.
  const isText = typeof text === 'string';
  const found = isText ? readDefault(column, text) : undefined;
  if (found) return found;
  const { property: field, kind, values = [] } = column;
  const expected = EXPECTED[kind] ?? `one of ${values.join(', ')}`;
  const problem = `the default of a column of the kind ${kind} is ${expected}${isText ? '' : ', written as text'}`;
  throw fwError(ORM_ERRORS.FW_ORM_TAG, { model, field, tag: `default=${text}`, problem });
}

/** A text as standard SQL writes it. */
export const quotedText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** How a database writes defaults. */
export interface DefaultWords {
  readonly now: string;
  /** The present day. */
  readonly today: string;
  readonly uuid: string;
  readonly no: string;
  readonly yes: string;
  /** A text as SQL. */
  text(value: string): string;
  /** The digits of a number; default: as they are. */
  number?(digits: string, kind: ColumnKind): string;
  date(at: Date, day: string | undefined): string;
  list(values: readonly unknown[]): string;
}

/**
 * Writes the defaults of a database.
 *
 * @returns `SchemaDialect.defaultValue`, which throws FwError `FW_ORM_TAG` for a text that is none of the column's kind
 */
export function defaultWriter(words: DefaultWords): (column: ColumnInfo, text: string) => string {
  return ({ model, definition, kind }, text) => {
    const value = checked(model.name, definition, text);
    switch (value.is) {
      case 'now':
      case 'today':
      case 'uuid':
        return words[value.is];
      case 'number':
        return words.number?.(value.text, kind) ?? value.text;
      case 'boolean':
        return value.value ? words.yes : words.no;
      case 'date':
        return words.text(words.date(value.at, value.day));
      case 'array':
        return words.text(words.list(value.list));
      case 'text':
        return words.text(value.text);
    }
  };
}
