import type { Part } from '../plan/parts.js';
import type { AggregateWhere } from './aggregates.js';
import { caseWhen } from './choice.js';
import { appendOperand, type FromOf } from './operand.js';
import type { OrderedBy, OrderExpression } from './order.js';
import type { CountedOf, Known } from './reach.js';
import { textOperand, type TextOperand } from './text.js';
import { ValueExpression, type ValueOrder } from './value.js';
import { innerOrder } from './windows.js';

/** Which texts a list is of, and in what order. */
export interface TextListOf<Reads = unknown, Term = OrderExpression | ValueOrder> extends AggregateWhere<Reads> {
  /** Their order; default that of the texts themselves. */
  readonly orderBy?: readonly Term[];
}

/**
 * The texts of many rows in one, with a separator between (`string_agg`, `group_concat`); those that are null are left out. Null without
 * any.
 *
 * @throws FwError `FW_ORM_VALUE` for what is no text, `FW_ORM_EXPRESSION` for what is no order
 * @example model(db, Tag).select('postId', stringAgg(tag.name, ', ', { orderBy: [tag.place.asc()] }).as('tags')).groupBy('postId')
 */
export function stringAgg<const Item, Reads = never, Term extends OrderExpression | ValueOrder = never>(
  text: Item & TextOperand<Item>,
  separator: string,
  { where, orderBy = [] }: TextListOf<Reads, Term> = {},
): ValueExpression<string | null, CountedOf<FromOf<Item> | Known<Reads> | OrderedBy<Term>>> {
  const { operand, type } = textOperand(text);
  const between = textOperand(separator);
  const some = where === undefined ? operand : caseWhen(where, operand);
  const own = new ValueExpression(type, (sink) => appendOperand(sink, operand, type));
  const order = innerOrder(orderBy.length > 0 ? orderBy : [own.asc()]);
  const part: Part = { t: 'listValue', orders: order.terms, values: 0 };
  return new ValueExpression({ kind: 'text' }, (sink) => {
    sink.part(`list:${order.key}`, part);
    appendOperand(sink, some, type);
    appendOperand(sink, between.operand, between.type);
    order.append(sink);
  });
}
