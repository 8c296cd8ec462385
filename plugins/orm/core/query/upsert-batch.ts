import { fwError } from '../../../../kernel/index.js';
import { typeInWords } from '../model/kinds.js';
import { ORM_ERRORS } from '../errors.js';
import type { Assignment } from '../expression/assignment.js';
import { type Column } from '../expression/column.js';
import type { Condition } from '../expression/expression.js';
import type { Read } from '../expression/reach.js';
import { EXCLUDED } from '../dialect/scope.js';
import { ValueExpression } from '../expression/value.js';
import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import { bindParameters } from '../plan/plan.js';
import { readShape } from '../plan/read-shape.js';
import { serialOf } from '../plan/serial.js';
import { compositeKey, scalarKey } from '../preload/keys.js';
import { assertList } from '../session/checked-options.js';
import { rethrown } from '../session/maybe-promise.js';
import type { CallOptions } from '../session/session.js';
import { runForCall, type Transaction } from '../session/transaction.js';
import { assertValidRow } from '../validation/validate-row.js';
import { assertWritable } from './bulk-writes.js';
import { insertColumns, instanceOf, sameColumns } from './creates.js';
import { fillNew } from './filled-times.js';
import type { Query } from './query.js';
import { runPlan, WRITE } from './reads.js';
import { assertUpsertOptions, conflictOf, countedOn, keptOf, type Kept, type UpsertOptions } from './upsert.js';
import { conflictKey, upsertError } from './upsert-key.js';

/** Options of an upsert of many rows. */
export interface UpsertBatchOptions<Item extends Assignment = Assignment, Reads = unknown> extends UpsertOptions {
  /** Further columns, with what is computed of the row that is there and of the new one (`excluded`). */
  readonly set?: readonly Item[];
  /** Which rows that are there are changed; the others stay as they are. Not on MySQL. */
  readonly where?: Condition<Reads>;
}

/**
 * The value that the new row of an upsert has in a column, for `set` and `where` of `upsertBatch`.
 *
 * @example { conflict: 'sku', update: 'none', set: [stock.pieces.set(add(stock.pieces, excluded(stock.pieces)))] }
 */
export function excluded<Model extends object, Key extends string, Value>(
  column: Column<Model, Key, Value>,
): ValueExpression<Value, Read<Model, Key>> {
  const qualified = column.of(EXCLUDED);
  return new ValueExpression(column.valueType, (sink) => qualified.appendValueTo(sink));
}

type AnyQuery = Query<object, unknown>;

const BATCH_OPTIONS: readonly (keyof UpsertBatchOptions)[] = ['conflict', 'update', 'set', 'where'];

interface Group {
  readonly columns: readonly ColumnInfo[];
  readonly instance: object;
  readonly kept: Kept;
  readonly values: unknown[];
  rows: number;
}

/** Inserts rows, or updates those that are there, several per statement and all in one transaction. */
export async function upsertRows(
  root: AnyQuery,
  rows: readonly object[],
  options: UpsertBatchOptions,
  call: CallOptions | undefined,
): Promise<void> {
  const { model } = root.shape;
  assertUpsertOptions(options, BATCH_OPTIONS);
  if (!Array.isArray(rows)) throw fwError(ORM_ERRORS.FW_ORM_EXPRESSION, { model: model.name, got: typeInWords(rows), expected: 'rows (an array)' }); // prettier-ignore
  if (options.set !== undefined) assertList('set', options.set);
  if (rows.length === 0) return;
  await runForCall(root.session, call, null, async (tx) => {
    const groups = await groupsOf(tx, model, rows);
    assertOnce(model, groups, options);
    for (const group of groups) await write(root, tx, group, options, call);
  });
}

