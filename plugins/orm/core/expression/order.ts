import type { ColumnTarget, NullsOrder } from '../plan/parts.js';
import { orderStep, type Step } from '../plan/steps.js';

/** An ordering as a plain value (SPEC "ORM values"). */
export interface OrderTerm {
  readonly column: string;
  readonly desc?: boolean;
  /** Where nulls go; the database's own rule when left out. */
  readonly nulls?: NullsOrder;
}

/** An ordering made by an accessor. Immutable; a column makes the usual two once. */
export class OrderExpression {
  /** What it adds to the shape of a query. */
  readonly step: Step;

  constructor(
    target: ColumnTarget,
    readonly desc: boolean,
    nulls: NullsOrder | undefined,
  ) {
    this.step = orderStep(target, desc, nulls);
  }
}
