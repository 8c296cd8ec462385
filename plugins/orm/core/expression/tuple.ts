import { fwError } from '../../../../kernel/index.js';
import { typeInWords } from '../model/kinds.js';
import { ORM_ERRORS } from '../errors.js';
import { formError } from '../plan/form-error.js';
import type { ColumnTarget } from '../plan/parts.js';
import { targetKey } from '../plan/steps.js';
import type { Column } from './column.js';
import { paddedSize } from './comparisons.js';
import type { Expression, PartSink } from './expression.js';
import type { FromOf, ValueOf } from './operand.js';
import type { Beyond, Inner } from './reach.js';
import { Subselect, SubqueryCondition } from './subquery.js';

type AnyColumn = Column<object, string, unknown, unknown>;

/** Values of columns, in their order. */
type ValuesOf<Columns extends readonly AnyColumn[]> = {
  readonly [At in keyof Columns]: NonNullable<ValueOf<Columns[At]>>;
};

/**
 * Several columns that are compared together.
 *
 * @example model(db, Line).where(tuple(line.orderId, line.productId).in([[1, 7], [2, 7]]))
 */
export function tuple<const Columns extends readonly [AnyColumn, AnyColumn, ...AnyColumn[]]>(
  ...columns: Columns
): Tuple<Columns> {
  return new Tuple(columns);
}

/** Columns in a row; see {@link tuple}. Immutable. */
export class Tuple<const Columns extends readonly AnyColumn[]> {
  constructor(private readonly columns: Columns) {}

  /**
   * `(a, b) IN (...)` of a list of rows of values, or of a query of as many columns. The list must not be empty, and holds no null.
   *
   * @throws FwError `FW_ORM_EMPTY_LIST`, `FW_ORM_VALUE`, `FW_ORM_LIST_SIZE`, when the query is built
   */
  in<const Query extends Subselect & Inner = never>(
    list: readonly ValuesOf<Columns>[] | Query,
  ): Expression<FromOf<Columns[number]> | Beyond<Query>> {
    return this.#member(list, false);
  }

  /** `(a, b) NOT IN (...)`. */
  notIn<const Query extends Subselect & Inner = never>(
    list: readonly ValuesOf<Columns>[] | Query,
  ): Expression<FromOf<Columns[number]> | Beyond<Query>> {
    return this.#member(list, true);
  }

  #member(list: readonly (readonly unknown[])[] | Subselect, negated: boolean): Expression<never> {
    const targets = this.columns.map(({ target }) => target);
    if (list instanceof Subselect) return new SubqueryCondition(negated ? 'notIn' : 'in', list, undefined, targets);
    return new TupleMembership(targets, [...list], negated);
  }
}

class TupleMembership implements Expression {
  constructor(
    readonly targets: readonly ColumnTarget[],
    readonly list: readonly (readonly unknown[])[],
    readonly negated: boolean,
  ) {}

  appendTo(sink: PartSink): void {
    const { targets, list, negated } = this;
    this.#check(sink);
    const { maxParameters: limit, dialect } = sink.capabilities;
    const size = paddedSize(list.length, Math.floor(limit / targets.length));
    const values = size * targets.length;
    const field = fieldOf(targets);
    if (values > limit) throw fwError(ORM_ERRORS.FW_ORM_LIST_SIZE, { model: sink.model.name, field, size: values, limit, dialect }); // prettier-ignore
    const key = `tuples:${negated}:${size}:${targets.map(targetKey).join()}`;
    sink.part(key, { t: 'tuples', targets, negated, size, values });
    for (let at = 0; at < size; at++) {
      for (const value of list[Math.min(at, list.length - 1)] as readonly unknown[]) sink.value(value);
    }
  }

  #check({ model }: PartSink): void {
    const { targets, list } = this;
    const place = { model: model.name, field: fieldOf(targets) };
    const json = targets.find(({ info }) => info?.kind === 'json');
    if (json) throw formError(model, `"${json.name}" is JSON, of which no comparison means the same everywhere`);
    if (list.length === 0) throw fwError(ORM_ERRORS.FW_ORM_EMPTY_LIST, place);
    for (const row of list) {
      if (Array.isArray(row) && row.length === targets.length && !row.includes(null) && !row.includes(undefined))
        continue;
      const expected = `rows of ${targets.length} values without null`;
      throw fwError(ORM_ERRORS.FW_ORM_VALUE, { ...place, expected, got: typeInWords(row) });
    }
  }
}

const fieldOf = (targets: readonly ColumnTarget[]): string =>
  targets.map(({ info, name }) => info?.property ?? name).join(', ');
