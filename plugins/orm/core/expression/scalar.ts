import type { ValueType } from '../plan/parts.js';
import { readShape, typeOfSelected } from '../plan/read-shape.js';
import { serialOf } from '../plan/serial.js';
import type { Shape } from '../plan/shape.js';
import type { Beyond, Inner } from './reach.js';
import type { Subselect } from './subquery.js';
import { ValueExpression } from './value.js';

/**
 * The value that a query of one column gives with its first row, and null without any. It may name columns of the query around it.
 *
 * @throws FwError `FW_ORM_QUERY_FORM` for a query of several columns
 * @example
 * const lines = model(db, Line).where(line.orderId.eq(order.id)).select(countAll());
 * await model(db, Order).select('id', scalar(lines).as('lines')).find();
 */
export function scalar<Query extends Subselect & Inner & { readonly result: unknown }>(
  query: Query,
): ValueExpression<Query['result'][keyof Query['result'] & string] | null, Beyond<Query>> {
  const { shape } = query;
  return new ValueExpression(typeOfQuery(shape), (sink) => {
    sink.part(`scalar:${serialOf(shape)}`, { t: 'scalar', query: shape, values: shape.values });
    for (const value of query.values()) sink.value(value);
  });
}

/** Type of the values of a query of one column; the sort order of nulls does not affect it. */
export const typeOfQuery = (shape: Shape): ValueType => typeOfSelected(readShape(shape, 'largest').select);
