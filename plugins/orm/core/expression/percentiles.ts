import { shown } from '../model/kinds.js';
import type { OrderedAggregate, Part, ValueType } from '../plan/parts.js';
import { formError } from '../plan/form-error.js';
import type { AggregateWhere } from './aggregates.js';
import type { NumberOperand } from './arithmetic.js';
import { caseWhen } from './choice.js';
import type { OrderedValue } from './column-types.js';
import { appendOperand, operandRefusal, typeKey, typeOf, type FromOf, type ValueOf } from './operand.js';
import type { CountedOf, Known } from './reach.js';
import { ValueExpression } from './value.js';

type Of<Item, Reads> = CountedOf<FromOf<Item> | Known<Reads>>;

/**
 * The number below which a fraction of all values lies, between two of them if need be, as a double (`PERCENTILE_CONT`): `0.5` is the median.
 * Null without rows. Of PostgreSQL: others have no such aggregate.
 *
 * @param fraction - from 0 to 1
 * @throws FwError `FW_ORM_VALUE`; `FW_ORM_QUERY_FORM` for what is no number, `FW_ORM_UNSUPPORTED` on other databases, when the query runs
 * @example model(db, Order).select('status', percentileCont(order.total, 0.95).as('most')).groupBy('status')
 */
export const percentileCont = <const Item, Reads = never>(
  item: Item & NumberOperand<Item>,
  fraction: number,
  of: AggregateWhere<Reads> = {},
): ValueExpression<number | null, Of<Item, Reads>> => ordered('percentileCont', item, fraction, of);

/**
 * The first value that a fraction of all values is not above (`PERCENTILE_DISC`), which is one of them; see `percentileCont`.
 *
 * @throws FwError `FW_ORM_VALUE`, `FW_ORM_QUERY_FORM` for values without an order, `FW_ORM_UNSUPPORTED`
 */
export const percentileDisc = <const Item, Reads = never>(
  item: Item,
  fraction: number,
  of: AggregateWhere<Reads> = {},
): ValueExpression<OrderedValue<ValueOf<Item>> | null, Of<Item, Reads>> =>
  ordered('percentileDisc', item, fraction, of);

const NUMBERS: ReadonlySet<string> = new Set(['int', 'bigint', 'float', 'decimal']);
const UNORDERED: ReadonlySet<string> = new Set(['json', 'bytes', 'array', 'boolean', 'uuid', 'enum', 'any']);

function ordered<Value>(
  name: OrderedAggregate,
  item: unknown,
  fraction: number,
  { where }: AggregateWhere,
): ValueExpression<Value, never> {
  if (!(typeof fraction === 'number' && fraction >= 0 && fraction <= 1))
    throw operandRefusal('a fraction from 0 to 1', shown(fraction), name);
  const type = typeOf(item);
  const some = where === undefined ? item : caseWhen(where, item);
  const result: ValueType = name === 'percentileCont' ? { kind: 'float' } : type;
  const part: Part = { ...result, t: 'orderedValue', name, values: 0 };
  return new ValueExpression(result, (sink) => {
    const isWrong = name === 'percentileCont' ? !NUMBERS.has(type.kind) : UNORDERED.has(type.kind);
    if (isWrong) throw formError(sink.model, `${name} is for ${name === 'percentileCont' ? 'numbers' : 'numbers, texts and times'}, not for kind ${type.kind}`); // prettier-ignore
    sink.part(`ordered:${name}:${typeKey(result)}`, part);
    appendOperand(sink, fraction, { kind: 'float' });
    appendOperand(sink, some, type);
  });
}
