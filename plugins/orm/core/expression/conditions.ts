import { fwError } from '../../../../kernel/index.js';
import { identifier } from '../dialect/identifiers.js';
import { shown, typeInWords } from '../dialect/kinds.js';
import { ORM_ERRORS } from '../errors.js';
import { columnStep, comparisonStep, targetKey, type ComparisonPart, type Step } from '../plan/steps.js';
import type { ModelInfo } from '../model/model-info.js';
import type { ColumnTarget, ComparisonOp, RawPart } from '../plan/parts.js';
import { COMPARISONS } from '../plan/words.js';
import {
  isExpression,
  namedTarget,
  type Condition,
  type Expression,
  type PartSink,
  type Predicate,
} from './expression.js';
import { OPERATORS, OpRaw } from './operators.js';
import { rawText, rawValues, type RawText } from './raw-text.js';

/** `column <op> value`; `= null` and `<> null` become the null tests. */
export class Comparison implements Expression {
  constructor(
    readonly step: Step<ComparisonPart>,
    readonly value: unknown,
  ) {}

  appendTo(sink: PartSink): void {
    const { key, part } = this.step;
    const { target, op } = part;
    if (this.value === null && (op === 'eq' || op === 'neq')) return new NullTest(target, op === 'neq').appendTo(sink);
    sink.part(key, part);
    sink.value(this.value);
  }
}

/** `column <op> column`, as joins need it. */
export class ColumnComparison implements Expression {
  constructor(
    readonly left: ColumnTarget,
    readonly op: ComparisonOp,
    readonly right: ColumnTarget,
  ) {}

  appendTo(sink: PartSink): void {
    const { left, op, right } = this;
    COMPARISONS.checked(op);
    sink.part(`columns:${targetKey(left)} ${op} ${targetKey(right)}`, { t: 'columns', left, op, right, values: 0 });
  }
}

/** `column IS [NOT] NULL`. */
export class NullTest implements Expression {
  constructor(
    readonly target: ColumnTarget,
    readonly negated: boolean,
  ) {}

  appendTo(sink: PartSink): void {
    const { target, negated } = this;
    const { key, part } = columnStep(target, negated ? 'isNotNull' : 'isNull', () => ({
      t: 'null',
      target,
      negated,
      values: 0,
    }));
    sink.part(key, part);
  }
}

/** `column BETWEEN low AND high`. */
export class Between implements Expression {
  constructor(
    readonly target: ColumnTarget,
    readonly low: unknown,
    readonly high: unknown,
  ) {}

  appendTo(sink: PartSink): void {
    const { key, part } = columnStep(this.target, 'between', () => ({ t: 'between', target: this.target, values: 2 }));
    sink.part(key, part);
    sink.value(this.low);
    sink.value(this.high);
  }
}

/**
 * `column [NOT] IN (...)`. Lists are padded to a power of two with their last value, which changes no result and lets one
 * plan serve many lengths; databases with array parameters take the whole list as one.
 */
export class Membership implements Expression {
  readonly #list: readonly unknown[];

  constructor(
    readonly target: ColumnTarget,
    list: readonly unknown[],
    readonly negated: boolean,
  ) {
    this.#list = [...list];
  }

