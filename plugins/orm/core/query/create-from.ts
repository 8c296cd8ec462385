import { fwError } from '../../../../kernel/index.js';
import { typeInWords } from '../model/kinds.js';
import { ORM_ERRORS } from '../errors.js';
import { Subselect } from '../expression/subquery.js';
import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import { formError } from '../plan/form-error.js';
import type { LogicalSelect } from '../plan/logical.js';
import { bindParameters } from '../plan/plan.js';
import { familyOf, itemsOf } from '../plan/projection.js';
import { chain } from '../session/maybe-promise.js';
import type { MaybePromise } from '../session/sql-handle.js';
import type { CallOptions, Session } from '../session/session.js';
import { assertNotFilled } from './bulk-writes.js';
import { presentTime } from './filled-times.js';
import { runPlan, WRITE, type Runnable } from './reads.js';

/**
 * Inserts the rows of a query, which stay in the database. What is selected goes into the columns of the same properties; what the class
 * begins with and the times that it is filled with are those of a new row. Hooks and validation rules do not run, because no row reaches
 * them.
 *
 * @throws FwError `FW_ORM_QUERY_FORM`, `FW_ORM_UNKNOWN_COLUMN`, `FW_ORM_NULL_VALUE`, `FW_ORM_READ_ONLY_COLUMN`
 */
export function createFrom(into: Runnable, rows: Subselect, call: CallOptions | undefined): MaybePromise<number> {
  const { session, shape } = into;
  const { model } = shape;
  if (!(rows instanceof Subselect)) throw fwError(ORM_ERRORS.FW_ORM_EXPRESSION, { model: model.name, got: typeInWords(rows), expected: 'a query' }); // prettier-ignore
  if (shape.parts().length > 0)
    throw formError(model, 'createFrom inserts rows; where and its kin belong to their query');
  const { planner, inserts } = session.database;
  const select = planner.readable(rows.shape);
  const columns = columnsOf(model, select);
  const filled = filledOf(session, model, columns);
  const insert = { columns, rows: 0, returning: [], query: { shape: rows.shape, select }, filled };
  return chain(inserts.plan(model, insert), (plan) => {
    const parameters = bindParameters(plan, [...rows.values()]);
    return chain(runPlan(session, model, plan, parameters, call, WRITE), ({ affected }) => affected);
  });
}

function columnsOf(model: ModelInfo, select: LogicalSelect): readonly ColumnInfo[] {
  return itemsOf(select).map(({ name, kind }) => {
    const column = model.find(name);
    if (column === undefined || column.property !== name) throw model.unknownColumn(name);
    assertNotFilled(column);
    if (familyOf(kind) !== familyOf(column.kind))
      throw formError(model, `"${name}" is of kind ${column.kind}, and what is selected for it of kind ${kind}`);
    return column;
  });
}

interface Filled {
  readonly column: ColumnInfo;
  readonly slot: () => unknown;
}

function filledOf({ database }: Session, model: ModelInfo, given: readonly ColumnInfo[]): readonly Filled[] {
  const left = model.insertable.filter((column) => !given.includes(column));
  const made = left.flatMap((column): Filled[] => {
    if (model.timed.includes(column)) return [{ column, slot: () => presentTime(column) }];
    const begins = model.initialised.includes(column);
    return begins ? [{ column, slot: () => (new model.target() as Record<string, unknown>)[column.property] }] : [];
  });
  for (const column of left) {
    const isKnown = column.optionalOnInsert || made.some((each) => each.column === column);
    if (isKnown || database.options.plugins.some((plugin) => plugin.fills?.(column))) continue;
    throw fwError(ORM_ERRORS.FW_ORM_NULL_VALUE, { model: model.name, field: column.property });
  }
  return made;
}
