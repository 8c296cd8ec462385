import { fwError } from '../../../../kernel/index.js';
import { alias as aliasOf } from '../model/identifiers.js';
import { typeInWords } from '../model/kinds.js';
import { ORM_ERRORS } from '../errors.js';
import type { ComparisonOp, FunctionName, NullsOrder, Part, ValueType } from '../plan/parts.js';
import { formError } from '../plan/form-error.js';
import { COMPARISONS, NULLS } from '../plan/words.js';
import type { TextValue } from './column-types.js';
import type { Expression, PartSink } from './expression.js';
import {
  appendOperand,
  isPlainSource,
  isValueSource,
  typeKey,
  typeOf,
  type FromOf,
  type Typed,
  type ValueSource,
} from './operand.js';
import type { Beyond } from './reach.js';
import { SubqueryCondition, Subselect, type Choices } from './subquery.js';

/** What a value is compared with: a plain one, a column, or another expression. */
export type ValueOperand<Value> = Value | Typed<Value | null>;

/**
 * A value that the database computes, for `select`, conditions, orders, groups and assignments. Immutable; may be used in any number
 * of queries. `From` are the tables that it is read from.
 */
export class ValueExpression<out Value, out From = never> implements ValueSource {
  /** Exists only in types; distinguishes the type parameters. */
  declare readonly types: { readonly value: Value; readonly from: From };

  /**
   * @param valueType - type of its value
   * @param write - writes structure and values
   */
  constructor(
    readonly valueType: ValueType,
    private readonly write: (sink: PartSink) => void,
  ) {}

  appendValueTo(sink: PartSink): void {
    this.write(sink);
  }

  /** `=`; null gives `IS NULL`. */
  eq<const Other extends ValueOperand<NonNullable<Value>> | null>(value: Other): Expression<From | FromOf<Other>> {
    return value === null ? this.isNull() : compareValues(this, 'eq', value);
  }

  /** `<>`; null gives `IS NOT NULL`. */
  neq<const Other extends ValueOperand<NonNullable<Value>> | null>(value: Other): Expression<From | FromOf<Other>> {
    return value === null ? this.isNotNull() : compareValues(this, 'neq', value);
  }

  /** `IS DISTINCT FROM`; see `Column.isDistinctFrom`. */
  isDistinctFrom<const Other extends ValueOperand<NonNullable<Value>> | null>(
    value: Other,
  ): Expression<From | FromOf<Other>> {
    return value === null ? this.isNotNull() : compareValues(this, 'isDistinctFrom', value);
  }

  /** `IS NOT DISTINCT FROM`; see `Column.isNotDistinctFrom`. */
  isNotDistinctFrom<const Other extends ValueOperand<NonNullable<Value>> | null>(
    value: Other,
  ): Expression<From | FromOf<Other>> {
    return value === null ? this.isNull() : compareValues(this, 'isNotDistinctFrom', value);
  }

  /** `<` */
  lt<const Other extends ValueOperand<NonNullable<Value>>>(value: Other): Expression<From | FromOf<Other>> {
    return compareValues(this, 'lt', value);
  }

  /** `<=` */
  lte<const Other extends ValueOperand<NonNullable<Value>>>(value: Other): Expression<From | FromOf<Other>> {
    return compareValues(this, 'lte', value);
  }

  /** `>` */
  gt<const Other extends ValueOperand<NonNullable<Value>>>(value: Other): Expression<From | FromOf<Other>> {
    return compareValues(this, 'gt', value);
  }

  /** `>=` */
  gte<const Other extends ValueOperand<NonNullable<Value>>>(value: Other): Expression<From | FromOf<Other>> {
    return compareValues(this, 'gte', value);
  }

  /** `LIKE`; see `Column.like`. */
  like(this: ValueExpression<TextValue<Value>, From>, pattern: string): Expression<From> {
    return compareValues(this, 'like', pattern);
  }

  /** `LIKE` without regard to case; see `Column.ilike`. */
  ilike(this: ValueExpression<TextValue<Value>, From>, pattern: string): Expression<From> {
    return compareValues(this, 'ilike', pattern);
  }

  /**
   * `IN (...)` of a list or of a query of one column.
   *
   * @throws FwError `FW_ORM_EMPTY_LIST`, `FW_ORM_VALUE` for null in the list, `FW_ORM_EXPRESSION` for what is neither, when the query
   *   is built
   */
  in<const Other extends ValueOperand<NonNullable<Value>>>(list: readonly Other[]): Expression<From | FromOf<Other>>;
  in<Query extends Choices<Value>>(query: Query): Expression<From | Beyond<Query>>;
  in(list: readonly unknown[] | Subselect): Expression<never> {
    return memberOf(this, list, false);
  }

  /** `NOT IN (...)`. */
  notIn<const Other extends ValueOperand<NonNullable<Value>>>(list: readonly Other[]): Expression<From | FromOf<Other>>;
  notIn<Query extends Choices<Value>>(query: Query): Expression<From | Beyond<Query>>;
  notIn(list: readonly unknown[] | Subselect): Expression<never> {
    return memberOf(this, list, true);
  }

  /** `BETWEEN low AND high`, both included. */
  between<const Low extends ValueOperand<NonNullable<Value>>, const High extends ValueOperand<NonNullable<Value>>>(
    low: Low,
    high: High,
  ): Expression<From | FromOf<Low> | FromOf<High>> {
    return new ValueBetween(this, low, high);
  }

  /** `IS NULL` */
  isNull(): Expression<From> {
    return new ValueNullTest(this, false);
  }

  /** `IS NOT NULL` */
  isNotNull(): Expression<From> {
    return new ValueNullTest(this, true);
  }

