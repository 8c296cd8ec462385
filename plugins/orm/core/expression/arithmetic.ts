import type { ColumnKind, Decimal } from '../model/kinds.js';
import type { FunctionName, ValueType } from '../plan/parts.js';
import type { NumericValue } from './column-types.js';
import { inWords, isValueSource, operandRefusal, typeOf, type FromOf, type NullOf, type ValueOf } from './operand.js';
import { call, type ValueExpression } from './value.js';

/** An operand that can be calculated with; `never` for any other. */
export type NumberOperand<Item> = Item extends `${number}`
  ? Item
  : [NonNullable<NumericValue<ValueOf<Item>>>] extends [never]
    ? never
    : Item;

/** Exact numbers stay exact: beside a `Decimal` a number is one, beside a `bigint` too. */
type Calculated<A, B> =
  NonNullable<ValueOf<A> | ValueOf<B>> extends infer All
    ? Extract<All, string> extends never
      ? Extract<All, bigint> extends never
        ? number
        : bigint
      : Decimal
    : never;

/** What a calculation of two operands gives. */
type Calculation<A, B> = ValueExpression<Calculated<A, B> | NullOf<A> | NullOf<B>, FromOf<A> | FromOf<B>>;

/** The kind of number that an operand of another kind gives in its place. */
type WithKindOf<Item> = Calculation<Item, Item>;

/**
 * `a + b`. Whole numbers stay whole, `bigint` and `Decimal` exact; of a fraction and a whole number it is a double. SQLite calculates
 * decimals as doubles, rounded to ten digits behind the point.
 *
 * @throws FwError `FW_ORM_VALUE` for what is no number, and for a double beside a `bigint` or a `Decimal`, which would lose digits
 * @example model(db, Line).select(add(line.net, line.tax).as('gross'))
 */
export const add = <const A, const B>(a: A & NumberOperand<A>, b: B & NumberOperand<B>): Calculation<A, B> =>
  calculation('add', a, b);

/** `a - b`; see {@link add}. */
export const subtract = <const A, const B>(a: A & NumberOperand<A>, b: B & NumberOperand<B>): Calculation<A, B> =>
  calculation('subtract', a, b);

/** `a * b`; see {@link add}. */
export const multiply = <const A, const B>(a: A & NumberOperand<A>, b: B & NumberOperand<B>): Calculation<A, B> =>
  calculation('multiply', a, b);

/** `a / b` as a double, of whole numbers too; null where `b` is zero. @throws FwError `FW_ORM_VALUE` */
export function divide<const A, const B>(
  a: A & NumberOperand<A>,
  b: B & NumberOperand<B>,
): ValueExpression<number | null, FromOf<A> | FromOf<B>> {
  return call('divide', [numberOperand(a), numberOperand(b)], { kind: 'float' });
}

/** The rest of a division of whole numbers, with the sign of `a`; null where `b` is zero. @throws FwError `FW_ORM_VALUE` */
export function modulo<const A, const B>(
  a: A & NumberOperand<A>,
  b: B & NumberOperand<B>,
): ValueExpression<Calculated<A, B> | null, FromOf<A> | FromOf<B>> {
  const type = commonType(a, b);
  if (type.kind !== 'int' && type.kind !== 'bigint') throw operandRefusal('whole numbers', `one of kind ${type.kind}`);
  return call('modulo', [typed(a, type), typed(b, type)], type);
}

/** The number without its sign. @throws FwError `FW_ORM_VALUE` */
export const abs = <const A>(value: A & NumberOperand<A>): WithKindOf<A> => unary('abs', value);

/** The greatest whole number that is not above it. @throws FwError `FW_ORM_VALUE` */
export const floor = <const A>(value: A & NumberOperand<A>): WithKindOf<A> => unary('floor', value);

/** The least whole number that is not below it. @throws FwError `FW_ORM_VALUE` */
export const ceil = <const A>(value: A & NumberOperand<A>): WithKindOf<A> => unary('ceil', value);

/** The number as a double, so that it can be calculated with beside doubles. @throws FwError `FW_ORM_VALUE` */
export function toDouble<const A>(value: A & NumberOperand<A>): ValueExpression<number | NullOf<A>, FromOf<A>> {
  return call('toDouble', [numberOperand(value)], { kind: 'float' });
}

function calculation<A, B>(name: FunctionName, a: unknown, b: unknown): Calculation<A, B> {
  const type = commonType(a, b);
  return call(name, [typed(a, type), typed(b, type)], type);
}

function unary<A>(name: FunctionName, value: unknown): WithKindOf<A> {
  const operand = numberOperand(value);
  return call(name, [operand], plainType(operand.type));
}

function numberOperand(operand: unknown): { readonly operand: unknown; readonly type: ValueType } {
  const type = typeOf(operand);
  assertNumber(type, operand);
  return { operand, type };
}

// A plain value is sent as what the result is.
const typed = (operand: unknown, type: ValueType) => ({ operand, type });

function commonType(a: unknown, b: unknown): ValueType {
  const [of, beside] = isValueSource(a) ? [a, b] : [b, a];
  const known = typeOf(of);
  const other = typeOf(beside, known);
  assertNumber(known, of);
  assertNumber(other, beside);
  const kinds = [known.kind, other.kind];
  if (kinds.includes('float') && (kinds.includes('decimal') || kinds.includes('bigint')))
    throw operandRefusal('numbers of one kind (toDouble makes doubles of exact ones)', kinds.join(' and '));
  return { kind: RANK.find((kind) => kinds.includes(kind)) ?? 'int' };
}

const RANK: readonly ColumnKind[] = ['float', 'decimal', 'bigint', 'int'];

function assertNumber(type: ValueType, operand: unknown): void {
  if (!RANK.includes(plainType(type).kind)) throw operandRefusal('a number', inWords(operand));
}

// An enum of numbers is calculated with as they are.
const plainType = ({ kind, column }: ValueType): ValueType => ({
  kind: kind === 'enum' && column?.definition.values?.every((value) => typeof value === 'number') ? 'int' : kind,
});
