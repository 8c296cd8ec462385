import type { Shape } from '../plan/shape.js';
import type { ColumnTarget, SubqueryOp } from '../plan/parts.js';
import { targetKey } from '../plan/steps.js';
import type { Expression, PartSink } from './expression.js';

/** A query in the place of a value. Queries made by `model(...)` are. */
export abstract class Subselect {
  /** Structure of the query. */
  abstract get shape(): Shape;
  /** Its values, in builder order. */
  abstract values(): readonly unknown[];
}

let serial = 0;
const serials = new WeakMap<Shape, number>();

// Shapes are identity; a number makes them fit into a key of text.
function serialOf(shape: Shape): number {
  const found = serials.get(shape) ?? ++serial;
  serials.set(shape, found);
  return found;
}

/** `column IN (SELECT ...)`, `column = (SELECT ...)`, `EXISTS (SELECT ...)`. */
export class SubqueryCondition implements Expression {
  constructor(
    readonly op: SubqueryOp,
    readonly query: Subselect,
    readonly target?: ColumnTarget,
  ) {}

  appendTo(sink: PartSink): void {
    const { op, target } = this;
    const { shape } = this.query;
    const key = `sub:${op}:${target ? targetKey(target) : ''}:${serialOf(shape)}`;
    sink.part(key, { t: 'subquery', op, query: shape, values: shape.values, ...(target && { target }) });
    for (const value of this.query.values()) sink.value(value);
  }
}

/** `EXISTS (SELECT ...)`. */
export const exists = (query: Subselect): Expression => new SubqueryCondition('exists', query);

/** `NOT EXISTS (SELECT ...)`. */
export const notExists = (query: Subselect): Expression => new SubqueryCondition('notExists', query);