  /** Ascending order. */
  asc(nulls?: NullsOrder): ValueOrder<From> {
    return new ValueOrder(this, false, nulls);
  }

  /** Descending order. */
  desc(nulls?: NullsOrder): ValueOrder<From> {
    return new ValueOrder(this, true, nulls);
  }

  /**
   * The value under a name in the result, for `select`.
   *
   * @throws FwError `FW_ORM_IDENTIFIER`
   */
  as<const Alias extends string>(alias: Alias): ValueSelection<Alias, Value, From> {
    return new ValueSelection(this, alias);
  }
}

/** A value of a query under a name. */
export class ValueSelection<out Alias extends string, out Value, out From> {
  declare readonly selects: { readonly alias: Alias; readonly value: Value; readonly from: From };

  constructor(
    readonly source: ValueSource,
    readonly alias: Alias,
  ) {
    aliasOf(alias);
  }
}

/** An ordering by a value that the database computes. Immutable. */
export class ValueOrder<out Reads = unknown> {
  /** Exists only in types: what it names of tables. */
  declare readonly reads?: Reads;

  constructor(
    readonly source: ValueSource,
    readonly desc: boolean,
    readonly nulls: NullsOrder | undefined,
  ) {
    if (nulls !== undefined) NULLS.checked(nulls);
  }
}

/** Comparison of two operands, of which one at least is no plain value. */
export function compareValues(left: ValueSource, op: ComparisonOp, right: unknown): Expression<never> {
  return new ValueComparison(left, COMPARISONS.checked(op), isPlainSource(right) ? right.plain : right);
}

class ValueComparison implements Expression {
  constructor(
    readonly left: ValueSource,
    readonly op: ComparisonOp,
    readonly right: unknown,
  ) {}

  appendTo(sink: PartSink): void {
    const { left, op, right } = this;
    assertNoJson(sink, left, right);
    const type = typeOf(right, op === 'like' || op === 'ilike' ? { kind: 'text' } : left.valueType);
    if (right === null || right === undefined) throw operandError(sink, 'a value to compare with', right);
    sink.part(`values:${op}`, { t: 'values', op, values: 0 });
    left.appendValueTo(sink);
    appendOperand(sink, right, type);
  }
}

function memberOf(left: ValueSource, list: readonly unknown[] | Subselect, negated: boolean): Expression<never> {
  if (list instanceof Subselect)
    return new SubqueryCondition(negated ? 'notIn' : 'in', list, undefined, undefined, left);
  if (Array.isArray(list)) return new ValueMembership(left, [...(list as readonly unknown[])], negated);
  const expected = 'a list or a query of one column';
  throw fwError(ORM_ERRORS.FW_ORM_EXPRESSION, { model: 'an expression', got: typeInWords(list), expected });
}

class ValueMembership implements Expression {
  constructor(
    readonly left: ValueSource,
    readonly list: readonly unknown[],
    readonly negated: boolean,
  ) {}

  appendTo(sink: PartSink): void {
    const { left, list, negated } = this;
    const details = { model: sink.model.name, field: 'expression' };
    if (list.length === 0) throw fwError(ORM_ERRORS.FW_ORM_EMPTY_LIST, details);
    assertNoJson(sink, left, ...list);
    if (list.includes(null)) throw operandError(sink, 'a list without null', null);
    const size = list.length;
    sink.part(`valueIn:${negated}:${size}`, { t: 'valueIn', negated, size, values: 0 });
    left.appendValueTo(sink);
    for (const each of list) appendOperand(sink, each, typeOf(each, left.valueType));
  }
}

class ValueBetween implements Expression {
  constructor(
    readonly left: ValueSource,
    readonly low: unknown,
    readonly high: unknown,
  ) {}

  appendTo(sink: PartSink): void {
    const { left, low, high } = this;
    assertNoJson(sink, left);
    sink.part('valueBetween', { t: 'valueBetween', values: 0 });
    left.appendValueTo(sink);
    for (const end of [low, high]) {
      if (end === null || end === undefined) throw operandError(sink, 'both ends of between', end);
      appendOperand(sink, end, typeOf(end, left.valueType));
    }
  }
}

class ValueNullTest implements Expression {
  constructor(
    readonly operand: ValueSource,
    readonly negated: boolean,
  ) {}

  appendTo(sink: PartSink): void {
    const { negated } = this;
    sink.part(`valueNull:${negated}`, { t: 'valueNull', negated, values: 0 });
    this.operand.appendValueTo(sink);
  }
}

function assertNoJson({ model }: PartSink, ...operands: readonly unknown[]): void {
  if (operands.some((operand) => isValueSource(operand) && operand.valueType.kind === 'json'))
    throw formError(
      model,
      'databases do not compare JSON alike; compare what stands in it, with jsonString and its kin',
    );
}

const operandError = ({ model }: PartSink, expected: string, got: unknown) =>
  fwError(ORM_ERRORS.FW_ORM_VALUE, { model: model.name, field: 'expression', expected, got: typeInWords(got) });

/** An operand of a call, with the type that a plain value has in it. */
interface CallOperand {
  readonly operand: unknown;
  readonly type: ValueType;
}

/** A function of the database over operands. */
export function call<Value, From>(
  name: FunctionName,
  operands: readonly CallOperand[],
  valueType: ValueType,
): ValueExpression<Value, From> {
  const part: Part = { ...valueType, t: 'call', name, size: operands.length, values: 0 };
  const key = `call:${name}:${operands.length}:${typeKey(valueType)}`;
  return new ValueExpression(valueType, (sink) => {
    sink.part(key, part);
    for (const { operand, type } of operands) appendOperand(sink, operand, type);
  });
}
