import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { PositionalRow, RowScanner } from '../model/model-definition.js';
import { scalarKey } from '../preload/keys.js';
import type { StatementOptions } from '../session/sql-handle.js';
import type { Slot } from './logical.js';
import type { Shape, PlanKind } from './shape.js';

/** Checks and encodes one value on its way to the driver; undefined passes it on as it is. */
export type Binder = ((value: unknown) => unknown) | undefined;

/** A compiled query: SQL text, where its values come from, and how its rows are read. Holds no value of any call. */
export interface Plan {
  readonly sql: string;
  /** Per parameter, the value that it takes; undefined when they come in builder order. */
  readonly slots: readonly Slot[] | undefined;
  /** Per value, the parameter that it is; undefined when that is the order of `slots` already, or some value is none or several. */
  readonly places: readonly number[] | undefined;
  readonly binders: readonly Binder[];
  /** Pairs of values that have to be equal; one of each pair is no parameter, so that `places` is undefined. See `assertEqualValues`. */
  readonly equal?: readonly (readonly [number, number])[] | undefined;
  readonly scan: RowScanner<object>;
  /** Whether it changes rows; a plugin may have made that of a delete. */
  readonly marks: boolean;
  /** Whether the rows that a write gives hold columns of joined tables. */
  readonly joined?: boolean | undefined;
  readonly bigints: boolean;
  /** Columns whose values become a Date, for a dialect that is told. */
  readonly dates?: readonly number[] | undefined;
  /** Default options of its statements; mostly undefined. */
  readonly options: StatementOptions | undefined;
  /** Whether no row can match, so that no round trip is needed. */
  readonly empty: boolean;
  /** The error of an upsert that touched no row, where only some rows may be overwritten. */
  readonly foreign?: (() => Error) | undefined;
  /** Where the plan hangs, for eviction. */
  readonly home?: { readonly shape: Shape; readonly kind: PlanKind } | undefined;
  /** Tick of its last use. */
  used: number;
}

/** Parameters of a query in SQL order, checked and encoded. */
export function parametersOf(plan: Plan, query: { values(places?: readonly number[]): unknown[] }): unknown[] {
  // A query writes its values directly to their positions, without a second list.
  return plan.places === undefined ? bindParameters(plan, query.values()) : encoded(plan, query.values(plan.places));
}

/**
 * A selected group expression and its `GROUP BY` share one text in the statement, so their parameters have to be equal.
 *
 * @throws FwError `FW_ORM_QUERY_FORM`
 */
function assertEqualValues(equal: NonNullable<Plan['equal']>, values: readonly unknown[]): void {
  for (const [one, other] of equal) {
    if (isSame(values[one], values[other])) continue;
    const problem =
      'an expression is selected, ordered or grouped by with other parameters each time; use the same one';
    throw fwError(ORM_ERRORS.FW_ORM_QUERY_FORM, { model: 'a group', problem });
  }
}

// Two objects may be one value: a moment, bytes, a path into JSON.
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, at) => isSame(value, other[at]));
  return scalarKey(one) === scalarKey(other);
}

/**
 * Parameters of one call in SQL order, checked and encoded.
 *
 * @param values - of this call alone: the list becomes that of the parameters where the order is the same
 */
export function bindParameters(plan: Plan, values: unknown[]): unknown[] {
  if (plan.equal !== undefined) assertEqualValues(plan.equal, values);
  return encoded(plan, plan.slots === undefined ? values : ordered(plan.slots, values));
}

function encoded({ binders }: Plan, parameters: unknown[]): unknown[] {
  for (let at = 0; at < binders.length; at++) {
    const binder = binders[at];
    if (binder !== undefined) parameters[at] = binder(parameters[at]);
  }
  return parameters;
}

function ordered(slots: readonly Slot[], values: readonly unknown[]): unknown[] {
  return slots.map((slot) => (typeof slot === 'number' ? values[slot] : slot()));
}

/** {@link Plan.places} of a statement that takes a number of values. */
export function placesOf(slots: readonly Slot[], values: number): readonly number[] | undefined {
  if (slots.length !== values) return undefined;
  const places = new Array<number>(values).fill(-1);
  slots.forEach((slot, place) => {
    if (typeof slot === 'number') places[slot] = place;
  });
  return places.includes(-1) ? undefined : places;
}

/** Objects of all rows. */
export function scanRows<Row>(rows: readonly PositionalRow[], scan: RowScanner<Row>): Row[] {
  const objects = new Array<Row>(rows.length);
  for (let at = 0; at < rows.length; at++) objects[at] = scan(rows[at] as PositionalRow);
  return objects;
}
