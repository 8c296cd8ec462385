import { typeInWords } from '../model/kinds.js';
import type { TemporalValue } from '../model/temporal.js';
import type { ComparisonOp, ValueType } from '../plan/parts.js';
import { comparisonStep } from '../plan/steps.js';
import { Column } from './column.js';
import { Comparison } from './comparisons.js';
import { and, or } from './conditions.js';
import type { Expression } from './expression.js';
import {
  appendOperand,
  isValueSource,
  operandRefusal,
  typeOf,
  typeOfPlain,
  type FromOf,
  type PlainSource,
  type Typed,
} from './operand.js';
import type { Beyond, Inner } from './reach.js';
import { typeOfQuery } from './scalar.js';
import { SubqueryCondition, Subselect } from './subquery.js';
import { compareValues, ValueExpression } from './value.js';

/** What a plain value may be. */
export type Plain = string | number | bigint | boolean | Date | Uint8Array | TemporalValue;

/** What a plain value is compared with: another of its type, or a column or an expression of those. */
type PlainOperand<Value> = Wide<Value> | Typed<Wide<Value> | null>;

type Wide<Value> = NonNullable<Value> | TypeOf<Value>;

type TypeOf<Value> = Value extends string
  ? string
  : Value extends number
    ? number
    : Value extends bigint
      ? bigint
      : Value extends boolean
        ? boolean
        : never;

// `5 < column` is `column > 5`.
const TURNED: Readonly<Partial<Record<ComparisonOp, ComparisonOp>>> = { lt: 'gt', lte: 'gte', gt: 'lt', gte: 'lte' };

/** A parameter by itself, which is compared as a value of whatever it stands beside. Immutable. */
export class PlainValue<out Value> extends ValueExpression<Value> implements PlainSource {
  /** @throws FwError `FW_ORM_VALUE` for what no column holds */
  constructor(readonly plain: unknown) {
    const type = typeOf(plain);
    super(type, (sink) => appendOperand(sink, plain, type));
  }

  override eq<const Other extends PlainOperand<Value> | null>(value: Other): Expression<FromOf<Other>> {
    return value === null ? this.isNull() : this.#compare('eq', value);
  }

  override neq<const Other extends PlainOperand<Value> | null>(value: Other): Expression<FromOf<Other>> {
    return value === null ? this.isNotNull() : this.#compare('neq', value);
  }

  override isDistinctFrom<const Other extends PlainOperand<Value> | null>(value: Other): Expression<FromOf<Other>> {
    return value === null ? this.isNotNull() : this.#compare('isDistinctFrom', value);
  }

  override isNotDistinctFrom<const Other extends PlainOperand<Value> | null>(value: Other): Expression<FromOf<Other>> {
    return value === null ? this.isNull() : this.#compare('isNotDistinctFrom', value);
  }

  override lt<const Other extends PlainOperand<Value>>(value: Other): Expression<FromOf<Other>> {
    return this.#compare('lt', value);
  }

  override lte<const Other extends PlainOperand<Value>>(value: Other): Expression<FromOf<Other>> {
    return this.#compare('lte', value);
  }

  override gt<const Other extends PlainOperand<Value>>(value: Other): Expression<FromOf<Other>> {
    return this.#compare('gt', value);
  }

  override gte<const Other extends PlainOperand<Value>>(value: Other): Expression<FromOf<Other>> {
    return this.#compare('gte', value);
  }

  override in<const Other extends PlainOperand<Value>>(list: readonly Other[]): Expression<FromOf<Other>>;
  override in<Query extends Subselect & Inner>(query: Query): Expression<Beyond<Query>>;
  override in(list: readonly unknown[] | Subselect): Expression<never> {
    if (list instanceof Subselect) return this.#inQuery('in', list);
    const found = isAmongColumns(list) ? or(...list.map((each) => this.#compare('eq', each))) : super.in(list as never);
    return found as Expression<never>;
  }

  override notIn<const Other extends PlainOperand<Value>>(list: readonly Other[]): Expression<FromOf<Other>>;
  override notIn<Query extends Subselect & Inner>(query: Query): Expression<Beyond<Query>>;
  override notIn(list: readonly unknown[] | Subselect): Expression<never> {
    if (list instanceof Subselect) return this.#inQuery('notIn', list);
    const none = isAmongColumns(list)
      ? and(...list.map((each) => this.#compare('neq', each)))
      : super.notIn(list as never);
    return none as Expression<never>;
  }

  override between<const Low extends PlainOperand<Value>, const High extends PlainOperand<Value>>(
    low: Low,
    high: High,
  ): Expression<FromOf<Low> | FromOf<High>> {
    return and(this.gte(low), this.lte(high)) as Expression<never>;
  }

  // A column knows best how its values are sent.
  #compare(op: ComparisonOp, value: unknown): Expression<never> {
    if (value instanceof Column) return new Comparison(comparisonStep(value.target, TURNED[op] ?? op), this.plain);
    return compareValues(isValueSource(value) ? this.#beside(value.valueType) : this, op, value);
  }

  #inQuery(op: 'in' | 'notIn', query: Subselect): Expression<never> {
    return new SubqueryCondition(op, query, undefined, undefined, this.#beside(typeOfQuery(query.shape)));
  }

  #beside(beside: ValueType): ValueExpression<Value> {
    const { plain } = this;
    const type = typeOfPlain(plain, beside);
    return new ValueExpression(type, (sink) => appendOperand(sink, plain, type));
  }
}

const isAmongColumns = (list: unknown): list is readonly unknown[] =>
  Array.isArray(list) && list.some(isValueSource) && !list.includes(null);

/**
 * A plain value as an expression: to be selected beside columns, or compared with some of them.
 *
 * @throws FwError `FW_ORM_VALUE`
 * @example model(db, Sale).where(value(new Date()).between(sale.beginsAt, sale.endsAt))
 */
export function value<const Value extends Plain>(plain: Value): PlainValue<Value> {
  if (!isValueSource(plain)) return new PlainValue(plain);
  throw operandRefusal('a plain value', typeInWords(plain), 'value');
}