// A statement has one list of columns: rows with other columns, or other initial values of the class, need another statement.
async function groupsOf(tx: Transaction, model: ModelInfo, rows: readonly object[]): Promise<readonly Group[]> {
  const groups: Group[] = [];
  const { maxParameters, maxInsertRows, preferredBatchRows } = tx.database.dialect.capabilities;
  for (const row of rows) {
    const instance = instanceOf(model, row);
    const kept = keptOf(model, row, instance, fillNew(model, instance));
    if (tx.database.options.validate) await assertValidRow(model, instance);
    const values: unknown[] = [];
    const columns = insertColumns(tx, model, instance, values);
    const last = groups.at(-1);
    // The parameters of `set` and `where` reduce the number of rows.
    const most = Math.max(1, Math.min(maxInsertRows, preferredBatchRows, Math.floor((maxParameters * 0.8) / Math.max(1, columns.length)))); // prettier-ignore
    if (
      last &&
      last.rows < most &&
      sameColumns(last.columns, columns) &&
      sameColumns(last.kept.begun, kept.begun) &&
      sameColumns(last.kept.created, kept.created)
    ) {
      last.values.push(...values);
      last.rows++;
    } else groups.push({ columns, instance, kept, values, rows: 1 });
  }
  return groups;
}

/**
 * Two rows with one key are refused here, because databases differ: one changes the row twice, another refuses.
 *
 * @throws FwError `FW_ORM_UPSERT_TWICE`
 */
function assertOnce(model: ModelInfo, groups: readonly Group[], { conflict }: UpsertBatchOptions): void {
  const named = conflictKey(model, conflict);
  const key = named.length > 0 ? named : model.primaryKey;
  const seen = new Set<string>();
  for (const { columns, values, rows } of groups) {
    const places = key.map((column) => columns.indexOf(column));
    if (places.length === 0 || places.includes(-1)) continue;
    for (let row = 0; row < rows; row++) {
      const own = places.map((at) => values[row * columns.length + at]);
      // In a unique key null is not equal to null.
      if (own.includes(null)) continue;
      const text = compositeKey(own);
      if (seen.has(text)) {
        const shown = own.map((value) => String(scalarKey(value))).join(', ');
        throw fwError(ORM_ERRORS.FW_ORM_UPSERT_TWICE, { model: model.name, key: shown });
      }
      seen.add(text);
    }
  }
}

async function write(
  root: AnyQuery,
  tx: Transaction,
  { columns, instance, kept, values, rows }: Group,
  options: UpsertBatchOptions,
  call: CallOptions | undefined,
): Promise<void> {
  const { set = [], where } = options;
  const { model } = root.shape;
  const base = { session: tx, shape: tx.database.planner.forest.root(model), values: () => [] };
  const simple = conflictOf(base, instance, options, kept);
  for (const assignment of set) assertWritable(assignment.info, model, assignment.step.part.t === 'setNull');
  const start = root.relatedIn(tx, model.target);
  const assigned = set.reduce((query, assignment) => query.assigned(assignment), start);
  const made = where === undefined ? assigned : assigned.where(where);
  const read = readShape(made.shape, tx.database.dialect.capabilities.nullsSort, values.length);
  const update = simple.update.filter((column) => !set.some(({ info }) => info === column));
  const counted = countedOn(model, [...update, ...set.map(({ info }) => info)]);
  const conflict = {
    target: simple.target,
    update,
    sets: [...read.assignments, ...counted],
    where: read.select.where,
    replaces: set.length === 0 && where === undefined && simple.replaces === true,
  };
  const insert = { columns, rows, returning: [], conflict, more: serialOf(made.shape), values: made.shape.values };
  const plan = await tx.database.inserts.plan(model, insert);
  const parameters = bindParameters(plan, [...values, ...made.values()]);
  const { affected } = await rethrown(
    () => runPlan(tx, model, plan, parameters, call, WRITE),
    (error) => upsertError(error, model, conflict.target),
  );
  // Of rows that a plugin keeps apart those of others stay as they are, and are not counted.
  if (plan.foreign && affected < rows) throw plan.foreign();
}
