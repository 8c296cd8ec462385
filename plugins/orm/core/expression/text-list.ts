import type { Part } from '../plan/parts.js';
import type { AggregateWhere } from './aggregates.js';
import { caseWhen } from './choice.js';
import { appendOperand, type FromOf } from './operand.js';
import type { OrderedBy, OrderExpression } from './order.js';
import type { CountedOf, Known } from './reach.js';
import { textOperand, type TextOperand } from './text.js';
import { ValueExpression, type ValueOrder } from './value.js';
import { orderOf } from './windows.js';

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
  const orders = orderBy.map(orderOf);
  const terms =
    orders.length > 0 ? orders.map(({ desc, nulls }) => ({ desc, nulls })) : [{ desc: false, nulls: undefined }];
  const part: Part = { t: 'listValue', orders: terms, values: 0 };
  const key = `list:${terms.map(({ desc, nulls }) => `${desc ? '-' : '+'}${nulls ?? ''}`).join('')}`;
  return new ValueExpression({ kind: 'text' }, (sink) => {
    sink.part(key, part);
    appendOperand(sink, some, type);
    appendOperand(sink, between.operand, between.type);
    if (orders.length === 0) appendOperand(sink, operand, type);
    else for (const { append } of orders) append(sink);
  });
}
