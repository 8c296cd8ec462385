import { acceptorOf } from '../model/kinds.js';
import type { ValueType } from '../plan/parts.js';
import { expressionOf } from './conditions.js';
import type { Condition, PartSink } from './expression.js';
import {
  appendOperand,
  isValueSource,
  operandRefusal,
  typeKey,
  typeOfPlain,
  type FromOf,
  type ValueOf,
} from './operand.js';
import type { LookedAt } from './reach.js';
import { call, ValueExpression } from './value.js';

/**
 * The first of the values that is not null.
 *
 * @throws FwError `FW_ORM_VALUE` for values of several kinds
 * @example coalesce(user.nickname, user.name)
 */
export function coalesce<const Items extends readonly [unknown, unknown, ...unknown[]]>(
  ...items: Items
): ValueExpression<FirstOf<Items>, FromOf<Items[number]>> {
  const type = typeOfAll(items);
  return call('coalesce', items.map((operand) => ({ operand, type })), type); // prettier-ignore
}

// Null is possible only where it is for all of them.
type FirstOf<Items extends readonly unknown[]> =
  | NonNullable<Widened<ValueOf<Items[number]>>>
  | (Items extends readonly [infer Head, ...infer Rest]
      ? null extends ValueOf<Head>
        ? Rest extends readonly []
          ? null
          : Extract<FirstOf<Rest>, null>
        : never
      : never);

type Widened<Value> = Value extends number ? number : Value extends bigint ? bigint : Value;

/** The value, or null where it is equal to `other`. @throws FwError `FW_ORM_VALUE` */
export function nullIf<const Item>(
  value: Item,
  other: NonNullable<Widened<ValueOf<Item>>>,
): ValueExpression<ValueOf<Item> | null, FromOf<Item>> {
  const type = typeOfAll([value, other]);
  return call('nullIf', [value, other].map((operand) => ({ operand, type })), type); // prettier-ignore
}

interface Branch {
  readonly when: Condition;
  readonly then: unknown;
}

/**
 * `CASE WHEN condition THEN value ...`: the value of the first condition that holds; add more with `when`, and end with `otherwise`,
 * without which it is null where none holds.
 *
 * @throws FwError `FW_ORM_VALUE` for values of several kinds
 * @example caseWhen(order.total.gt(1000), 'large').when(order.total.gt(100), 'medium').otherwise('small')
 */
export function caseWhen<const Item, Reads>(
  when: Condition<Reads>,
  then: Item,
): Choice<ValueOf<Item>, FromOf<Item> | LookedAt<Reads>> {
  return new Choice([{ when, then }]);
}

/** A `CASE` without `otherwise`: null where no condition holds. Immutable. */
export class Choice<out Value, out From> extends ValueExpression<Value | null, From> {
  constructor(private readonly branches: readonly Branch[]) {
    const type = typeOfAll(branches.map(({ then }) => then));
    super(type, (sink) => appendBranches(sink, branches, type));
  }

  /** One more condition, looked at where those before do not hold. */
  when<const Item, Reads>(
    when: Condition<Reads>,
    then: Item,
  ): Choice<Value | ValueOf<Item>, From | FromOf<Item> | LookedAt<Reads>> {
    return new Choice([...this.branches, { when, then }]);
  }

  /** The value where no condition holds. */
  otherwise<const Item>(value: Item): ValueExpression<Value | ValueOf<Item>, From | FromOf<Item>> {
    const { branches } = this;
    const type = typeOfAll([...branches.map(({ then }) => then), value]);
    return new ValueExpression(type, (sink) => {
      appendBranches(sink, branches, type, true);
      appendOperand(sink, value, type);
    });
  }
}

function appendBranches(sink: PartSink, branches: readonly Branch[], type: ValueType, otherwise = false): void {
  const size = branches.length;
  sink.part(`case:${size}:${otherwise}:${typeKey(type)}`, { ...type, t: 'case', size, otherwise, values: 0 });
  for (const { when, then } of branches) {
    expressionOf(when, sink.model).appendTo(sink);
    appendOperand(sink, then, type);
  }
}

/** The type that all operands have in common; if one of them is a column, the type of that column. */
function typeOfAll(operands: readonly unknown[]): ValueType {
  const sources = operands.filter(isValueSource).map(({ valueType }) => valueType);
  const plain = operands.filter((operand) => !isValueSource(operand) && operand !== null);
  const known = sources[0] ?? { kind: 'any' };
  const types = plain.reduce<ValueType[]>((all, each) => [...all, typeAmong(each, all)], [...sources]);
  const [first = known] = types;
  const kinds = new Set(types.map(familyOf));
  const isMixed = kinds.size > 1 && !(kinds.size === 2 && kinds.has('int') && kinds.has('float'));
  const isSeveral = isMixed || new Set(types.map(({ temporal }) => temporal)).size > 1;
  if (isSeveral) throw operandRefusal('values of one kind', types.map(kindInWords).join(' and '));
  if (kinds.size === 2) return { kind: 'float' };
  // Values of an enum beside other texts are texts.
  return types.every(({ column }) => column === first.column)
    ? first
    : { kind: familyOf(first), temporal: first.temporal };
}

const kindInWords = ({ kind, temporal }: ValueType): string => (temporal ? `Temporal.${temporal}` : kind);

// A plain value takes the type of its neighbours where it fits: a text beside decimals is a decimal, a whole number beside bigints a bigint.
function typeAmong(plain: unknown, types: readonly ValueType[]): ValueType {
  const beside = wider(types);
  return beside !== undefined && acceptorOf(beside)(plain) ? typeOfPlain(plain, beside) : typeOfPlain(plain, undefined);
}

const wider = (types: readonly ValueType[]): ValueType | undefined =>
  types.find(({ kind }) => kind === 'float') ?? types[0];

const familyOf = ({ kind, column }: ValueType): ValueType['kind'] =>
  kind === 'string' || (kind === 'enum' && column?.definition.values?.every((value) => typeof value === 'string'))
    ? 'text'
    : kind === 'enum'
      ? 'int'
      : kind;

/**
 * Whether a condition holds, as a value: true, false, or null where it is unknown, on every database.
 *
 * @example model(db, Order).select('id', holds(order.total.gt('100')).as('large'))
 */
export function holds<Reads>(condition: Condition<Reads>): ValueExpression<boolean | null, LookedAt<Reads>> {
  return new ValueExpression({ kind: 'boolean' }, (sink) => {
    sink.part('truth', { t: 'truth', values: 0 });
    expressionOf(condition, sink.model).appendTo(sink);
  });
}
