import { fwError } from '../../../../kernel/index.js';
import { identifier } from '../model/identifiers.js';
import { typeInWords } from '../model/kinds.js';
import { ORM_ERRORS } from '../errors.js';
import type { ColumnInfo } from '../model/model-info.js';
import type { AggregateName, ColumnTarget, ComparisonOp, NullsOrder, ValueType } from '../plan/parts.js';
import { formError } from '../plan/form-error.js';
import { typeOfColumn } from '../plan/projection.js';
import { comparisonStep, plainTarget, setStep, type ComparisonPart, type Step } from '../plan/steps.js';
import { Assignment, ComputedAssignment, Increment, RawAssignment } from './assignment.js';
import type { NumericValue, OrderedValue, SumOf, TextValue } from './column-types.js';
import { Between, ColumnComparison, Comparison, Membership, NullTest } from './comparisons.js';
import type { RawExpression } from './conditions.js';
import type { Expression, PartSink } from './expression.js';
import { escapeLike } from './like-pattern.js';
import { appendColumn, isPlainSource, isValueSource, type FromOf, type Typed, type ValueSource } from './operand.js';
import { OrderExpression } from './order.js';
import type { Assigned, Beyond, Counted, Read } from './reach.js';
import { Aggregate, ColumnSelection } from './selection.js';
import { Subselect, SubqueryCondition, type Choices } from './subquery.js';
import { compareValues, type ValueExpression } from './value.js';

/** What a comparison takes: a value, another column, or a query of one column. */
export type Comparand<Value> = Value | OtherOperand<Value>;

/** What a comparison takes that is no plain value. */
type OtherOperand<Value> =
  Column<object, string, Value | null, unknown> | ValueExpression<Value | null, unknown> | Choices<Value>;

type Known = { [Op in ComparisonOp]?: Step<ComparisonPart> } & {
  asc?: OrderExpression<never>;
  desc?: OrderExpression<never>;
  set?: Step;
};

/**
 * A column of a model, as generated code exports it: `user.email.eq('a@b')`. Immutable.
 *
 * `Key` is the property, `Value` its type, `From` the table of the query that it is read from: the model, or the alias of a join.
 */
export class Column<
  out Model extends object,
  out Key extends string,
  out Value,
  out From = Model,
