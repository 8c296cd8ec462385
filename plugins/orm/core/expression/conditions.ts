import { fwError } from '../../../../kernel/index.js';
import { identifier } from '../model/identifiers.js';
import { shown, typeInWords } from '../model/kinds.js';
import { ORM_ERRORS } from '../errors.js';
import { comparisonStep } from '../plan/steps.js';
import type { ModelInfo } from '../model/model-info.js';
import type { ColumnTarget, RawPart } from '../plan/parts.js';
import { COMPARISONS } from '../plan/words.js';
import { Between, Comparison, Membership, NullTest } from './comparisons.js';
import {
  isExpression,
  namedTarget,
  type Condition,
  type Expression,
  type PartSink,
  type Predicate,
} from './expression.js';
import { filterComparisons, isFilter } from './filter.js';
import { OPERATORS, OpRaw } from './operators.js';
import { rawText, rawValues, type RawText } from './raw-text.js';
import type { Fitting, Known } from './reach.js';

/** `(a AND b)`, `(a OR b)`. */
export class Junction implements Expression {
  constructor(
    readonly kind: 'and' | 'or',
    readonly operands: readonly Operand[],
  ) {}

  appendTo(sink: PartSink): void {
    const { kind, operands } = this;
    sink.part(`${kind}:${operands.length}`, { t: 'junction', kind, size: operands.length, values: 0 });
    for (const operand of operands) expressionOf(operand, sink.model).appendTo(sink);
  }
}

/** `NOT (x)`. */
class Negation implements Expression {
  constructor(readonly operand: Operand) {}

  appendTo(sink: PartSink): void {
    sink.part('not', { t: 'not', values: 0 });
    expressionOf(this.operand, sink.model).appendTo(sink);
  }
}

/** A literal SQL fragment with bound parameters. */
export class RawExpression implements Expression {
  readonly #values: readonly unknown[];
  readonly raw: RawText;

  constructor(sql: string, pairs: readonly unknown[]) {
    this.raw = rawText(sql);
    this.#values = rawValues(this.raw, pairs);
  }

  appendTo(sink: PartSink): void {
    const part = this.part();
    sink.part(`raw:${part.sizes.join()}:${this.raw.source}`, part);
    for (const value of this.values()) sink.value(value);
  }

  /** The structure: the text, and how many placeholders each parameter takes. */
  part(): RawPart {
    const sizes = this.#values.map((value) => (Array.isArray(value) ? value.length : 1));
    return { t: 'raw', raw: this.raw, sizes, values: sizes.reduce((sum, size) => sum + size, 0) };
  }

  /** Values in order, lists spread. */
  values(): readonly unknown[] {
    return this.#values.flat(1);
  }

  /** Its value when it has exactly one, else the list. */
  single(): unknown {
    return singleOf(this.values());
  }
}

/** How a query stores the values of a step: a single value directly, else the list. */
export const singleOf = (values: readonly unknown[]): unknown => (values.length === 1 ? values[0] : values);

/** All of them, conditions and filters; `and()` of nothing is true. */
export const and = <const Operands extends readonly Operand[]>(...conditions: Operands): Expression<Told<Operands>> =>
  new Junction('and', conditions);

/** Any of them, conditions and filters: `or({ status: 'open' }, order.total.gt('100'))`; `or()` of nothing is false. */
export const or = <const Operands extends readonly Operand[]>(...conditions: Operands): Expression<Told<Operands>> =>
  new Junction('or', conditions);

/** The opposite. */
export const not = <const Only extends Operand>(condition: Only): Expression<ToldBy<Only>> => new Negation(condition);

/** What the combinators take: conditions, and filters of the model that the query is of. */
type Operand = Condition | Readonly<Record<string, unknown>>;

type Told<Operands extends readonly unknown[]> = ToldBy<Operands[number]>;

type ToldBy<Item> =
  Item extends Expression<infer Reads>
    ? Known<Reads>
    : Item extends { readonly op: unknown }
      ? never
      : Fitting<Item, keyof Item>;

/**
 * A literal SQL fragment. `:name` stands for a bound parameter; a list gives as many placeholders as it has elements.
 *
 * @param pairs - name, value, name, value, ...; or one object
 * @throws FwError `FW_ORM_RAW`
 * @example raw('lower(email) = :email', 'email', 'a@b')
 */
export const raw = (sql: string, ...pairs: readonly unknown[]): RawExpression => new RawExpression(sql, pairs);

/**
 * The expression of a condition; plain predicates and filters are resolved against the model.
 *
 * @throws FwError `FW_ORM_EXPRESSION`, `FW_ORM_OPERATOR`, `FW_ORM_RAW_SHAPE`, `FW_ORM_UNKNOWN_COLUMN`
 */
export function expressionOf(condition: Operand, model: ModelInfo): Expression {
  if (isExpression(condition)) return condition;
  if (isFilter(condition)) return ofFilter(condition, model);
  if (typeof condition === 'object' && condition !== null && 'op' in condition)
    return ofPredicate(condition as Predicate, model);
  const expected =
    'a condition ({ column, op, value }, an object of columns and values, or one made by an accessor, and, or, not, raw)';
  throw fwError(ORM_ERRORS.FW_ORM_EXPRESSION, { model: model.name, got: typeInWords(condition), expected });
}

function ofFilter(filter: Readonly<Record<string, unknown>>, model: ModelInfo): Expression {
  const equal = filterComparisons(filter, model);
  return equal.length === 1 ? (equal[0] as Expression) : new Junction('and', equal);
}

function ofPredicate({ column, op, value }: Predicate, model: ModelInfo): Expression {
  if (op === OpRaw) return new RawExpression(value as string, []);
  if ((op as unknown) === 'raw')
    throw fwError(ORM_ERRORS.FW_ORM_RAW_SHAPE, { given: "A predicate with op: 'raw'", call: "raw('...')" });
  const target = checkedTarget(model, column);
  if (COMPARISONS.has(op)) return new Comparison(comparisonStep(target, op), value);
  if (op === 'isNull' || op === 'isNotNull') return new NullTest(target, op === 'isNotNull');
  if (op === 'in' || op === 'notIn') return new Membership(target, listOf(value, target, model), op === 'notIn');
  if (op === 'between') return betweenOf(value, target, model);
  throw fwError(ORM_ERRORS.FW_ORM_OPERATOR, { ...place(target, model), op: shown(op), known: OPERATOR_NAMES });
}

// A symbol cannot be converted to text implicitly.
const OPERATOR_NAMES = OPERATORS.map((op) => (op === OpRaw ? 'OpRaw' : op));

function checkedTarget(model: ModelInfo, column: string | undefined): ColumnTarget {
  const target = namedTarget(model, column as string);
  if (target.info === undefined) identifier(target.name);
  if (target.qualifier !== undefined) identifier(target.qualifier);
  return target;
}

function listOf(value: unknown, target: ColumnTarget, model: ModelInfo): readonly unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  throw fwError(ORM_ERRORS.FW_ORM_VALUE, { ...place(target, model), expected: 'a list', got: typeInWords(value) });
}

function betweenOf(value: unknown, target: ColumnTarget, model: ModelInfo): Expression {
  if (Array.isArray(value) && value.length === 2) return new Between(target, value[0], value[1]);
  const got = typeInWords(value);
  throw fwError(ORM_ERRORS.FW_ORM_VALUE, { ...place(target, model), expected: 'two values [low, high]', got });
}

const place = (target: ColumnTarget, model: ModelInfo) => ({
  model: model.name,
  field: target.info?.property ?? target.name,
});
