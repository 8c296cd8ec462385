import { formError } from '../plan/form-error.js';
import type { AggregateName, Part, ValueType } from '../plan/parts.js';
import { caseWhen } from './choice.js';
import type { OrderedValue, SumOf } from './column-types.js';
import type { NumberOperand } from './arithmetic.js';
import type { Condition } from './expression.js';
import { appendOperand, typeKey, typeOf, type FromOf, type ValueOf } from './operand.js';
import type { CountedOf, Known } from './reach.js';
import { ValueExpression } from './value.js';

/** Which rows an aggregate is of. */
interface AggregateOf<Reads = unknown> {
  /** Each value once. Default false. */
  readonly distinct?: boolean;
  /** Rows that do not meet the condition are left out (`FILTER` of SQL), on every database. */
  readonly where?: Condition<Reads>;
}

/** Options of an aggregate that has no `distinct`. */
export type AggregateWhere<Reads = unknown> = Pick<AggregateOf<Reads>, 'where'>;

type Of<Item, Reads> = CountedOf<FromOf<Item> | Known<Reads>>;

/**
 * `SUM` of an expression, exact for `bigint` and `Decimal`; null without rows.
 *
 * @throws FwError `FW_ORM_QUERY_FORM` for what is no number
 * @example model(db, Line).select(sum(multiply(line.price, line.quantity), { where: line.paid.eq(true) }).as('total'))
 */
export const sum = <const Item, Reads = never>(
  item: Item & NumberOperand<Item>,
  of: AggregateOf<Reads> = {},
): ValueExpression<SumOf<ValueOf<Item>> | null, Of<Item, Reads>> => aggregate('sum', item, of);

/** `AVG` of an expression, as a double; null without rows. @throws FwError `FW_ORM_QUERY_FORM` */
export const avg = <const Item, Reads = never>(
  item: Item & NumberOperand<Item>,
  of: AggregateOf<Reads> = {},
): ValueExpression<number | null, Of<Item, Reads>> => aggregate('avg', item, of);

/** `MIN` of an expression; null without rows. @throws FwError `FW_ORM_QUERY_FORM` for values without an order */
export const min = <const Item, Reads = never>(
  item: Item,
  of: AggregateWhere<Reads> = {},
): ValueExpression<OrderedValue<ValueOf<Item>> | null, Of<Item, Reads>> => aggregate('min', item, of);

/** `MAX` of an expression; null without rows. @throws FwError `FW_ORM_QUERY_FORM` for values without an order */
export const max = <const Item, Reads = never>(
  item: Item,
  of: AggregateWhere<Reads> = {},
): ValueExpression<OrderedValue<ValueOf<Item>> | null, Of<Item, Reads>> => aggregate('max', item, of);

/**
 * `COUNT` of the rows in which an expression is not null; with `distinct`, of its values.
 *
 * @example count(value(1), { where: order.status.eq('open') })
 */
export const count = <const Item, Reads = never>(
  item: Item,
  of: AggregateOf<Reads> = {},
): ValueExpression<number, Of<Item, Reads>> => aggregate('count', item, of);

const NUMBERS: ReadonlySet<string> = new Set(['int', 'bigint', 'float', 'decimal', 'any']);
const UNORDERED: ReadonlySet<string> = new Set(['json', 'bytes', 'array', 'boolean', 'uuid']);

function aggregate<Value>(
  name: AggregateName,
  item: unknown,
  { distinct = false, where }: AggregateOf,
): ValueExpression<Value, never> {
  const type = typeOf(item);
  // No database but PostgreSQL and SQLite has FILTER; rows that are null are in no aggregate.
  const some = where === undefined ? item : caseWhen(where, item);
  const result = resultOf(name, type);
  const part: Part = { ...result, t: 'aggregateValue', name, distinct, ofValue: true, values: 0 };
  return new ValueExpression(result, (sink) => {
    const problem = problemOf(name, type, distinct);
    if (problem !== undefined) throw formError(sink.model, problem);
    sink.part(`aggregateValue:${name}:${distinct}:${typeKey(result)}:true`, part);
    appendOperand(sink, some, type);
  });
}

function resultOf(name: AggregateName, type: ValueType): ValueType {
  if (name === 'count') return { kind: 'int' };
  if (name === 'avg') return { kind: 'float' };
  return type;
}

function problemOf(name: AggregateName, { kind }: ValueType, distinct: boolean): string | undefined {
  if ((name === 'sum' || name === 'avg') && !NUMBERS.has(kind)) return `${name} is for numbers, not for kind ${kind}`;
  if ((name === 'min' || name === 'max') && UNORDERED.has(kind))
    return `${name} of an expression is for numbers, texts and times, not for kind ${kind}`;
  return distinct && kind === 'json' ? 'databases do not tell JSON apart alike' : undefined;
}
