import type { TimePart, TimeSpan, TimeUnit, ValueType } from '../plan/parts.js';
import { TIME_PARTS, TIME_SPANS, TIME_UNITS } from '../plan/words.js';
import type { Moment } from './column-types.js';
import { inWords, operandRefusal, typeOf, type FromOf, type NullOf, type ValueOf } from './operand.js';
import { call, type ValueExpression } from './value.js';

/** An operand of a moment; `never` for any other. */
type MomentOperand<Item> = NonNullable<ValueOf<Item>> extends Moment ? Item : never;

/** The type of what is made of a moment: its own. */
type MomentOf<Item> = NonNullable<ValueOf<Item>>;

/**
 * A part of a moment in UTC, as a number: `year`, `month` (1 to 12), `day`, `hour`, `minute` or `second`.
 *
 * @throws FwError `FW_ORM_WORD`, `FW_ORM_VALUE` for what is no moment
 */
export function datePart<const Item>(
  part: TimePart,
  moment: Item & MomentOperand<Item>,
): ValueExpression<number | NullOf<Item>, FromOf<Item>> {
  return call(`part:${TIME_PARTS.checked(part)}`, [momentOperand(moment)], { kind: 'int' });
}

/**
 * The moment, in UTC, that a `year`, `month`, `day`, `hour` or `minute` begins with.
 *
 * @throws FwError `FW_ORM_WORD`, `FW_ORM_VALUE`
 * @example model(db, Order).select(dateTrunc('month', order.createdAt).as('month'), countAll()).groupBy(...)
 */
export function dateTrunc<const Item>(
  unit: TimeUnit,
  moment: Item & MomentOperand<Item>,
): ValueExpression<MomentOf<Item> | NullOf<Item>, FromOf<Item>> {
  return call(`begin:${TIME_UNITS.checked(unit)}`, [momentOperand(moment)], momentType(moment));
}

/**
 * The moment so many `second`, `minute`, `hour` or `day` of 24 hours later; earlier for a number below zero.
 *
 * @throws FwError `FW_ORM_WORD`, `FW_ORM_VALUE`
 */
export function dateAdd<const Item, const Amount>(
  moment: Item & MomentOperand<Item>,
  amount: Amount & WholeOperand<Amount>,
  unit: TimeSpan,
): ValueExpression<MomentOf<Item> | NullOf<Item> | NullOf<Amount>, FromOf<Item> | FromOf<Amount>> {
  const name = `later:${TIME_SPANS.checked(unit)}` as const;
  return call(name, [momentOperand(moment), operandOf(amount, 'int', 'a whole number')], momentType(moment));
}

/** An operand of a number; `never` for any other. */
type WholeOperand<Item> = NonNullable<ValueOf<Item>> extends number ? Item : never;

function momentType(moment: unknown): ValueType {
  const { temporal } = typeOf(moment);
  return temporal === undefined ? { kind: 'date' } : { kind: 'date', temporal };
}

const momentOperand = (operand: unknown) =>
  operandOf(operand, 'date', 'a moment (a Date, a Temporal.Instant or a Temporal.PlainDateTime)');

function operandOf(operand: unknown, kind: 'date' | 'int', expected: string) {
  if (typeOf(operand).kind === kind && operand !== null) return { operand, type: { kind } };
  throw operandRefusal(expected, inWords(operand));
}
