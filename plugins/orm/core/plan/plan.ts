import type { PositionalRow, RowScanner } from '../model/model-definition.js';
import type { Binder } from '../dialect/sql-writer.js';
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
  /** Known result that needs no round trip: the plan found that no row can match. */
  readonly empty: boolean;
  /** Where the plan hangs, for eviction. */
  readonly home?: { readonly shape: Shape; readonly kind: PlanKind } | undefined;
  /** Tick of its last use. */
  used: number;
}

/** Parameters of one call in SQL order, checked and encoded. */
export function bindParameters(plan: Plan, values: readonly unknown[]): unknown[] {
  const { binders, slots } = plan;
  const parameters = new Array<unknown>(binders.length);
  for (let at = 0; at < binders.length; at++) {
    const slot = slots === undefined ? at : (slots[at] as Slot);
    const value = typeof slot === 'number' ? values[slot] : slot();
    const binder = binders[at];
    parameters[at] = binder === undefined ? value : binder(value);
  }
  return parameters;
}

/** Objects of all rows. */
export function scanRows<Row>(rows: readonly PositionalRow[], scan: RowScanner<Row>): Row[] {
  const objects = new Array<Row>(rows.length);
  for (let at = 0; at < rows.length; at++) objects[at] = scan(rows[at] as PositionalRow);
  return objects;
}
