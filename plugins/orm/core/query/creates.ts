import { fwError } from '../../../../kernel/index.js';
import { isObject } from '../../../../kernel/values/index.js';
import { typeInWords } from '../model/kinds.js';
import { ORM_ERRORS } from '../errors.js';
import { ComputedAssignment, type Assignment } from '../expression/assignment.js';
import { isValueSource } from '../expression/operand.js';
import { serialOf } from '../plan/serial.js';
import { withoutOwn } from '../model/hidden-properties.js';
import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import type { LogicalConflict } from '../plan/logical.js';
import { bindParameters, type Plan } from '../plan/plan.js';
import { readShape } from '../plan/read-shape.js';
import { chain } from '../session/maybe-promise.js';
import type { MaybePromise, WriteResult } from '../session/sql-handle.js';
import type { CallOptions, CreateOptions, Session } from '../session/session.js';
import { assertValidRow } from '../validation/validate-row.js';
import { assertKeys, countBehind, keepsKeysOf, noteKeys } from './kept-keys.js';
import { assertBoolean } from '../session/checked-options.js';
import type { Assignable } from './bulk-writes.js';
import { fillNew } from './filled-times.js';
import { CREATE_HOOKS, ROW_HOOKS, hasHooks, runHooks } from './hooks.js';
import { readBack } from './read-back.js';
import { runPlan, WRITE, type Runnable } from './reads.js';

const BEFORE_CREATE = ROW_HOOKS.create.before;
const AFTER_CREATE = ROW_HOOKS.create.after;

/** A new row as an instance of its class: itself, or an instance with its properties and the class's initial values for the rest. */
export function instanceOf(info: ModelInfo, row: object): object {
  if (row instanceof info.target) return unexposed(info, row);
  assertRow(info, row);
  return madeOf(info, row);
}

/** An existing row as an instance of its class, with only the given properties and none of the class's initial values. */
export function givenOf(info: ModelInfo, row: object): object {
  if (row instanceof info.target) return unexposed(info, row);
  assertRow(info, row);
  const { initialised } = info;
  const made = new info.target() as Record<string, unknown>;
  for (const { property } of initialised) {
    // The value of a hidden column is no property of the row.
    if (Object.hasOwn(made, property)) Reflect.deleteProperty(made, property);
    else made[property] = undefined;
  }
  return unexposed(info, Object.assign(made, row));
}

function unexposed(info: ModelInfo, row: object): object {
  return info.exposed.length === 0 ? row : withoutOwn(row, info.exposed);
}

/** @throws FwError `FW_ORM_EXPRESSION` for what is no row, `FW_ORM_UNKNOWN_COLUMN` for a property that the model does not have */
export function assertRow(info: ModelInfo, row: object): void {
  if (!isObject(row)) {
    throw fwError(ORM_ERRORS.FW_ORM_EXPRESSION, { model: info.name, got: typeInWords(row), expected: 'a row' });
  }
  for (const key of Object.keys(row)) {
    if (info.find(key)?.property !== key && !info.relations.has(key)) throw info.unknownColumn(key);
  }
}

/** An instance with the properties of a checked row. Undefined counts as not given. */
export function madeOf(info: ModelInfo, row: object): object {
  const { initialised } = info;
  const made = new info.target() as Record<string, unknown>;
  if (initialised.length === 0) return unexposed(info, Object.assign(made, row));
  const begun = initialised.map(({ property }) => made[property]);
  Object.assign(made, row);
  initialised.forEach(({ property }, at) => {
    if (made[property] === undefined) made[property] = begun[at];
  });
  return unexposed(info, made);
}

/** Whether two lists are of the same columns in the same order. */
export function sameColumns(a: readonly ColumnInfo[], b: readonly ColumnInfo[]): boolean {
  return a === b || (a.length === b.length && a.every((column, at) => column === b[at]));
}

