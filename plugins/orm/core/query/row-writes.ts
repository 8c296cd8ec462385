import { fwError, type FwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import { Assignment, Emptying } from '../expression/assignment.js';
import { equals } from '../expression/comparisons.js';
import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import type { CallOptions } from '../session/session.js';
import { assertValidRow } from '../validation/validate-row.js';
import { assignedBy, runDelete, writeAll } from './bulk-writes.js';
import { createRow, givenOf, instanceOf } from './creates.js';
import { touchTimes } from './filled-times.js';
import { ROW_HOOKS, runHooks } from './hooks.js';
import type { Query } from './query.js';
import { countVersion, heldVersion, type HeldVersion } from './row-versions.js';

type AnyQuery = Query<object, unknown>;

/** Inserts a row that has no key yet, else updates it; rows with keys of their own making are looked up first. */
export async function saveRow(root: AnyQuery, given: object, call: CallOptions | undefined): Promise<object> {
  const { model } = root.shape;
  const row = instanceOf(model, given);
  const keys = keyValues(model, row);
  if (keys.some((value) => value === undefined || value === null)) return createRow(root, row, call);
  const counted = model.primaryKey.some((column) => column.autoincrement);
  if (!counted && !(await byKey(root, row, 'save').exists(call))) return createRow(root, row, call);
  // Without the class's initial values, which are only for new rows.
  return writeRow(root, given, 'save', call);
}

/** Updates the row of the same primary key with every column that was given. */
export function updateRow(root: AnyQuery, given: object, call: CallOptions | undefined): Promise<object> {
  return writeRow(root, given, 'update', call);
}

async function writeRow(
  root: AnyQuery,
  given: object,
  operation: string,
  call: CallOptions | undefined,
): Promise<object> {
  const { session, shape } = root;
  const row = givenOf(shape.model, given);
  const context = { session, signal: call?.signal };
  await runHooks(shape.model, ROW_HOOKS.update.before, row, context);
  touchTimes(shape.model, row);
  if (session.database.options.validate) await assertValidRow(shape.model, row, 'given');
  const values = shape.model.valuesOf(row);
  const held = heldVersion(shape.model, row, operation);
  const assignments = shape.model.updatable
    .filter((column) => values[column.index] !== undefined && column !== held?.column)
    .map((column) => assignmentOf(column, values[column.index]));
  const stored = asHeld(byKey(root, row, operation), held);
  // A row with only its key changes nothing, but has to exist.
  const found = await (assignments.length > 0
    ? writeAll(assignedBy(stored, assignments), 'update', call)
    : stored.exists(call));
  if (!found) throw await goneOrStale(root, row, operation, held, call);
  if (held !== undefined && assignments.length > 0) countVersion(held, row);
  await runHooks(shape.model, ROW_HOOKS.update.after, row, context);
  return row;
}

const assignmentOf = (column: ColumnInfo, value: unknown): Assignment =>
  column.kind === 'json' && value === null ? new Emptying(column) : new Assignment(column, value);

/** Deletes the row of the same primary key. */
export async function removeRow(root: AnyQuery, given: object, call: CallOptions | undefined): Promise<void> {
  const { session, shape } = root;
  const row = givenOf(shape.model, given);
  const context = { session, signal: call?.signal };
  await runHooks(shape.model, ROW_HOOKS.remove.before, row, context);
  const held = heldVersion(shape.model, row, 'remove');
  const affected = await runDelete(asHeld(byKey(root, row, 'remove'), held), call);
  if (affected === 0) throw await goneOrStale(root, row, 'remove', held, call);
  await runHooks(shape.model, ROW_HOOKS.remove.after, row, context);
}

function byKey(root: AnyQuery, row: object, operation: string): AnyQuery {
  const { model } = root.shape;
  const values = keyValues(model, row);
  if (values.length === 0 || values.some((value) => value === undefined || value === null)) {
    throw fwError(ORM_ERRORS.FW_ORM_NO_PRIMARY_KEY, { operation, model: model.name });
  }
  return model.primaryKey.reduce((query, column, at) => query.where(equals(column, values[at])), root);
}

// Restricts a write to the version that was read, because another writer may have changed the row.
const asHeld = (stored: AnyQuery, held: HeldVersion | undefined): AnyQuery =>
  held === undefined ? stored : stored.where(equals(held.column, held.value));

const keyValues = (model: ModelInfo, row: object): readonly unknown[] => {
  return model.primaryKey.map(({ property }) => (row as Record<string, unknown>)[property]);
};

async function goneOrStale(
  root: AnyQuery,
  row: object,
  operation: string,
  held: HeldVersion | undefined,
  call: CallOptions | undefined,
): Promise<FwError> {
  const { model } = root.shape;
  const details = { operation, model: model.name, key: keyValues(model, row).map(String).join(', ') };
  if (held === undefined || !(await byKey(root, row, operation).exists(call)))
    return fwError(ORM_ERRORS.FW_ORM_ROW_GONE, details);
  return fwError(ORM_ERRORS.FW_ORM_STALE_ROW, { ...details, version: String(held.value) });
}
