import { fwError } from '../../../../kernel/index.js';
import { alias as aliasOf } from '../model/identifiers.js';
import { typeInWords, type ColumnKind } from '../model/kinds.js';
import { ORM_ERRORS } from '../errors.js';
import type { ColumnInfo } from '../model/model-info.js';
import { formError } from '../plan/form-error.js';
import type {
  AggregateName,
  AggregatePart,
  ColumnTarget,
  ComparisonOp,
  NullsOrder,
  Part,
  PartKey,
  ValueType,
} from '../plan/parts.js';
import { typeOfColumn } from '../plan/projection.js';
import { targetKey } from '../plan/steps.js';
import { AGGREGATES } from '../plan/words.js';
import { and } from './conditions.js';
import type { Expression, PartSink } from './expression.js';
import { appendColumn, typeKey, type ValueSource } from './operand.js';
import { rawText } from './raw-text.js';
import type { Counted, Shown } from './reach.js';
import { ValueOrder } from './value.js';

/**
 * Key of the text in a {@link SelectExpr}: a symbol, so that nothing that was data can hold one. The same in every copy of the
 * package; neither JSON nor a message to a worker carries it.
 */
export const Expr: unique symbol = Symbol.for('fw.orm.expr');

/**
 * An expression of the result as a plain value (SPEC "ORM values"), made by {@link selectExpr}. The text is SQL: never build it from
 * input.
 */
export interface SelectExpr {
  readonly [Expr]: string;
  /** Name in the result. */
  readonly alias?: string;
}

/**
 * An expression for `select`.
 *
 * @param sql - becomes part of the statement as it is
 * @param alias - its name in the result
 * @throws FwError `FW_ORM_RAW`, `FW_ORM_IDENTIFIER`
 * @example model(db, Order).select('id', selectExpr('price * quantity', 'total'))
 */
export function selectExpr(sql: string): SelectExpr;
export function selectExpr<const Alias extends string>(
  sql: string,
  alias: Alias,
): SelectExpr & { readonly alias: Alias };
export function selectExpr(sql: string, alias?: string): SelectExpr {
  rawText(sql);
  return alias === undefined ? { [Expr]: sql } : { [Expr]: sql, alias: aliasOf(alias) };
}

/** One item of a projection, with its name and type in the result, and the table that it is null without. */
export abstract class Selection<out Alias extends string, out Value, out From = never> {
  declare readonly selects: { readonly alias: Alias; readonly value: Value; readonly from: From };

  /** Structure of the item. */
  abstract part(): { readonly key: PartKey; readonly part: Part };
}

/** A column under a name of its own. */
export class ColumnSelection<Alias extends string, Value, From, out Key = string> extends Selection<
  Alias,
  Value,
  From
> {
  /** Exists only in types. */
  declare readonly shows: Shown<From, Key>;

  constructor(
    readonly target: ColumnTarget,
    readonly alias: Alias,
  ) {
    super();
    aliasOf(alias);
  }

  override part(): { readonly key: PartKey; readonly part: Part } {
    const { target, alias } = this;
    return { key: `select:${targetKey(target)}:${alias}`, part: { t: 'select', target, alias, values: 0 } };
  }
}

