import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { ColumnInfo } from '../model/model-info.js';
import type { ColumnTarget, ComparisonOp } from '../plan/parts.js';
import { columnStep, comparisonStep, plainTarget, targetKey, type ComparisonPart, type Step } from '../plan/steps.js';
import { COMPARISONS } from '../plan/words.js';
import type { Expression, PartSink } from './expression.js';

/** `column <op> value`; what compares with null for equality becomes a null test. */
export class Comparison implements Expression {
  constructor(
    readonly step: Step<ComparisonPart>,
    readonly value: unknown,
  ) {}

  appendTo(sink: PartSink): void {
    const { key, part } = this.step;
    const { target, op } = part;
    const isNot = this.value === null ? NULL_TESTS[op] : undefined;
    if (isNot !== undefined) return new NullTest(target, isNot).appendTo(sink);
    sink.part(key, part);
    sink.value(this.value);
  }
}

/** `column = value`, of a column of the queried table. */
export const equals = (column: ColumnInfo, value: unknown): Comparison =>
  new Comparison(comparisonStep(plainTarget(column), 'eq'), value);

// Whether a comparison with null asks for the rows that hold another value.
const NULL_TESTS: Readonly<Partial<Record<ComparisonOp, boolean>>> = {
  eq: false,
  isNotDistinctFrom: false,
  neq: true,
  isDistinctFrom: true,
};

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

/** Number of placeholders for a list: the next power of two, unless a few such lists would exceed the limit of a statement. */
export function paddedSize(length: number, maxParameters: number): number {
  const padded = 2 ** Math.ceil(Math.log2(length));
  return padded * 8 > maxParameters ? length : padded;
}
