import { eachWord, standardFunctions, TIME_PARTS, TIME_SPANS, TIME_UNITS, whereNumber, type ColumnKind, type FunctionOperand, type FunctionSql, type FunctionTable } from '../dialect/index.js'; // prettier-ignore

/** Types that parameters of an expression have, since nothing else in it says one. */
export const PARAMETER_TYPES: Readonly<Partial<Record<ColumnKind, string>>> = {
  int: 'int8',
  bigint: 'int8',
  float: 'float8',
  decimal: 'numeric',
  string: 'text',
  text: 'text',
  enum: 'text',
  boolean: 'boolean',
  date: 'timestamptz',
  plainDate: 'date',
  plainTime: 'time',
  interval: 'interval',
  bytes: 'bytea',
  uuid: 'uuid',
};

const standard = standardFunctions((number) => `(${number})::float8`);

// Of 32 bits both would be a result of 32 bits (https://www.postgresql.org/docs/current/functions-math.html).
const long = ({ kind, isLong, sql }: FunctionOperand): string => (kind === 'int' && !isLong ? `${sql()}::int8` : sql());
const ofLong =
  (name: 'add' | 'subtract' | 'multiply' | 'modulo'): FunctionSql =>
  (operands, kind) =>
    standard[name]?.(operands.map((each) => ({ ...each, sql: () => long(each) })), kind) ?? ''; // prettier-ignore

// A moment has no parts but in a zone (https://www.postgresql.org/docs/current/functions-datetime.html).
const inUtc = (operand: FunctionOperand | undefined): string => `${operand?.sql()} AT TIME ZONE 'UTC'`;

// A comparison of types is one of texts of jsonb (https://www.postgresql.org/docs/current/functions-json.html).
const atPath =
  (type: string, cast: string): FunctionSql =>
  ([json, path]) =>
    `CASE jsonb_typeof((${json?.sql()})::jsonb #> ${path?.sql()}) WHEN '${type}' THEN ((${json?.sql()})::jsonb #>> ${path?.sql()})${cast} END`;

const isWhole = (text: () => string): string => `${text()} ~ '^-{0,1}[0-9]{1,18}$'`;
const isDecimal = (text: () => string): string => `${text()} ~ '^-{0,1}[0-9]{1,18}([.][0-9]{1,18}){0,1}$'`;

// https://www.postgresql.org/docs/current/functions-formatting.html; a moment without a calendar, such as infinity, has no form.
const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;
const asText: ReadonlySet<ColumnKind> = new Set<ColumnKind>(['bigint', 'decimal', 'interval']);

// https://www.postgresql.org/docs/current/functions-json.html, "JSON Creation Functions"
function jsonMember({ kind, sql }: FunctionOperand): string {
  if (kind === 'date') return `COALESCE(TO_CHAR(${sql()}, ${ISO}), (${sql()})::text)`;
  return asText.has(kind) ? `(${sql()})::text` : sql();
}

/** Functions of PostgreSQL (https://www.postgresql.org/docs/current/functions.html). */
export const postgresFunctions: FunctionTable = {
  ...standard,
  add: ofLong('add'),
  subtract: ofLong('subtract'),
  multiply: ofLong('multiply'),
  modulo: ofLong('modulo'),
  // What is made of rows is json, and columns are jsonb as a rule.
  coalesce: (operands, kind) =>
    kind === 'json'
      ? `COALESCE(${operands.map((each) => `(${each.sql()})::jsonb`).join(', ')})`
      : (standard.coalesce?.(operands, kind) ?? ''),
  trim: ([text]) => `TRIM(${text?.sql()})`,
  substring: ([text, from, count]) => `SUBSTRING(${text?.sql()}, ${from?.sql()}::int4, ${count?.sql()}::int4)`,
  'begun:text': ([text]) => `(${text?.sql()})::text`,
  'begun:whole': ([number]) => `(${number?.sql()})::int8`,
  'begun:exact': ([number]) => `(${number?.sql()})::numeric`,
  'cast:whole:text': ([number]) => `(${number?.sql()})::text`,
  'cast:uuid:text': ([uuid]) => `(${uuid?.sql()})::text`,
  'cast:text:whole': whereNumber(isWhole, (text) => `(${text})::int8`),
  'cast:exact:whole': ([number]) => `TRUNC(${number?.sql()})::int8`,
  'cast:double:whole': ([number]) => `TRUNC(${number?.sql()})::int8`,
  'cast:text:double': whereNumber(isDecimal, (text) => `(${text})::float8`),
  'cast:text:exact': whereNumber(isDecimal, (text) => `ROUND((${text})::numeric, 10)`),
  'cast:whole:exact': ([number]) => `(${number?.sql()})::numeric`,
  'cast:moment:day': ([at]) => `(${inUtc(at)})::date`,
  jsonAt: ([json, path]) => `((${json?.sql()})::jsonb #> ${path?.sql()})`,
  jsonString: atPath('string', ''),
  jsonNumber: atPath('number', '::float8'),
  jsonBoolean: atPath('boolean', '::boolean'),
  jsonMember: ([operand]) => (operand ? jsonMember(operand) : ''),
  jsonObject: (operands) =>
    `JSON_BUILD_OBJECT(${operands.map((each, at) => (at % 2 === 0 ? each.sql() : jsonMember(each))).join(', ')})`,
  ...eachWord(
    'part',
    TIME_PARTS.known,
    (part, [at]) => `FLOOR(EXTRACT(${part.toUpperCase()} FROM ${inUtc(at)}))::int8`,
  ),
  ...eachWord('begin', TIME_UNITS.known, (unit, [at]) => `(DATE_TRUNC('${unit}', ${inUtc(at)}) AT TIME ZONE 'UTC')`),
  // A day of the calendar may have 23 hours where clocks change.
  ...eachWord('later', TIME_SPANS.known, (span, [at, amount]) => {
    return `(${at?.sql()} + ${amount?.sql()} * INTERVAL '${span === 'day' ? '24 hours' : `1 ${span}`}')`;
  }),
};
