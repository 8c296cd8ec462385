import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import type { LogicalAssignment, LogicalConflict } from '../plan/logical.js';
import { assertKnown, assertList } from '../session/checked-options.js';
import { chain, rethrown } from '../session/maybe-promise.js';
import type { MaybePromise } from '../session/sql-handle.js';
import type { CallOptions } from '../session/session.js';
import { assertValidRow } from '../validation/validate-row.js';
import { assertNotFilled } from './bulk-writes.js';
import { insertColumns, insertRow, instanceOf } from './creates.js';
import { fillNew } from './filled-times.js';
import type { Runnable } from './reads.js';
import { conflictKey, upsertError } from './upsert-key.js';

/** Options of an upsert. */
export interface UpsertOptions {
  /**
   * Properties or columns of a unique key of the model, which decides; the primary key or the database's choice when left out. MySQL takes
   * any unique key of the table, whichever is named here.
   */
  readonly conflict?: string | readonly string[];
  /**
   * The columns to overwrite: listed properties, every given column (default), or none. Initial values of the class (`active = true`) are
   * only for a new row and do not count as given. Columns with `filled=update` are written whenever anything is.
   */
  readonly update?: 'all' | 'none' | readonly string[];
}

/**
 * Inserts a row, or updates the one that is there, in one statement. Hooks do not run, because the database decides whether the row is
 * created or changed. Rules are checked as for a creation.
 *
 * @throws FwError `FW_ORM_OPTIONS`, `FW_ORM_UPSERT_KEY`
 */
export function upsertRow(
  query: Runnable,
  row: object,
  options: UpsertOptions,
  call: CallOptions | undefined,
): MaybePromise<object> {
  const { session, shape } = query;
  assertUpsertOptions(options, OPTIONS);
  const instance = instanceOf(shape.model, row);
  const filled = fillNew(shape.model, instance);
  const upsert = { row, instance, filled, options, call };
  if (!session.database.options.validate) return written(query, upsert);
  return assertValidRow(shape.model, instance).then(() => written(query, upsert));
}

const OPTIONS: readonly (keyof UpsertOptions)[] = ['conflict', 'update'];

/**
 * Refuses unknown options: `set` for a single row, or `timeout`, which belongs to the options of the call.
 *
 * @throws FwError `FW_ORM_OPTIONS`
 */
export function assertUpsertOptions(options: UpsertOptions, known: readonly string[]): void {
  assertKnown('of the upsert', options, known);
  const { conflict, update } = options;
  if (conflict !== undefined && typeof conflict !== 'string') assertList('conflict', conflict);
  if (update !== undefined && update !== 'all' && update !== 'none') assertList('update', update);
}

interface Upsert {
  /** As it was given. */
  readonly row: object;
  readonly instance: object;
  /** Columns that were given the present time. */
  readonly filled: readonly ColumnInfo[];
  readonly options: UpsertOptions;
  readonly call: CallOptions | undefined;
}

function written(query: Runnable, { row, instance, filled, options, call }: Upsert): MaybePromise<object> {
  const { session, shape } = query;
  const { model } = shape;
  const kept = keptOf(model, row, instance, filled);
  const conflict = conflictOf(query, instance, options, kept);
  // The reported generated key is unreliable for a row that may have existed; the key is read back if the dialect can.
  const reads = session.database.dialect.capabilities.returning !== 'none' && conflict.update.length > 0;
  const inserted = rethrown(
    () => insertRow(session, model, instance, conflict, { call, reads }),
    (error) => upsertError(error, model, conflict.target),
  );
  return chain(inserted, () =>
    reads ? instance : known(model, row === instance, instance, [...kept.begun, ...kept.created], conflict),
  );
}

// Nobody can tell whether the row that is stored is the new one or an older one, of which only what was overwritten is known.
function known(
  model: ModelInfo,
  isCallers: boolean,
  instance: object,
  begun: readonly ColumnInfo[],
  { target, update }: LogicalConflict,
): object {
  const row = isCallers
    ? (Object.create(Object.getPrototypeOf(instance) as object, Object.getOwnPropertyDescriptors(instance)) as object)
    : instance;
  // A key that the database counts was not sent, whatever the row says.
  const key = target.length > 0 ? target : model.primaryKey.filter((column) => !column.autoincrement && !column.generated); // prettier-ignore
  for (const column of model.columns) {
    if (key.includes(column) || (update.includes(column) && !begun.includes(column))) continue;
    Reflect.deleteProperty(row, column.property);
  }
  return row;
}

/** Columns that an existing row keeps. */
export interface Kept {
  /** Columns that only have initial values of the class. */
  readonly begun: readonly ColumnInfo[];
  /** Times of creation that were filled in, and the version. */
  readonly created: readonly ColumnInfo[];
}

/**
 * What an existing row keeps, of a row as it was given and as an instance.
 *
 * @param filled - columns that `fillNew` filled
 */
export function keptOf(
  { initialised, touched, version }: ModelInfo,
  row: object,
  instance: object,
  filled: readonly ColumnInfo[],
): Kept {
  const given = row as Record<string, unknown>;
  const begun = row === instance ? [] : initialised.filter(({ property }) => given[property] === undefined);
  const times = filled.filter((column) => column !== version && !touched.includes(column));
  return { begun, created: version ? [...times, version] : times };
}

/** The conflict clause of an upsert. */
export function conflictOf(
  { session, shape }: Runnable,
  instance: object,
  { conflict, update = 'all' }: UpsertOptions,
  { begun, created }: Kept,
): LogicalConflict {
  const { model } = shape;
  const target = conflictKey(model, conflict);
  for (const column of target) assertBrought(model, column);
  if (update === 'none') return { target, update: [] };
  const columns = insertColumns(session, model, instance, []);
  const kept = [...begun, ...created];
  const wanted =
    update === 'all'
      ? columns.filter((column) => !column.primaryKey && !target.includes(column) && !kept.includes(column))
      : withTouched(
          model,
          update.map((name) => model.column(name)),
        );
  for (const column of wanted) assertNotFilled(column);
  const sets = countedOn(model, wanted);
  // A row that is replaced as a whole would be created anew.
  return { target, update: wanted, sets, replaces: update === 'all' && created.length === 0 };
}

/** The version of a row that is there counts on when any of its columns is written. */
export function countedOn({ version }: ModelInfo, written: readonly ColumnInfo[]): readonly LogicalAssignment[] {
  if (version === undefined || written.length === 0 || written.includes(version)) return [];
  return [{ column: version, form: 'add', slots: [() => 1] }];
}

function withTouched({ touched }: ModelInfo, wanted: readonly ColumnInfo[]): readonly ColumnInfo[] {
  if (wanted.length === 0) return wanted;
  return [...wanted, ...touched.filter((column) => !wanted.includes(column))];
}

// A column that is left out of the insert cannot find an existing row.
function assertBrought(model: ModelInfo, column: ColumnInfo): void {
  if (!column.autoincrement && !column.generated) return;
  const problem = `an upsert cannot find a row by "${column.property}", which the database fills; use save or update, or name a unique key`;
  throw fwError(ORM_ERRORS.FW_ORM_QUERY_FORM, { model: model.name, problem });
}
