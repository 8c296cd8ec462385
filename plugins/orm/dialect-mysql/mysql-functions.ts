import { eachWord, isJsonNumber, isJsonText, named, standardFunctions, TIME_PARTS, TIME_SPANS, TIME_UNITS, whereJsonIs, whereNumber, type FunctionOperand, type FunctionSql, type FunctionTable } from '../dialect/index.js'; // prettier-ignore
import { textOfTime } from './mysql-cells.js';

// Beside a double a number is one; MariaDB and MySQL before 8.0.17 cast to none
// (https://dev.mysql.com/doc/refman/8.0/en/cast-functions.html#function_cast).
const standard = standardFunctions((number) => `(${number} + 0e0)`);

// https://dev.mysql.com/doc/refman/8.0/en/json-attribute-functions.html#function_json-type
const atPath =
  (types: string, of: (value: string) => string): FunctionSql =>
  ([json, path]) => {
    const found = () => `JSON_EXTRACT(${json?.sql()}, ${path?.sql()})`;
    return whereJsonIs(`JSON_TYPE(${found()})`, types, of(found()));
  };

/** Characters of a text that takes what a statement may bring (https://mariadb.com/kb/en/cast/). */
const LONGEST_TEXT = 16_777_215;

const FORMATS = {
  year: '%Y-01-01 00:00:00',
  month: '%Y-%m-01 00:00:00',
  day: '%Y-%m-%d 00:00:00',
  hour: '%Y-%m-%d %H:00:00',
  minute: '%Y-%m-%d %H:%i:00',
} as const;

// The end of a text is also before a line feed that ends it, which is no digit.
const isWhole = (text: () => string): string =>
  `${text()} REGEXP '^-{0,1}[0-9]{1,18}$' AND ${text()} NOT REGEXP '[^-0-9]'`;
const isDecimal = (text: () => string): string =>
  `${text()} REGEXP '^-{0,1}[0-9]{1,18}([.][0-9]{1,18}){0,1}$' AND ${text()} NOT REGEXP '[^-.0-9]'`;

// The text of a value in JSON, by hand: lists of JSON in an order are lists of texts here, and MariaDB keeps what is JSON apart from text
// in some places only (https://dev.mysql.com/doc/refman/8.0/en/json-creation-functions.html).
function jsonMember(operand: FunctionOperand): string {
  const { kind, sql } = operand;
  return `COALESCE(${kind === 'boolean' ? `CASE ${sql()} <> 0 WHEN 1 THEN 'true' WHEN 0 THEN 'false' END` : jsonText(operand)}, 'null')`;
}

function jsonText(operand: FunctionOperand): string {
  const { kind, sql } = operand;
  if (isJsonNumber(operand)) return `CAST(${sql()} AS CHAR)`;
  if (kind === 'date') return `CONCAT('"', SUBSTRING(DATE_FORMAT(${sql()}, '%Y-%m-%dT%H:%i:%s.%f'), 1, 23), 'Z"')`;
  if (kind === 'plainTime') return `CONCAT('"', ${textOfTime(sql)}, '"')`;
  return isJsonText(operand) ? `CONVERT(${sql()} USING utf8mb4)` : `JSON_QUOTE(CONVERT(${sql()} USING utf8mb4))`;
}

/** Functions of MySQL and MariaDB (https://dev.mysql.com/doc/refman/8.0/en/functions.html). */
export const mysqlFunctions: FunctionTable = {
  ...standard,
  concat: named('CONCAT'),
  'begun:text': ([text]) => `CAST(${text?.sql()} AS CHAR(${LONGEST_TEXT}))`,
  'begun:whole': ([number]) => `CAST(${number?.sql()} AS SIGNED)`,
  'cast:whole:text': ([number]) => `CAST(${number?.sql()} AS CHAR)`,
  'cast:uuid:text': ([uuid]) => `CAST(${uuid?.sql()} AS CHAR)`,
  'cast:text:whole': whereNumber(isWhole, (text) => `CAST(${text} AS SIGNED)`),
  'cast:exact:whole': ([number]) => `CAST(TRUNCATE(${number?.sql()}, 0) AS SIGNED)`,
  'cast:double:whole': ([number]) => `CAST(TRUNCATE(${number?.sql()}, 0) AS SIGNED)`,
  'cast:text:double': whereNumber(isDecimal, (text) => `(${text} + 0e0)`),
  'cast:text:exact': whereNumber(isDecimal, (text) => `CAST(${text} AS DECIMAL(65, 10))`),
  'cast:whole:exact': ([number]) => `CAST(${number?.sql()} AS DECIMAL(65, 10))`,
  'cast:moment:day': ([at]) => `DATE(${at?.sql()})`,
  jsonAt: named('JSON_EXTRACT'),
  jsonString: atPath("'STRING'", (value) => `JSON_UNQUOTE(${value})`),
  jsonNumber: atPath("'INTEGER', 'UNSIGNED INTEGER', 'DECIMAL', 'DOUBLE'", (value) => `(${value} + 0e0)`),
  jsonBoolean: atPath("'BOOLEAN'", (value) => `(JSON_UNQUOTE(${value}) = 'true')`),
  jsonMember: ([operand]) => (operand ? jsonMember(operand) : ''),
  jsonObject: (operands) => {
    const members = operands.map((each, at) => (at % 2 === 0 ? `JSON_QUOTE(${each.sql()}), ':'` : jsonMember(each)));
    const pairs = members.flatMap((name, at) => (at % 2 === 0 ? [`${name}, ${members[at + 1] as string}`] : []));
    return `CONCAT('{', ${pairs.join(", ',', ")}${pairs.length > 0 ? ', ' : ''}'}')`;
  },
  ...eachWord('part', TIME_PARTS.known, (part, [at]) => `EXTRACT(${part.toUpperCase()} FROM ${at?.sql()})`),
  ...eachWord('begin', TIME_UNITS.known, (unit, [at]) => {
    return `CAST(DATE_FORMAT(${at?.sql()}, '${FORMATS[unit]}') AS DATETIME(3))`;
  }),
  ...eachWord('later', TIME_SPANS.known, (span, [at, amount]) => {
    return `CAST(DATE_ADD(${at?.sql()}, INTERVAL ${amount?.sql()} ${span.toUpperCase()}) AS DATETIME(3))`;
  }),
};
