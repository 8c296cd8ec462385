import { eachWord, infix, named, ofFraction, standardFunctions, TIME_PARTS, TIME_SPANS, TIME_UNITS, type FunctionOperand, type FunctionSql, type FunctionTable } from '../dialect/index.js'; // prettier-ignore

const standard = standardFunctions((number) => `CAST(${number} AS float)`);

// Of 32 bits both would be a result of 32 bits (https://learn.microsoft.com/sql/t-sql/language-elements/arithmetic-operators-transact-sql).
const long = ({ kind, sql }: FunctionOperand): string => (kind === 'int' ? `CAST(${sql()} AS bigint)` : sql());
const ofLong =
  (name: 'add' | 'subtract' | 'multiply' | 'modulo'): FunctionSql =>
  (operands, kind) =>
    standard[name]?.(operands.map((each) => ({ kind: each.kind, sql: () => long(each) })), kind) ?? ''; // prettier-ignore

// Whole units since a day at which one begins (https://learn.microsoft.com/sql/t-sql/functions/datediff-transact-sql).
const EPOCH = "CAST('2000-01-01' AS datetime2(3))";

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
  ...eachWord('part', TIME_PARTS.known, (part, [at]) => `DATEPART(${part}, ${at?.sql()})`),
  ...eachWord('begin', TIME_UNITS.known, (unit, [at]) => {
    return `DATEADD(${unit}, DATEDIFF(${unit}, ${EPOCH}, ${at?.sql()}), ${EPOCH})`;
  }),
  ...eachWord('later', TIME_SPANS.known, (span, [at, amount]) => `DATEADD(${span}, ${amount?.sql()}, ${at?.sql()})`),
};
