import type { ColumnTarget, NullsOrder } from '../plan/parts.js';

/** An ordering as a plain value (SPEC "ORM values"). */
export interface OrderTerm {
  readonly column: string;
  readonly desc?: boolean;
  /** Where nulls go; the database's own rule when left out. */
  readonly nulls?: NullsOrder;
}

/** An ordering made by an accessor. */
export abstract class OrderExpression {
  abstract readonly target: ColumnTarget;
  abstract readonly desc: boolean;
  abstract readonly nulls: NullsOrder | undefined;
}

/** Order by a column. */
export class ColumnOrder extends OrderExpression {
  constructor(
    readonly target: ColumnTarget,
    readonly desc: boolean,
    readonly nulls: NullsOrder | undefined,
  ) {
    super();
  }
}
