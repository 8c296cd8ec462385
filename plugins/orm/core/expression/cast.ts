import type { ColumnKind, Decimal, OfKind, PlainDate } from '../model/kinds.js';
import type { CastFamily } from '../plan/parts.js';
import { CAST_NAMES, CASTS } from '../plan/words.js';
import type { Moment, TextValue } from './column-types.js';
import { inWords, operandRefusal, typeOf, type FromOf, type NullOf, type ValueOf } from './operand.js';
import { call, type ValueExpression } from './value.js';

/** What {@link cast} makes values of. */
export interface CastTypes {
  readonly text: string;
  readonly int: number;
  readonly bigint: bigint;
  readonly float: number;
  readonly decimal: Decimal;
  readonly plainDate: PlainDate;
}

type CastTo = keyof CastTypes;

/** Kinds as which a value can be read, by what it is: others would differ between databases. */
type CastsOf<Value> = Value extends Moment
  ? 'plainDate'
  : Value extends bigint | number
    ? 'text' | NumberKind
    : Value extends OfKind<'decimal'>
      ? NumberKind
      : Value extends OfKind<'uuid'>
        ? 'text'
        : [NonNullable<TextValue<Value>>] extends [never]
          ? never
          : 'text' | NumberKind;

type NumberKind = 'int' | 'bigint' | 'float' | 'decimal';

// A text may be no number.
type MayFail<Item, To> = To extends NumberKind
  ? [NonNullable<TextValue<ValueOf<Item>>>] extends [never]
    ? never
    : null
  : never;

/**
 * A value as one of another kind: `CAST(... AS ...)`. A text is a number where it is digits, with a minus and, but for whole ones, one
 * point, at most 18 before it; else null. To whole numbers fractions are cut off. A moment gives its day in UTC.
 *
 * @throws FwError `FW_ORM_WORD`; `FW_ORM_VALUE` for what databases cast in different ways, such as a double to a text
 * @example model(db, Order).where(cast(order.number, 'text').like('17%'))
 */
export function cast<const Item, To extends CastsOf<NonNullable<ValueOf<Item>>>>(
  item: Item,
  to: To,
): ValueExpression<CastTypes[To] | NullOf<Item> | MayFail<Item, To>, FromOf<Item>> {
  const kind = CASTS.checked(to);
  const type = typeOf(item);
  const name = `${String(familyOf(type.kind, type.column?.definition.values))}:${FAMILIES[kind]}`;
  if (item === null || !CAST_NAMES.has(name))
    throw operandRefusal(`what becomes ${kind} alike on every database`, inWords(item));
  return call(`cast:${name}`, [{ operand: item, type }], { kind });
}

const FAMILIES: Readonly<Record<CastTo, CastFamily>> = {
  text: 'text',
  int: 'whole',
  bigint: 'whole',
  float: 'double',
  decimal: 'exact',
  plainDate: 'day',
};

function familyOf(kind: ColumnKind, values: readonly unknown[] | undefined): CastFamily | undefined {
  switch (kind) {
    case 'string':
    case 'text':
      return 'text';
    case 'enum':
      return values?.some((each) => typeof each === 'number') ? 'whole' : 'text';
    case 'int':
    case 'bigint':
      return 'whole';
    case 'decimal':
      return 'exact';
    case 'float':
      return 'double';
    case 'uuid':
      return 'uuid';
    case 'date':
      return 'moment';
    default:
      return undefined;
  }
}
