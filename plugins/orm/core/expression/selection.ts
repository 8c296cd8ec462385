import type { AggregateName, AggregatePart, ColumnTarget, Part, PartKey } from '../plan/parts.js';
import { targetKey } from '../plan/steps.js';
import { identifier } from '../dialect/identifiers.js';
import type { Expression, PartSink } from './expression.js';
import type { ComparisonOp } from './operators.js';

/** An expression of the result as a plain value (SPEC "ORM values"). The text is SQL: never build it from input. */
export interface SelectExpr {
  readonly expr: string;
  /** Name in the result. */
  readonly alias?: string;
}

/** One item of a projection, with its name and type in the result, and the table that it is null without. */
export abstract class Selection<out Alias extends string, out Value, out From = never> {
  declare readonly selects: { readonly alias: Alias; readonly value: Value; readonly from: From };

  /** Structure of the item. */
  abstract part(): { readonly key: PartKey; readonly part: Part };
}

/** A column under a name of its own. */
export class ColumnSelection<Alias extends string, Value, From> extends Selection<Alias, Value, From> {
  constructor(
    readonly target: ColumnTarget,
    readonly alias: Alias,
  ) {
    super();
    identifier(alias);
  }

  override part(): { readonly key: PartKey; readonly part: Part } {
    const { target, alias } = this;
    return { key: `select:${targetKey(target)}:${alias}`, part: { t: 'select', target, alias, values: 0 } };
  }
}

/** `COUNT`, `SUM`, `AVG`, `MIN`, `MAX`; in a projection, or compared in `having`. */
export class Aggregate<Alias extends string, Value> extends Selection<Alias, Value> {
  constructor(
    readonly name: AggregateName,
    readonly target: ColumnTarget | undefined,
    readonly alias: Alias,
    readonly distinct: boolean,
  ) {
    super();
    identifier(alias);
  }

  /** Another name in the result. */
  as<const Other extends string>(alias: Other): Aggregate<Other, Value> {
    return new Aggregate(this.name, this.target, alias, this.distinct);
  }

  /** `= value`, for `having`. */
  eq(value: NonNullable<Value>): Expression {
    return new AggregateComparison(this, 'eq', value);
  }

  /** `> value`, for `having`. */
  gt(value: NonNullable<Value>): Expression {
    return new AggregateComparison(this, 'gt', value);
  }

  /** `>= value`, for `having`. */
  gte(value: NonNullable<Value>): Expression {
    return new AggregateComparison(this, 'gte', value);
  }

  /** `< value`, for `having`. */
  lt(value: NonNullable<Value>): Expression {
    return new AggregateComparison(this, 'lt', value);
  }

  /** `<= value`, for `having`. */
  lte(value: NonNullable<Value>): Expression {
    return new AggregateComparison(this, 'lte', value);
  }

  override part(): { readonly key: PartKey; readonly part: AggregatePart } {
    const { name, target, alias, distinct } = this;
    const key = `aggregate:${name}:${distinct}:${target ? targetKey(target) : '*'}:${alias}`;
    return { key, part: { t: 'aggregate', name, target, distinct, alias, values: 0 } };
  }
}

class AggregateComparison implements Expression {
  constructor(
    readonly aggregate: Aggregate<string, unknown>,
    readonly op: ComparisonOp,
    readonly value: unknown,
  ) {}

  appendTo(sink: PartSink): void {
    const { key, part } = this.aggregate.part();
    const { op } = this;
    sink.part(`compare:${op}:${String(key)}`, { t: 'aggregateCompare', aggregate: part, op, values: 1 });
    sink.value(this.value);
  }
}

/** `COUNT(*)`, called `count` in the result. */
export const countAll = (): Aggregate<'count', number> => new Aggregate('count', undefined, 'count', false);
