import { fwError } from '../../../../kernel/index.js';
import { typeInWords } from '../model/kinds.js';
import { ORM_ERRORS } from '../errors.js';
import { formError } from '../plan/form-error.js';
import type { InnerOrders, Part, ValueType, WindowName } from '../plan/parts.js';
import type { PartSink } from './expression.js';
import {
  appendColumn,
  isValueSource,
  typeKey,
  typeOf,
  type FromOf,
  type Typed,
  type ValueOf,
  type ValueSource,
} from './operand.js';
import { OrderExpression, type OrderedBy } from './order.js';
import type { Windowed } from './reach.js';
import { ValueExpression, ValueOrder } from './value.js';

/** A function that makes sense over a window alone; see {@link over}. Immutable. */
export class WindowFunction<out Value, out From = unknown> {
  /** Exists only in types. */
  declare readonly types: { readonly value: Value; readonly from: From };

  constructor(
    readonly name: WindowName,
    readonly valueType: ValueType,
    readonly operand?: ValueSource,
  ) {}
}

const WHOLE: ValueType = { kind: 'int' };

/** The place of a row, from 1; rows of equal order have different ones. */
export const rowNumber = (): WindowFunction<number, never> => new WindowFunction('rowNumber', WHOLE);

/** The place of a row, from 1; rows of equal order have one, and the next is as far behind as there are of them. */
export const rank = (): WindowFunction<number, never> => new WindowFunction('rank', WHOLE);

/** The place of a row, from 1; rows of equal order have one, and none is left out behind them. */
export const denseRank = (): WindowFunction<number, never> => new WindowFunction('denseRank', WHOLE);

/** The value in the row before; null in the first. @throws FwError `FW_ORM_EXPRESSION` for a plain value */
export const lag = <const Item extends Typed<unknown>>(
  item: Item,
): WindowFunction<ValueOf<Item> | null, FromOf<Item>> => neighbour('lag', item);

/** The value in the row behind; null in the last. @throws FwError `FW_ORM_EXPRESSION` for a plain value */
export const lead = <const Item extends Typed<unknown>>(
  item: Item,
): WindowFunction<ValueOf<Item> | null, FromOf<Item>> => neighbour('lead', item);

function neighbour<Value>(name: WindowName, item: unknown): WindowFunction<Value, never> {
  return new WindowFunction(name, typeOf(item), sourceOf(item));
}

/** The rows that a window function looks at for each row. */
export interface Window<By = Typed<unknown>, Term = OrderExpression | ValueOrder> {
  /** Rows of equal values in these belong together; all rows when left out. */
  readonly partitionBy?: readonly By[];
  /** Their order. With one, an aggregate is of the rows up to each row, and those equal to it. */
  readonly orderBy?: readonly Term[];
}

/**
 * An aggregate, or a window function, over the rows that belong to each row, for `select` and `orderBy`.
 *
 * @throws FwError `FW_ORM_EXPRESSION`; `FW_ORM_QUERY_FORM` for a function of places without an order
 * @example over(rowNumber(), { partitionBy: [order.customerId], orderBy: [order.createdAt.desc()] }).as('place')
 */
export function over<
  Made extends WindowFunction<unknown> | (ValueSource & Typed<unknown>),
  By extends Typed<unknown> = never,
  Term extends OrderExpression | ValueOrder = never,
>(
  made: Made,
  { partitionBy = [], orderBy = [] }: Window<By, Term> = {},
): ValueExpression<ValueOf<Made>, Windowed<FromOf<Made> | FromOf<By> | OrderedBy<Term>>> {
  const partitions = partitionBy.map(sourceOf);
  const order = innerOrder(orderBy);
  const [name, operand] = made instanceof WindowFunction ? [made.name, made.operand] : (['aggregate', made] as const);
  const { valueType } = made;
  const part: Part = {
    ...valueType,
    t: 'window',
    name,
    ofValue: operand !== undefined,
    partitions: partitions.length,
    orders: order.terms,
    values: 0,
  };
  const key = `window:${name}:${part.ofValue}:${partitions.length}:${order.key}:${typeKey(valueType)}`;
  return new ValueExpression(valueType, (sink) => {
    if (name !== 'aggregate' && orderBy.length === 0) throw formError(sink.model, `${name} is a place in an order; give over one with orderBy`); // prettier-ignore
    sink.part(key, part);
    operand?.appendValueTo(sink);
    for (const source of partitions) source.appendValueTo(sink);
    order.append(sink);
  });
}

/** An order inside of an expression: its words, their key, and what writes its keys. @throws FwError `FW_ORM_EXPRESSION` */
export function innerOrder(orderBy: readonly (OrderExpression | ValueOrder)[]) {
  const orders = orderBy.map(orderOf);
  const terms: InnerOrders = orders.map(({ desc, nulls }) => ({ desc, nulls }));
  const key = terms.map(({ desc, nulls }) => `${desc ? '-' : '+'}${nulls ?? ''}`).join('');
  const append = (sink: PartSink) => orders.forEach(({ by }) => by(sink));
  return { terms, key, append };
}

function orderOf(term: OrderExpression | ValueOrder) {
  if (term instanceof ValueOrder) {
    const { source, desc, nulls } = term;
    return { desc, nulls, by: (sink: PartSink) => source.appendValueTo(sink) };
  }
  const part = term instanceof OrderExpression ? term.step.part : undefined;
  if (part?.t !== 'order') throw refused('an order (user.name.asc())', term);
  const { target, desc, nulls } = part;
  return { desc, nulls, by: (sink: PartSink) => appendColumn(sink, target) };
}

function sourceOf(item: unknown): ValueSource {
  if (isValueSource(item)) return item;
  throw refused('a column or an expression', item);
}

const refused = (expected: string, got: unknown) =>
  fwError(ORM_ERRORS.FW_ORM_EXPRESSION, { model: 'a window', got: typeInWords(got), expected });
