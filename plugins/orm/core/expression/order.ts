import { identifier } from '../model/identifiers.js';
import type { ColumnTarget, NullsOrder } from '../plan/parts.js';
import type { Shape } from '../plan/shape.js';
import { orderStep, type Step } from '../plan/steps.js';
import { namedTarget } from './expression.js';
import type { Known, OrderedAs } from './reach.js';
import type { ValueOrder } from './value.js';

/** An ordering as a plain value (SPEC "ORM values"). */
export interface OrderTerm {
  readonly column: string;
  readonly desc?: boolean;
  /** Where nulls go; the database's own rule when left out. */
  readonly nulls?: NullsOrder;
}

/** An ordering made by an accessor. Immutable; a column makes the usual two once. */
export class OrderExpression<out Reads = unknown> {
  /** Exists only in types: the columns that it reads. */
  declare readonly reads?: Reads;
  /** The step that it adds to the shape of a query. */
  readonly step: Step;

  constructor(
    target: ColumnTarget,
    readonly desc: boolean,
    nulls: NullsOrder | undefined,
  ) {
    this.step = orderStep(target, desc, nulls);
  }
}

/** What terms of an order name of tables. */
export type OrderedBy<Term> = Term extends OrderExpression<infer Reads> | ValueOrder<infer Reads>
  ? Known<Reads>
  : never;

/** What terms of a query's order note. A term as a plain value may name a selected item, which only the finished query knows. */
export type OrderNotes<Term> =
  Term extends OrderExpression<infer Reads>
    ? OrderedAs<'ordered', Reads>
    : Term extends ValueOrder<infer Reads>
      ? OrderedAs<'orderedIn', Reads>
      : never;

/** The target of an order by name. It may also be an alias of the projection, which only the finished query knows. */
export function orderTarget(shape: Shape, name: string) {
  if (name.includes('.') || shape.model.find(name)) return namedTarget(shape.model, name);
  return { name: identifier(name) };
}
