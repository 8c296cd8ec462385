import type { Shape } from '../plan/shape.js';
import type { ColumnTarget, SubqueryOp } from '../plan/parts.js';
import { serialOf } from '../plan/serial.js';
import { targetKey } from '../plan/steps.js';
import type { Expression, PartSink } from './expression.js';
import type { ValueSource } from './operand.js';
import type { Loose } from './loose.js';
import type { Beyond, Inner } from './reach.js';

/** A query in the place of a value. Queries made by `model(...)` are. */
export abstract class Subselect {
  /** Structure of the query. */
  abstract get shape(): Shape;
  /** Its values, in builder order. */
  abstract values(): readonly unknown[];
}

/** `column IN (SELECT ...)`, `column = (SELECT ...)`, `EXISTS (SELECT ...)`. */
export class SubqueryCondition implements Expression {
  constructor(
    readonly op: SubqueryOp,
    readonly query: Subselect,
    readonly target?: ColumnTarget,
    /** Several, of a tuple. */
    readonly targets?: readonly ColumnTarget[],
    /** What the database computes, in the place of a column. */
    readonly left?: ValueSource,
  ) {}

  appendTo(sink: PartSink): void {
    const { op, target, targets, left } = this;
    const { shape } = this.query;
    const of = targets ?? (target ? [target] : []);
    const key = `sub:${op}:${of.map(targetKey).join()}:${left !== undefined}:${serialOf(shape)}`;
    const about = { ...(target && { target }), ...(targets && { targets }), ...(left && { ofValue: true }) };
    sink.part(key, { t: 'subquery', op, query: shape, values: shape.values, ...about });
    for (const value of this.query.values()) sink.value(value);
    left?.appendValueTo(sink);
  }
}

/** A query of values of one kind, which a value may be one of. */
export type Choices<Value> = Subselect &
  Inner & { readonly result: { readonly [Key: string]: Loose<NonNullable<Value>> | null } };

/** `EXISTS (SELECT ...)`. */
export const exists = <Query extends Subselect & Inner>(query: Query): Expression<Beyond<Query>> =>
  new SubqueryCondition('exists', query);

/** `NOT EXISTS (SELECT ...)`. */
export const notExists = <Query extends Subselect & Inner>(query: Query): Expression<Beyond<Query>> =>
  new SubqueryCondition('notExists', query);
