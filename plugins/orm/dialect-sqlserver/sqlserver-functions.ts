import { eachWord, infix, named, ofFraction, standardFunctions, TIME_PARTS, TIME_SPANS, TIME_UNITS, whereNumber, type FunctionOperand, type FunctionSql, type FunctionTable } from '../dialect/index.js'; // prettier-ignore

const standard = standardFunctions((number) => `CAST(${number} AS float)`);

// Of 32 bits both would be a result of 32 bits (https://learn.microsoft.com/sql/t-sql/language-elements/arithmetic-operators-transact-sql).
const long = ({ kind, sql }: FunctionOperand): string => (kind === 'int' ? `CAST(${sql()} AS bigint)` : sql());
const ofLong =
  (name: 'add' | 'subtract' | 'multiply' | 'modulo'): FunctionSql =>
  (operands, kind) =>
    standard[name]?.(operands.map((each) => ({ ...each, sql: () => long(each) })), kind) ?? ''; // prettier-ignore

// Whole units since a day at which one begins (https://learn.microsoft.com/sql/t-sql/functions/datediff-transact-sql).
const EPOCH = "CAST('2000-01-01' AS datetime2(3))";

const bare = (text: () => string): string => `STUFF(${text()}, 1, CASE WHEN ${text()} LIKE '-%' THEN 1 ELSE 0 END, '')`;
const isWhole = (text: () => string): string =>
  `${bare(text)} LIKE '[0-9]%' AND ${bare(text)} NOT LIKE '%[^0-9]%' AND LEN(${bare(text)}) <= 18`;
const isDecimal = (text: () => string): string =>
  `${bare(text)} LIKE '[0-9]%' AND ${bare(text)} LIKE '%[0-9]' AND ${bare(text)} NOT LIKE '%[^0-9.]%' AND ${bare(text)} NOT LIKE '%.%.%' AND CHARINDEX('.', ${bare(text)} + '.') <= 19`;

/**
 * Functions of SQL Server (https://learn.microsoft.com/sql/t-sql/functions/functions). What stands in JSON has no type for its
 * functions, so those are missing.
 */
export const sqlserverFunctions: FunctionTable = {
  ...standard,
  add: ofLong('add'),
  subtract: ofLong('subtract'),
  multiply: ofLong('multiply'),
  modulo: ofLong('modulo'),
  ceil: ofFraction('CEILING'),
  // LEN does not count blanks at the end.
  textLength: ([text]) => `(LEN(${text?.sql()} + N'.') - 1)`,
  concat: infix('+'),
  replace: named('REPLACE'),
  'begun:text': ([text]) => `CAST(${text?.sql()} AS nvarchar(max))`,
  'begun:whole': ([number]) => `CAST(${number?.sql()} AS bigint)`,
  'cast:whole:text': ([number]) => `CAST(${number?.sql()} AS nvarchar(max))`,
  'cast:uuid:text': ([uuid]) => `LOWER(CAST(${uuid?.sql()} AS nvarchar(36)))`,
  'cast:text:whole': whereNumber(isWhole, (text) => `TRY_CAST(${text} AS bigint)`),
  'cast:exact:whole': ([number]) => `CAST(${number?.sql()} AS bigint)`,
  'cast:double:whole': ([number]) => `CAST(${number?.sql()} AS bigint)`,
  'cast:text:double': whereNumber(isDecimal, (text) => `TRY_CAST(${text} AS float)`),
  'cast:text:exact': whereNumber(isDecimal, (text) => `TRY_CAST(${text} AS decimal(38, 10))`),
  'cast:whole:exact': ([number]) => `CAST(${number?.sql()} AS decimal(38, 10))`,
  'cast:moment:day': ([at]) => `CAST(${at?.sql()} AS date)`,
  ...eachWord('part', TIME_PARTS.known, (part, [at]) => `DATEPART(${part}, ${at?.sql()})`),
  ...eachWord('begin', TIME_UNITS.known, (unit, [at]) => {
    return `DATEADD(${unit}, DATEDIFF(${unit}, ${EPOCH}, ${at?.sql()}), ${EPOCH})`;
  }),
  ...eachWord('later', TIME_SPANS.known, (span, [at, amount]) => `DATEADD(${span}, ${amount?.sql()}, ${at?.sql()})`),
};