/** `COUNT`, `SUM`, `AVG`, `MIN`, `MAX`; in a projection, or compared in `having`. */
export class Aggregate<Alias extends string, Value, out Reads = unknown>
  extends Selection<Alias, Value>
  implements ValueSource
{
  /** Exists only in types. */
  declare readonly types: { readonly value: Value; readonly from: Reads };
  /** Exists only in types. */
  declare readonly shows: Reads;

  /**
   * @throws FwError `FW_ORM_QUERY_FORM` for a column whose values cannot be added up or have no order; `FW_ORM_WORD`
   */
  constructor(
    readonly name: AggregateName,
    readonly target: ColumnTarget | undefined,
    readonly alias: Alias,
    readonly distinct: boolean,
  ) {
    super();
    aliasOf(alias);
    AGGREGATES.checked(name);
    if (target?.info !== undefined) assertAggregable(name, distinct, target.info);
  }

  /** Another name in the result. */
  as<const Other extends string>(alias: Other): Aggregate<Other, Value, Reads> {
    return new Aggregate(this.name, this.target, alias, this.distinct);
  }

  /** `= value`, for `having`. */
  eq(value: NonNullable<Value>): Expression<Reads> {
    return new AggregateComparison(this, 'eq', value);
  }

  /** `<> value`, for `having`. */
  neq(value: NonNullable<Value>): Expression<Reads> {
    return new AggregateComparison(this, 'neq', value);
  }

  /** `> value`, for `having`. */
  gt(value: NonNullable<Value>): Expression<Reads> {
    return new AggregateComparison(this, 'gt', value);
  }

  /** `>= value`, for `having`. */
  gte(value: NonNullable<Value>): Expression<Reads> {
    return new AggregateComparison(this, 'gte', value);
  }

  /** `< value`, for `having`. */
  lt(value: NonNullable<Value>): Expression<Reads> {
    return new AggregateComparison(this, 'lt', value);
  }

  /** `<= value`, for `having`. */
  lte(value: NonNullable<Value>): Expression<Reads> {
    return new AggregateComparison(this, 'lte', value);
  }

  /** `>= low AND <= high`, for `having`. */
  between(low: NonNullable<Value>, high: NonNullable<Value>): Expression<Reads> {
    return and(this.gte(low), this.lte(high)) as Expression<Reads>;
  }

  /** Its type in expressions. */
  get valueType(): ValueType {
    const { name, target } = this;
    if (name === 'count') return { kind: 'int' };
    return name === 'avg' ? { kind: 'float' } : typeOfColumn(target?.info);
  }

  /** Writes the aggregate as a part of an expression. */
  appendValueTo(sink: PartSink): void {
    const { name, target, distinct, valueType } = this;
    const ofValue = target !== undefined;
    const part: Part = { t: 'aggregateValue', name, distinct, ...valueType, ofValue, values: 0 };
    sink.part(`aggregateValue:${name}:${distinct}:${typeKey(valueType)}:${ofValue}`, part);
    if (target !== undefined) appendColumn(sink, target);
  }

  /** Ascending order of the groups. */
  asc(nulls?: NullsOrder): ValueOrder<Reads> {
    return new ValueOrder(this, false, nulls);
  }

  /** Descending order of the groups. */
  desc(nulls?: NullsOrder): ValueOrder<Reads> {
    return new ValueOrder(this, true, nulls);
  }

  override part(): { readonly key: PartKey; readonly part: AggregatePart } {
    const { name, target, alias, distinct } = this;
    const key = `aggregate:${name}:${distinct}:${target ? targetKey(target) : '*'}:${alias}`;
    return { key, part: { t: 'aggregate', name, target, distinct, alias, values: 0 } };
  }
}

const SUMMABLE: ReadonlySet<ColumnKind> = new Set(['int', 'bigint', 'float', 'decimal', 'any']);
const UNORDERED: ReadonlySet<ColumnKind> = new Set(['json', 'bytes', 'array']);

// Refuses aggregates that only some databases accept.
function assertAggregable(name: AggregateName, distinct: boolean, info: ColumnInfo): void {
  const { model, property, kind, definition } = info;
  const isNumeric = SUMMABLE.has(kind) || definition.values?.every((value) => typeof value === 'number') === true;
  if ((name === 'sum' || name === 'avg') && !isNumeric)
    throw formError(model, `${name} is for numbers, and "${property}" is of kind ${kind}`);
  if ((name === 'min' || name === 'max') && UNORDERED.has(kind))
    throw formError(model, `${name} is for values in an order, and "${property}" is of kind ${kind}`);
  if (distinct && kind === 'json') throw formError(model, `databases do not tell JSON as in "${property}" apart alike`);
}

class AggregateComparison implements Expression<never> {
  constructor(
    readonly aggregate: Aggregate<string, unknown>,
    readonly op: ComparisonOp,
    readonly value: unknown,
  ) {}

  appendTo(sink: PartSink): void {
    const { key, part } = this.aggregate.part();
    const { op } = this;
    this.#check(sink);
    sink.part(`compare:${op}:${String(key)}`, { t: 'aggregateCompare', aggregate: part, op, values: 1 });
    sink.value(this.value);
  }

  #check({ model }: PartSink): void {
    const { aggregate, value } = this;
    const { info } = aggregate.target ?? {};
    if (value !== null && (isOfColumn(aggregate) || isNumber(value))) return;
    throw fwError(ORM_ERRORS.FW_ORM_VALUE, {
      model: info?.model.name ?? model.name,
      field: info?.property ?? aggregate.alias,
      expected: `${isOfColumn(aggregate) ? 'a value' : 'a number'} to compare ${aggregate.name} with`,
      got: typeInWords(value),
    });
  }
}

const isNumber = (value: unknown): boolean => Number.isFinite(value) || typeof value === 'bigint';

/** Whether an aggregate gives values such as the column holds; others give numbers. */
export function isOfColumn({ name, target }: Pick<AggregatePart, 'name' | 'target'>): boolean {
  const kind = target?.info?.kind;
  if (name === 'min' || name === 'max') return true;
  return name === 'sum' && (kind === 'bigint' || kind === 'decimal' || kind === 'any' || kind === undefined);
}

/** `COUNT(*)`, called `count` in the result. */
export const countAll = (): Aggregate<'count', number, Counted<never, never>> =>
  new Aggregate('count', undefined, 'count', false);
