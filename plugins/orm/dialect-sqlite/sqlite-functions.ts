import { eachWord, isJsonText, named, standardFunctions, TIME_PARTS, TIME_SPANS, TIME_UNITS, whereJsonIs, whereNumber, type FunctionOperand, type FunctionSql, type FunctionTable } from '../dialect/index.js'; // prettier-ignore

const standard = standardFunctions((number) => `CAST(${number} AS REAL)`);

// Decimals are doubles while they are calculated with, of which 0.1 + 0.2 has 17 digits.
const rounded =
  (name: 'add' | 'subtract' | 'multiply'): FunctionSql =>
  (operands, kind) => {
    const made = standard[name]?.(operands, kind) ?? '';
    return kind === 'decimal' ? `ROUND(${made}, 10)` : made;
  };

// https://sqlite.org/json1.html#the_json_type_function
const atPath =
  (types: string): FunctionSql =>
  ([json, path]) =>
    whereJsonIs(`JSON_TYPE(${json?.sql()}, ${path?.sql()})`, types, `JSON_EXTRACT(${json?.sql()}, ${path?.sql()})`);

const PARTS = { year: '%Y', month: '%m', day: '%d', hour: '%H', minute: '%M', second: '%S' } as const;

const FORMATS = {
  year: '%Y-01-01T00:00:00.000Z',
  month: '%Y-%m-01T00:00:00.000Z',
  day: '%Y-%m-%dT00:00:00.000Z',
  hour: '%Y-%m-%dT%H:00:00.000Z',
  minute: '%Y-%m-%dT%H:%M:00.000Z',
} as const;

// It has no regular expressions of its own (https://sqlite.org/lang_expr.html#regexp).
const isDigits = (text: () => string): string => `${text()} <> '' AND ${text()} NOT GLOB '*[^0-9]*'`;
const unsigned =
  (text: () => string): (() => string) =>
  () =>
    `SUBSTR(${text()}, 1 + (${text()} GLOB '-*'))`;
const isWhole = (text: () => string): string => `${isDigits(unsigned(text))} AND LENGTH(${unsigned(text)()}) <= 18`;
// What is digits when the one point is left out, and has some on both sides of it.
const isDecimal = (text: () => string): string => {
  const bare = unsigned(text);
  const digits = () => `REPLACE(${bare()}, '.', '')`;
  const point = () => `INSTR(${bare()} || '.', '.')`;
  return `${isDigits(digits)} AND LENGTH(${bare()}) - LENGTH(${digits()}) <= 1 AND ${point()} BETWEEN 2 AND 19 AND LENGTH(${bare()}) - ${point()} BETWEEN -1 AND 18 AND ${bare()} NOT GLOB '*.'`;
};

// What is JSON by itself is a text in a query around it (https://sqlite.org/json1.html#the_json_function).
function jsonMember(operand: FunctionOperand): string {
  const { kind, sql } = operand;
  if (isJsonText(operand)) return `JSON(${sql()})`;
  if (kind === 'boolean') return `JSON(CASE ${sql()} WHEN 0 THEN 'false' WHEN 1 THEN 'true' END)`;
  return kind === 'bigint' || kind === 'decimal' ? `CAST(${sql()} AS TEXT)` : sql();
}

/** Functions of SQLite (https://sqlite.org/lang_corefunc.html). */
export const sqliteFunctions: FunctionTable = {
  ...standard,
  add: rounded('add'),
  subtract: rounded('subtract'),
  multiply: rounded('multiply'),
  textLength: named('LENGTH'),
  substring: named('SUBSTR'),
  'cast:whole:text': ([number]) => `CAST(${number?.sql()} AS TEXT)`,
  'cast:uuid:text': ([uuid]) => uuid?.sql() ?? '',
  'cast:text:whole': whereNumber(isWhole, (text) => `CAST(${text} AS INTEGER)`),
  'cast:exact:whole': ([number]) => `CAST(${number?.sql()} AS INTEGER)`,
  'cast:double:whole': ([number]) => `CAST(${number?.sql()} AS INTEGER)`,
  'cast:text:double': whereNumber(isDecimal, (text) => `CAST(${text} AS REAL)`),
  'cast:text:exact': whereNumber(isDecimal, (text) => `ROUND(CAST(${text} AS NUMERIC), 10)`),
  'cast:whole:exact': ([number]) => number?.sql() ?? '',
  'cast:moment:day': ([at]) => `STRFTIME('%Y-%m-%d', ${at?.sql()})`,
  // https://sqlite.org/json1.html#jptr
  jsonAt: ([json, path]) => `(${json?.sql()} -> ${path?.sql()})`,
  jsonString: atPath("'text'"),
  jsonNumber: atPath("'integer', 'real'"),
  jsonBoolean: atPath("'true', 'false'"),
  jsonMember: ([operand]) => (operand ? jsonMember(operand) : ''),
  jsonObject: (operands) =>
    `JSON_OBJECT(${operands.map((each, at) => (at % 2 === 0 ? each.sql() : jsonMember(each))).join(', ')})`,
  ...eachWord('part', TIME_PARTS.known, (part, [at]) => `CAST(STRFTIME('${PARTS[part]}', ${at?.sql()}) AS INTEGER)`),
  ...eachWord('begin', TIME_UNITS.known, (unit, [at]) => `STRFTIME('${FORMATS[unit]}', ${at?.sql()})`),
  ...eachWord('later', TIME_SPANS.known, (span, [at, amount]) => {
    return `STRFTIME('%Y-%m-%dT%H:%M:%fZ', ${at?.sql()}, (${amount?.sql()}) || ' ${span}s')`;
  }),
};
