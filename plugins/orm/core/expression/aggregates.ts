import { formError } from '../plan/form-error.js';
import type { AggregateName, Part, ValueType } from '../plan/parts.js';
import type { OrderedValue, SumOf } from './column-types.js';
import type { NumberOperand } from './arithmetic.js';
import { appendOperand, typeOf, type FromOf, type ValueOf } from './operand.js';
import { ValueExpression } from './value.js';

/**
 * `SUM` of an expression, exact for `bigint` and `Decimal`; null without rows.
 *
 * @throws FwError `FW_ORM_QUERY_FORM` for what is no number
 * @example model(db, Line).select(sum(multiply(line.price, line.quantity)).as('total'))
 */
export const sum = <const Item>(item: Item & NumberOperand<Item>): ValueExpression<SumOf<ValueOf<Item>> | null> =>
  aggregate('sum', item);

/** `AVG` of an expression, as a double; null without rows. @throws FwError `FW_ORM_QUERY_FORM` */
export const avg = <const Item>(item: Item & NumberOperand<Item>): ValueExpression<number | null> =>
  aggregate('avg', item);

/** `MIN` of an expression; null without rows. @throws FwError `FW_ORM_QUERY_FORM` for values without an order */
export const min = <const Item>(item: Item): ValueExpression<OrderedValue<ValueOf<Item>> | null> =>
  aggregate('min', item);

/** `MAX` of an expression; null without rows. @throws FwError `FW_ORM_QUERY_FORM` for values without an order */
export const max = <const Item>(item: Item): ValueExpression<OrderedValue<ValueOf<Item>> | null> =>
  aggregate('max', item);

/** `COUNT` of the rows in which an expression is not null; with `distinct`, of its values. */
export const count = <const Item>(
  item: Item,
  { distinct = false }: { readonly distinct?: boolean } = {},
): ValueExpression<number> => aggregate('count', item, distinct);

const NUMBERS: ReadonlySet<string> = new Set(['int', 'bigint', 'float', 'decimal', 'any']);
const UNORDERED: ReadonlySet<string> = new Set(['json', 'bytes', 'array', 'boolean', 'uuid']);

function aggregate<Value>(name: AggregateName, item: unknown, distinct = false): ValueExpression<Value> {
  const type = typeOf(item);
  const result = resultOf(name, type);
  const part: Part = {
    t: 'aggregateValue',
    name,
    distinct,
    kind: result.kind,
    column: result.column,
    ofValue: true,
    values: 0,
  };
  return new ValueExpression(result, (sink) => {
    const problem = problemOf(name, type, distinct);
    if (problem !== undefined) throw formError(sink.model, problem);
    sink.part(`aggregateValue:${name}:${distinct}:${result.kind}:true`, part);
    appendOperand(sink, item, type);
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
