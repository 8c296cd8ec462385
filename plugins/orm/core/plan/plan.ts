import type { PositionalRow, RowScanner } from '../model/model-definition.js';
import type { Binder } from '../dialect/sql-writer.js';
import type { StatementOptions } from '../session/sql-handle.js';
import type { Slot } from './logical.js';
import type { Shape, PlanKind } from './shape.js';

/** A compiled query: SQL text, where its values come from, and how its rows are read. Holds no value of any call. */
export interface Plan {
  readonly sql: string;
  /** Per parameter, the value that it takes; undefined when they come in builder order. */
  readonly slots: readonly Slot[] | undefined;
  readonly binders: readonly Binder[];
  readonly scan: RowScanner<object>;
  readonly bigints: boolean;
  /** What a statement of it needs when the call says nothing more. */
  readonly options: StatementOptions;
  /** Known result that needs no round trip: the plan found that no row can match. */
  readonly empty: boolean;
  /** Where the plan hangs, for eviction. */
  readonly home?: { readonly shape: Shape; readonly kind: PlanKind } | undefined;
  /** Tick of its last use. */
  used: number;
}

/**
 * Parameters of one call in SQL order, checked and encoded.
 *
 * @param values - of this call alone: the list becomes that of the parameters where the order is the same
 */
export function bindParameters({ binders, slots }: Plan, values: unknown[]): unknown[] {
  const parameters = slots === undefined ? values : ordered(slots, values);
  for (let at = 0; at < binders.length; at++) {
    const binder = binders[at];
    if (binder !== undefined) parameters[at] = binder(parameters[at]);
  }
  return parameters;
}

function ordered(slots: readonly Slot[], values: readonly unknown[]): unknown[] {
  const parameters = new Array<unknown>(slots.length);
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] as Slot;
    parameters[at] = typeof slot === 'number' ? values[slot] : slot();
  }
  return parameters;
}

/** Objects of all rows. */
export function scanRows<Row>(rows: readonly PositionalRow[], scan: RowScanner<Row>): Row[] {
  const objects = new Array<Row>(rows.length);
  for (let at = 0; at < rows.length; at++) objects[at] = scan(rows[at] as PositionalRow);
  return objects;
}
