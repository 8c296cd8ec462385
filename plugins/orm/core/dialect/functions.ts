import type { ColumnInfo } from '../model/model-info.js';
import type { FunctionName } from '../plan/parts.js';
import { isNumeric } from './enum-values.js';
import type { ColumnKind } from '../model/kinds.js';

/** An operand of a function, to be written each time that its text is needed: each has parameters of its own. */
export interface FunctionOperand {
  readonly kind: ColumnKind;
  /** The column of which it is a value, where it is one of a column's. */
  readonly column?: ColumnInfo | undefined;
  /** Whether whole numbers in it are of 64 bits already, as parameters and calculations are. */
  readonly isLong: boolean;
  sql(): string;
}

/** SQL of a function. */
export type FunctionSql = (operands: readonly FunctionOperand[], kind: ColumnKind) => string;

/** SQL of functions by name; one that is missing is refused with `FW_ORM_UNSUPPORTED`. */
export type FunctionTable = Readonly<Partial<Record<FunctionName, FunctionSql>>>;

/** Operands with a sign between. */
export const infix =
  (sign: string): FunctionSql =>
  (operands) =>
    `(${operands.map((operand) => operand.sql()).join(` ${sign} `)})`;

/** A function by a name, with its operands in parentheses. */
export const named =
  (name: string): FunctionSql =>
  (operands) =>
    `${name}(${operands.map((operand) => operand.sql()).join(', ')})`;

/** A function that returns whole numbers unchanged. */
export const ofFraction =
  (name: string): FunctionSql =>
  (operands, kind) =>
    kind === 'int' || kind === 'bigint' ? (operands[0] as FunctionOperand).sql() : named(name)(operands, kind);

const asItIs: FunctionSql = ([operand]) => operand?.sql() ?? '';

/** A text as a number where a test finds that it is one, else null. */
export const whereNumber =
  (isOne: (text: () => string) => string, number: (text: string) => string): FunctionSql =>
  ([text]) => {
    const sql = () => text?.sql() ?? '';
    return `CASE WHEN ${isOne(sql)} THEN ${number(sql())} END`;
  };

/** What most databases write alike; `double` makes a double of a number. */
export function standardFunctions(double: (sql: string) => string): FunctionTable {
  return {
    add: infix('+'),
    subtract: infix('-'),
    multiply: infix('*'),
    divide: (operands) => {
      const [above, below] = operands.map((operand) => double(operand.sql()));
      return `(${above} / NULLIF(${below}, 0))`;
    },
    modulo: ([of, by]) => `(${of?.sql()} % NULLIF(${by?.sql()}, 0))`,
    abs: named('ABS'),
    floor: ofFraction('FLOOR'),
    ceil: ofFraction('CEIL'),
    toDouble: ([number]) => double(number?.sql() ?? ''),
    lower: named('LOWER'),
    upper: named('UPPER'),
    trim: named('TRIM'),
    textLength: named('CHAR_LENGTH'),
    concat: infix('||'),
    substring: named('SUBSTRING'),
    replace: named('REPLACE'),
    coalesce: named('COALESCE'),
    nullIf: named('NULLIF'),
    'begun:text': asItIs,
    'begun:whole': asItIs,
    'begun:exact': asItIs,
    'cast:text:text': asItIs,
    'cast:whole:whole': asItIs,
    'cast:exact:exact': asItIs,
    'cast:double:double': asItIs,
    'cast:whole:double': ([number]) => double(number?.sql() ?? ''),
    'cast:exact:double': ([number]) => double(number?.sql() ?? ''),
  };
}

/** A function for each word of a list, such as the parts of a moment. */
export function eachWord<Prefix extends string, Word extends string>(
  prefix: Prefix,
  words: readonly Word[],
  sql: (word: Word, operands: readonly FunctionOperand[]) => string,
): Readonly<Record<`${Prefix}:${Word}`, FunctionSql>> {
  const entries = words.map((word) => [
    `${prefix}:${word}`,
    (operands: readonly FunctionOperand[]) => sql(word, operands),
  ]);
  return Object.fromEntries(entries) as Readonly<Record<`${Prefix}:${Word}`, FunctionSql>>;
}

/** A value at a JSON path if it has one of the types, else null. */
export const whereJsonIs = (type: string, types: string, value: string): string =>
  `CASE WHEN ${type} IN (${types}) THEN ${value} END`;

/**
 * A path into JSON as `$."name"[0]`, which SQLite and MySQL read.
 *
 * @param fromEnd - writes a place below 0, counted from behind the last
 */
export const dollarPath = (steps: readonly (string | number)[], fromEnd: (place: number) => string = String): string =>
  `$${steps.map((step) => (typeof step === 'string' ? `."${step}"` : `[${step < 0 ? fromEnd(step) : step}]`)).join('')}`;

/** Whether an operand is a number in JSON, and not the text of one. */
export const isJsonNumber = ({ kind, column }: FunctionOperand): boolean =>
  kind === 'int' || kind === 'float' || (kind === 'enum' && isNumeric(column?.definition.values));

/** Whether an operand is JSON by itself where arrays are kept as JSON. */
export const isJsonText = ({ kind }: FunctionOperand): boolean => kind === 'json' || kind === 'array';