/** A query that creates rows, and makes the query that writes the columns which the database computes. */
interface Creating extends Runnable {
  relatedIn(session: Session, target: ModelInfo['target']): Assignable;
}

/** Inserts one row with its hooks. */
export function createRow(query: Creating, row: object, call: CreateOptions | undefined): MaybePromise<object> {
  const { session, shape } = query;
  assertBoolean('keepKeys', call?.keepKeys);
  const instance = instanceOf(shape.model, row);
  const { validate } = session.database.options;
  if (!validate && !hasHooks(shape.model, CREATE_HOOKS)) {
    fillNew(shape.model, instance);
    return insertCreated(query, instance, call);
  }
  return withHooks(query, instance, call);
}

function insertCreated(query: Creating, instance: object, call: CreateOptions | undefined): MaybePromise<object> {
  const { session, shape } = query;
  const { model } = shape;
  const keepsKeys = keepsKeysOf(model, call);
  const computes = (assignments: readonly Assignment[]) =>
    assignments.reduce((made, each) => made.assigned(each), query.relatedIn(session, model.target));
  const inserted = insertRow(session, model, instance, undefined, { call, keepsKeys, computes });
  if (!keepsKeys) return inserted;
  return chain(inserted, () => chain(countBehind(session, model, [instance]), () => instance));
}

async function withHooks(query: Creating, instance: object, call: CreateOptions | undefined): Promise<object> {
  const { session, shape } = query;
  const context = { session, signal: call?.signal };
  await runHooks(shape.model, BEFORE_CREATE, instance, context);
  fillNew(shape.model, instance);
  if (session.database.options.validate) await assertValidRow(shape.model, instance);
  await insertCreated(query, instance, call);
  await runHooks(shape.model, AFTER_CREATE, instance, context);
  return instance;
}

/** Inserts one row without hooks and fills it with what the database generated. */
export function insertRow(
  session: Session,
  info: ModelInfo,
  instance: object,
  conflict: LogicalConflict | undefined,
  { call, reads: readable = true, keepsKeys = false, computes }: InsertOptions,
): MaybePromise<object> {
  const values: unknown[] = [];
  const computed: ComputedAssignment[] | undefined = computes && [];
  const columns = insertColumns(session, info, instance, values, keepsKeys, computed);
  const made = computed?.length ? computes?.(computed) : undefined;
  const { inserts } = session.database;
  const isUsual = readable && conflict === undefined && columns === info.insertable && made === undefined;
  const usual = isUsual ? inserts.usual(info) : undefined;
  const missing = readable ? missingColumns(info, columns, conflict) : [];
  const own = computed?.map((each) => each.info) ?? [];
  const reads = usual?.reads ?? (conflict ? missing : readColumns(session, missing, own));
  return chain(
    usual?.plan ??
      inserts.plan(info, {
        columns,
        rows: 1,
        returning: reads,
        conflict,
        keepsKeys,
        ...computedShape(session, made, values.length),
      }),
    (plan) => {
      if (isUsual && usual === undefined) inserts.keepUsual(info, { plan, reads });
      const parameters = bindParameters(plan, made ? [...values, ...made.values()] : values);
      return chain(runPlan(session, info, plan, parameters, call, WRITE), (result) => {
        if (result.affected === 0) assertDone(plan, info, conflict, result);
        return readBack({ session, info, instance, missing, reads, call, computed: own }, result);
      });
    },
  );
}

// If no row was inserted, the driver reports the generated key of another row (https://sqlite.org/c3ref/last_insert_rowid.html).
function assertDone(
  plan: Plan,
  { name }: ModelInfo,
  conflict: LogicalConflict | undefined,
  { rows }: WriteResult,
): void {
  if (plan.foreign) throw plan.foreign();
  if (conflict === undefined && !rows?.length) throw fwError(ORM_ERRORS.FW_ORM_NOT_INSERTED, { model: name });
}

