import { fwError } from '../../../../kernel/index.js';
import { typeInWords } from '../dialect/kinds.js';
import { ORM_ERRORS } from '../errors.js';
import type { TimePart, TimeSpan, TimeUnit } from '../plan/parts.js';
import { TIME_PARTS, TIME_SPANS, TIME_UNITS } from '../plan/words.js';
import { isValueSource, typeOf, type FromOf, type ValueOf } from './operand.js';
import { call, type ValueExpression } from './value.js';

/** An operand of a moment; `never` for any other. */
type MomentOperand<Item> = NonNullable<ValueOf<Item>> extends Date ? Item : never;

type NullIn<Item> = null extends ValueOf<Item> ? null : never;

/**
 * A part of a moment in UTC, as a number: `year`, `month` (1 to 12), `day`, `hour`, `minute` or `second`.
 *
 * @throws FwError `FW_ORM_WORD`, `FW_ORM_VALUE` for what is no moment
 */
export function datePart<const Item>(
  part: TimePart,
  moment: Item & MomentOperand<Item>,
): ValueExpression<number | NullIn<Item>, FromOf<Item>> {
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
): ValueExpression<Date | NullIn<Item>, FromOf<Item>> {
  return call(`begin:${TIME_UNITS.checked(unit)}`, [momentOperand(moment)], DATE);
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
): ValueExpression<Date | NullIn<Item> | NullIn<Amount>, FromOf<Item> | FromOf<Amount>> {
  const name = `later:${TIME_SPANS.checked(unit)}` as const;
  return call(name, [momentOperand(moment), wholeOperand(amount)], DATE);
}

/** An operand of a number; `never` for any other. */
type WholeOperand<Item> = NonNullable<ValueOf<Item>> extends number ? Item : never;

const DATE = { kind: 'date' } as const;

function momentOperand(operand: unknown) {
  return { operand, type: typeLike(operand, 'date', 'a moment (a Date)') };
}

function wholeOperand(operand: unknown) {
  return { operand, type: typeLike(operand, 'int', 'a whole number') };
}

function typeLike(operand: unknown, wanted: 'date' | 'int', expected: string) {
  const type = typeOf(operand);
  if (type.kind === wanted && operand !== null) return { kind: wanted };
  const got = isValueSource(operand) ? `one of kind ${type.kind}` : typeInWords(operand);
  throw fwError(ORM_ERRORS.FW_ORM_VALUE, { model: 'an expression', field: 'operand', expected, got });
}