  appendTo(sink: PartSink): void {
    const { target, negated } = this;
    this.#check(sink);
    const held = target.info?.kind ?? 'json';
    // A list of lists would be one array of two dimensions.
    if (sink.capabilities.arrayParameters && held !== 'json' && held !== 'array') {
      const { key, part } = columnStep(target, negated ? 'notInArray' : 'inArray', () => ({
        t: 'inArray',
        target,
        negated,
        values: 1,
      }));
      sink.part(key, part);
      return sink.value(this.#list);
    }
    const size = paddedSize(this.#list.length, sink.capabilities.maxParameters);
    const kind = `${negated ? 'notIn' : 'in'}${size}`;
    const { key, part } = columnStep(target, kind, () => ({ t: 'in', target, negated, values: size }));
    sink.part(key, part);
    for (let at = 0; at < size; at++) sink.value(this.#list[Math.min(at, this.#list.length - 1)]);
  }

  #check({ model, capabilities }: PartSink): void {
    const field = this.target.info?.property ?? this.target.name;
    const size = this.#list.length;
    if (size === 0) throw fwError(ORM_ERRORS.FW_ORM_EMPTY_LIST, { model: model.name, field });
    // NOT IN of a list with null is true for no row.
    if (this.#list.includes(null)) {
      const expected = 'a list without null (isNull and isNotNull ask for it)';
      throw fwError(ORM_ERRORS.FW_ORM_VALUE, { model: model.name, field, expected, got: 'one with null' });
    }
    const { maxParameters: limit, arrayParameters, dialect } = capabilities;
    if (size <= limit || arrayParameters) return;
    throw fwError(ORM_ERRORS.FW_ORM_LIST_SIZE, { model: model.name, field, size, limit, dialect });
  }
}

/** Placeholders for a list: the next power of two, unless a few such lists are more than a statement takes. */
export function paddedSize(length: number, maxParameters: number): number {
  const padded = 2 ** Math.ceil(Math.log2(length));
  return padded * 8 > maxParameters ? length : padded;
}

/** `(a AND b)`, `(a OR b)`. */
export class Junction implements Expression {
  constructor(
    readonly kind: 'and' | 'or',
    readonly operands: readonly Condition[],
  ) {}

  appendTo(sink: PartSink): void {
    const { kind, operands } = this;
    sink.part(`${kind}:${operands.length}`, { t: 'junction', kind, size: operands.length, values: 0 });
    for (const operand of operands) expressionOf(operand, sink.model).appendTo(sink);
  }
}

/** `NOT (x)`. */
export class Negation implements Expression {
  constructor(readonly operand: Condition) {}

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

/** What a query keeps of the values of a step: the one that most steps have, else the list. */
export const singleOf = (values: readonly unknown[]): unknown => (values.length === 1 ? values[0] : values);

/** All of them; `and()` of nothing is true. */
export const and = (...conditions: readonly Condition[]): Expression => new Junction('and', conditions);

/** Any of them; `or()` of nothing is false. */
export const or = (...conditions: readonly Condition[]): Expression => new Junction('or', conditions);

/** The opposite. */
export const not = (condition: Condition): Expression => new Negation(condition);

/**
 * A literal SQL fragment. `:name` stands for a bound parameter; a list gives as many placeholders as it has elements.
 *
 * @param pairs - name, value, name, value, ...; or one object
 * @throws FwError `FW_ORM_RAW`
 * @example raw('lower(email) = :email', 'email', 'a@b')
 */
export const raw = (sql: string, ...pairs: readonly unknown[]): RawExpression => new RawExpression(sql, pairs);

/**
 * The expression of a condition; plain predicates are resolved against the model.
 *
 * @throws FwError `FW_ORM_EXPRESSION`, `FW_ORM_OPERATOR`, `FW_ORM_RAW_SHAPE`, `FW_ORM_UNKNOWN_COLUMN`
 */
export function expressionOf(condition: Condition, model: ModelInfo): Expression {
  if (isExpression(condition)) return condition;
  if (typeof condition === 'object' && condition !== null && 'op' in condition) return ofPredicate(condition, model);
  const expected = 'a condition ({ column, op, value }, or one made by an accessor, and, or, not, raw)';
  throw fwError(ORM_ERRORS.FW_ORM_EXPRESSION, { model: model.name, got: typeInWords(condition), expected });
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

// A symbol has no place in a sentence.
const OPERATOR_NAMES = OPERATORS.map((op) => (op === OpRaw ? 'OpRaw' : op));

function checkedTarget(model: ModelInfo, column: string | undefined): ColumnTarget {
  const target = namedTarget(model, column as string);
  identifier(target.name);
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