> implements ValueSource {
  /** Exists only in types; distinguishes the type parameters. */
  declare readonly types: { readonly model: Model; readonly key: Key; readonly value: Value; readonly from: From };
  readonly target: ColumnTarget;
  /**
   * Steps of queries about the column, cached on first use. Each method uses a fixed property name, because a lookup by a variable name
   * costs a query of three conditions one instruction in a hundred.
   */
  readonly #known: Known = {};

  constructor(
    readonly info: ColumnInfo,
    qualifier?: string,
  ) {
    this.target =
      qualifier === undefined ? plainTarget(info) : { name: info.name, info, qualifier: identifier(qualifier) };
  }

  /**
   * The same column of a joined table under its alias.
   *
   * @throws FwError `FW_ORM_IDENTIFIER`
   */
  of<const Alias extends string>(alias: Alias): Column<Model, Key, Value, Alias> {
    return new Column(this.info, alias);
  }

  /** Its type in expressions. */
  get valueType(): ValueType {
    return typeOfColumn(this.info);
  }

  /** Writes the column as a part of an expression. */
  appendValueTo(sink: PartSink): void {
    appendColumn(sink, this.target);
  }

  /** `=`; null gives `IS NULL`. */
  eq(value: Value | null): Expression<Read<From, Key>>;
  eq<Other extends OtherOperand<Value>>(value: Other): Expression<Read<From, Key> | FromOf<Other>>;
  eq(value: unknown): Expression<never> {
    return this.#compare((this.#known.eq ??= comparisonStep(this.target, 'eq')), value);
  }

  /** `<>`; null gives `IS NOT NULL`. */
  neq(value: Value | null): Expression<Read<From, Key>>;
  neq<Other extends OtherOperand<Value>>(value: Other): Expression<Read<From, Key> | FromOf<Other>>;
  neq(value: unknown): Expression<never> {
    return this.#compare((this.#known.neq ??= comparisonStep(this.target, 'neq')), value);
  }

  /**
   * `IS DISTINCT FROM`: `neq` to which null is a value like any other, so that it never is unknown.
   *
   * @example order.paidAt.isDistinctFrom(order.sentAt)
   */
  isDistinctFrom(value: Value | null): Expression<Read<From, Key>>;
  isDistinctFrom<Other extends OtherOperand<Value>>(value: Other): Expression<Read<From, Key> | FromOf<Other>>;
  isDistinctFrom(value: unknown): Expression<never> {
    return this.#compare(comparisonStep(this.target, 'isDistinctFrom'), value);
  }

  /** `IS NOT DISTINCT FROM`: `eq` to which null is equal to null. `eq` is what finds rows by an index everywhere. */
  isNotDistinctFrom(value: Value | null): Expression<Read<From, Key>>;
  isNotDistinctFrom<Other extends OtherOperand<Value>>(value: Other): Expression<Read<From, Key> | FromOf<Other>>;
  isNotDistinctFrom(value: unknown): Expression<never> {
    return this.#compare(comparisonStep(this.target, 'isNotDistinctFrom'), value);
  }

  /** `<` */
  lt(value: NonNullable<Value>): Expression<Read<From, Key>>;
  lt<Other extends OtherOperand<NonNullable<Value>>>(value: Other): Expression<Read<From, Key> | FromOf<Other>>;
  lt(value: unknown): Expression<never> {
    return this.#compare((this.#known.lt ??= comparisonStep(this.target, 'lt')), value);
  }

  /** `<=` */
  lte(value: NonNullable<Value>): Expression<Read<From, Key>>;
  lte<Other extends OtherOperand<NonNullable<Value>>>(value: Other): Expression<Read<From, Key> | FromOf<Other>>;
  lte(value: unknown): Expression<never> {
    return this.#compare((this.#known.lte ??= comparisonStep(this.target, 'lte')), value);
  }

  /** `>` */
  gt(value: NonNullable<Value>): Expression<Read<From, Key>>;
  gt<Other extends OtherOperand<NonNullable<Value>>>(value: Other): Expression<Read<From, Key> | FromOf<Other>>;
  gt(value: unknown): Expression<never> {
    return this.#compare((this.#known.gt ??= comparisonStep(this.target, 'gt')), value);
  }

  /** `>=` */
  gte(value: NonNullable<Value>): Expression<Read<From, Key>>;
  gte<Other extends OtherOperand<NonNullable<Value>>>(value: Other): Expression<Read<From, Key> | FromOf<Other>>;
  gte(value: unknown): Expression<never> {
    return this.#compare((this.#known.gte ??= comparisonStep(this.target, 'gte')), value);
  }

  /**
   * `LIKE`: `%` stands for any text, `_` for any character, and `\` takes the character behind it as it is. Whether case matters is
   * up to the database; see `ilike`.
   */
  like(this: Column<Model, Key, TextValue<Value>, From>, pattern: string): Expression<Read<From, Key>> {
    return this.#like(pattern);
  }

  /** `LIKE` without regard to case, on every database; SQLite knows the case of the letters A to Z only. */
  ilike(this: Column<Model, Key, TextValue<Value>, From>, pattern: string): Expression<Read<From, Key>> {
    return new Comparison(comparisonStep(this.target, 'ilike'), pattern);
  }

  /** Holds the text somewhere: `LIKE` of it, in which nothing is a wildcard. */
  contains(this: Column<Model, Key, TextValue<Value>, From>, text: string): Expression<Read<From, Key>> {
    return this.#like(`%${this.#escaped(text)}%`);
  }

  /** Begins with the text, in which nothing is a wildcard. */
  startsWith(this: Column<Model, Key, TextValue<Value>, From>, text: string): Expression<Read<From, Key>> {
    return this.#like(`${this.#escaped(text)}%`);
  }

  /** Ends with the text, in which nothing is a wildcard. */
  endsWith(this: Column<Model, Key, TextValue<Value>, From>, text: string): Expression<Read<From, Key>> {
    return this.#like(`%${this.#escaped(text)}`);
  }

  /**
   * `IN (...)` of a list or of a query of one column.
   *
   * The list must not be empty: `FW_ORM_EMPTY_LIST` when the query is built.
   */
  in(list: readonly NonNullable<Value>[]): Expression<Read<From, Key>>;
  in<Query extends Choices<Value>>(query: Query): Expression<Read<From, Key> | Beyond<Query>>;
  in(list: readonly unknown[] | Subselect): Expression<never> {
    return this.#member(list, false);
  }

  /** `NOT IN (...)`. */
  notIn(list: readonly NonNullable<Value>[]): Expression<Read<From, Key>>;
  notIn<Query extends Choices<Value>>(query: Query): Expression<Read<From, Key> | Beyond<Query>>;
  notIn(list: readonly unknown[] | Subselect): Expression<never> {
    return this.#member(list, true);
  }

  /** `BETWEEN low AND high`, both included. */
  between(low: NonNullable<Value>, high: NonNullable<Value>): Expression<Read<From, Key>>;
  /** One value is no interval, which the compiler says with the name of the column. */
  between(this: `between of "${Key}" takes two values: the lowest and the highest`, low: unknown): never;
  between(low: unknown, high?: unknown): Expression<never> {
    return new Between(this.target, low, high);
  }

  /** `IS NULL` */
  isNull(): Expression<Read<From, Key>> {
    return new NullTest(this.target, false);
  }

  /** `IS NOT NULL` */
  isNotNull(): Expression<Read<From, Key>> {
    return new NullTest(this.target, true);
  }

  /** Ascending order. */
  asc(nulls?: NullsOrder): OrderExpression<Read<From, Key>> {
    return nulls === undefined ? (this.#known.asc ??= this.#order(false)) : this.#order(false, nulls);
  }

  /** Descending order. */
  desc(nulls?: NullsOrder): OrderExpression<Read<From, Key>> {
    return nulls === undefined ? (this.#known.desc ??= this.#order(true)) : this.#order(true, nulls);
  }

  /**
   * Assignment for `updateAll`: of a value, of another column, or of what the database computes.
   *
   * @throws FwError `FW_ORM_QUERY_FORM` for a column of a joined table (`of`): an update writes the table that it is of
   */
  set<Other extends Typed<Value>>(value: Other): Assignment<Assigned<From, Key> | FromOf<Other>>;
  set(value: Value): Assignment<Assigned<From, Key>>;
  set(value: unknown): Assignment<never> {
    this.#assertOwn();
    if (isValueSource(value)) return new ComputedAssignment(this.info, value);
    return new Assignment(
      this.info,
      value,
      value === null ? undefined : (this.#known.set ??= setStep(this.info, false)),
    );
  }

  /** `column = column + by` for `updateAll`. @throws FwError `FW_ORM_QUERY_FORM` as `set` does */
  increment(
    this: Column<Model, Key, number | null, From> | Column<Model, Key, bigint | null, From>,
    by: number | bigint = 1,
  ): Assignment<Assigned<From, Key>> {
    this.#assertOwn();
    return new Increment(this.info, by);
  }

  /** `column = <raw expression>` for `updateAll`. @throws FwError `FW_ORM_QUERY_FORM` as `set` does */
  setRaw(expression: RawExpression): Assignment<Assigned<From, Key>> {
    this.#assertOwn();
    return new RawAssignment(this.info, expression);
  }

  /** The column under another name in the result. */
  as<const Alias extends string>(alias: Alias): ColumnSelection<Alias, Value, From, Key> {
    return new ColumnSelection(this.target, alias);
  }

  /** `COUNT(column)` */
  count({ distinct = false }: { readonly distinct?: boolean } = {}): Aggregate<
    `${Key}_count`,
    number,
    Counted<From, Key>
  > {
    return this.#aggregate('count', distinct);
  }

  /** `SUM(column)`, exact for `bigint` and `Decimal`; null without rows. */
  sum(
    this: Column<Model, Key, NumericValue<Value>, From>,
  ): Aggregate<`${Key}_sum`, SumOf<Value> | null, Counted<From, Key>> {
    return this.#aggregate('sum');
  }

  /** `AVG(column)` as a double; null without rows. */
  avg(this: Column<Model, Key, NumericValue<Value>, From>): Aggregate<`${Key}_avg`, number | null, Counted<From, Key>> {
    return this.#aggregate('avg');
  }

  /** `MIN(column)`, of booleans false if there is one; null without rows. */
  min(this: Column<Model, Key, OrderedValue<Value>, From>): Aggregate<`${Key}_min`, Value | null, Counted<From, Key>> {
    return this.#aggregate('min');
  }

  /** `MAX(column)`, of booleans true if there is one; null without rows. */
  max(this: Column<Model, Key, OrderedValue<Value>, From>): Aggregate<`${Key}_max`, Value | null, Counted<From, Key>> {
    return this.#aggregate('max');
  }

  // Written without its table, it would be the column of the table that the update is of.
  #assertOwn(): void {
    const { qualifier, name } = this.target;
    const { model } = this.info;
    if (qualifier === undefined || qualifier === model.table) return;
    throw formError(model, `"${qualifier}.${name}" is assigned, and an update writes no joined table; assign the column without of`); // prettier-ignore
  }

  #order(desc: boolean, nulls?: NullsOrder): OrderExpression<never> {
    return new OrderExpression(this.target, desc, nulls);
  }

  // Most values are plain; other cases are handled in a separate function, so that this one is small enough to be inlined.
  #compare(step: Step<ComparisonPart>, value: unknown): Expression<never> {
    return typeof value === 'object' ? this.#compareObject(step, value) : new Comparison(step, value);
  }

  #compareObject(step: Step<ComparisonPart>, value: object | null): Expression<never> {
    if (value instanceof Column) return new ColumnComparison(this.target, step.part.op, value.target);
    if (value instanceof Subselect) return new SubqueryCondition(step.part.op, value, this.target);
    if (isPlainSource(value)) return new Comparison(step, value.plain);
    if (isValueSource(value)) return compareValues(this, step.part.op, value);
    return new Comparison(step, value);
  }

  #member(list: readonly unknown[] | Subselect, negated: boolean): Expression<never> {
    if (list instanceof Subselect) return new SubqueryCondition(negated ? 'notIn' : 'in', list, this.target);
    return new Membership(this.target, list, negated);
  }

  #like(pattern: string): Expression<never> {
    return new Comparison(comparisonStep(this.target, 'like'), pattern);
  }

  #escaped(text: unknown): string {
    if (typeof text === 'string') return escapeLike(text);
    const { model, property: field } = this.info;
    throw fwError(ORM_ERRORS.FW_ORM_VALUE, { model: model.name, field, expected: 'a text', got: typeInWords(text) });
  }

  #aggregate<Alias extends string, Result>(name: AggregateName, distinct = false): Aggregate<Alias, Result, never> {
    return new Aggregate(name, this.target, `${this.info.property}_${name}` as Alias, distinct);
  }
}