/** How a row is inserted. */
interface InsertOptions {
  readonly call: CallOptions | undefined;
  /** Whether to fill the row with what the database generated. Default true. */
  readonly reads?: boolean;
  /** Whether columns that the database counts are among those that are written. Default false. */
  readonly keepsKeys?: boolean;
  /** Makes a query of what the database is to compute; without it rows hold values only. */
  readonly computes?: (assignments: readonly Assignment[]) => Runnable;
}

// What is written of the values of the row itself stands before.
function computedShape({ database }: Session, made: Runnable | undefined, firstSlot: number) {
  if (made === undefined) return undefined;
  const { shape } = made;
  const { assignments } = readShape(shape, database.dialect.capabilities.nullsSort, firstSlot);
  return { computed: assignments, more: serialOf(shape), values: shape.values };
}

function missingColumns(
  info: ModelInfo,
  columns: readonly ColumnInfo[],
  conflict: LogicalConflict | undefined,
): readonly ColumnInfo[] {
  // After an upsert the row may be an existing one, whose other columns have to be read.
  if (conflict)
    return info.readable.filter((each) => !conflict.update.includes(each) && !conflict.target.includes(each));
  // The usual row names every column that it can, so that the rest is known beforehand.
  return columns === info.insertable ? info.notInsertable : info.readable.filter((column) => !columns.includes(column));
}

function readColumns(
  { database }: Session,
  missing: readonly ColumnInfo[],
  computed: readonly ColumnInfo[],
): readonly ColumnInfo[] {
  if (database.dialect.capabilities.returning === 'none') return [];
  return missing.filter((column) => isFilledByDatabase(column) || computed.includes(column));
}

const isFilledByDatabase = (column: ColumnInfo): boolean => {
  return column.autoincrement || column.generated || column.definition.default !== undefined;
};

/** Columns that an insert of a row names; adds their values to a list. */
export function insertColumns(
  session: Session,
  info: ModelInfo,
  instance: object,
  values: unknown[],
  keepsKeys = false,
  computed?: ComputedAssignment[],
): readonly ColumnInfo[] {
  const all = info.valuesOf(instance);
  let columns: ColumnInfo[] | undefined;
  const insertable = keepsKeys ? info.insertableWithKeys : info.insertable;
  if (keepsKeys) assertKeys(session, info, all);
  else if (session.database.options.onNote) noteKeys(session.database, info, all);
  for (let at = 0; at < insertable.length; at++) {
    const column = insertable[at] as ColumnInfo;
    const value = all[column.index];
    if (value === undefined) {
      // The usual row names every column; only a row with a gap pays for a list of its own.
      columns ??= insertable.slice(0, at);
      assertOptional(session, column);
    } else if (typeof value === 'object' && isValueSource(value)) {
      columns ??= insertable.slice(0, at);
      assertComputable(column, computed).push(new ComputedAssignment(column, value));
    } else {
      if (value === null && !column.nullable) throw nullError(column);
      columns?.push(column);
      values.push(value);
    }
  }
  return columns ?? insertable;
}

function assertOptional({ database }: Session, column: ColumnInfo): void {
  if (column.optionalOnInsert || database.options.plugins.some((plugin) => plugin.fills?.(column))) return;
  throw nullError(column);
}

// Rows of a batch share one statement, and the row that is written is found again by its key.
function assertComputable(column: ColumnInfo, computed: ComputedAssignment[] | undefined): ComputedAssignment[] {
  if (computed !== undefined && !column.primaryKey) return computed;
  const expected = column.primaryKey ? 'a plain value, because a row is read by its key' : 'a plain value (create takes expressions, and createFrom a query)'; // prettier-ignore
  throw fwError(ORM_ERRORS.FW_ORM_VALUE, { model: column.model.name, field: column.property, expected, got: 'an expression' }); // prettier-ignore
}

function nullError(column: ColumnInfo) {
  return fwError(ORM_ERRORS.FW_ORM_NULL_VALUE, { model: column.model.name, field: column.property });
}
