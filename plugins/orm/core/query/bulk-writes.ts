import { fwError } from '../../../../kernel/index.js';
import { typeInWords } from '../model/kinds.js';
import { ORM_ERRORS } from '../errors.js';
import { Assignment, Increment, type PlainAssignment } from '../expression/assignment.js';
import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import type { Plan } from '../plan/plan.js';
import type { PlanKind } from '../plan/shape.js';
import { chain } from '../session/maybe-promise.js';
import type { MaybePromise, WriteResult } from '../session/sql-handle.js';
import type { CallOptions } from '../session/session.js';
import { presentTime } from './filled-times.js';
import { isKnownEmpty, planOf, run, WRITE, type Runnable } from './reads.js';

/** A query that takes assignments as further steps. */
export interface Assignable extends Runnable {
  assigned(assignment: Assignment): Assignable;
}

/** What `updateAll` takes: assignments, and behind them what every call takes. */
export type UpdateArgument = Assignment | PlainAssignment | CallOptions | undefined;

/** UPDATE of all matching rows, as `updateAll` was called. */
export function runUpdateAll(query: Assignable, given: readonly UpdateArgument[]): MaybePromise<number> {
  const { assignments, call } = updateArguments(given);
  return writeAll(assignedBy(query, assignments), 'update', call);
}

/** What an update was given: assignments, and what every call takes behind them. */
export function updateArguments(given: readonly UpdateArgument[]): {
  readonly assignments: readonly (Assignment | PlainAssignment)[];
  readonly call: CallOptions | undefined;
} {
  const last = given.at(-1);
  if (given.length === 0 || last instanceof Assignment || !isCallOptions(last))
    return { assignments: given as readonly PlainAssignment[], call: undefined };
  return { assignments: given.slice(0, -1) as readonly PlainAssignment[], call: last };
}

/**
 * A query with assignments, and those of columns that every update writes.
 *
 * @throws FwError `FW_ORM_NOTHING_TO_SET`, `FW_ORM_READ_ONLY_COLUMN`, `FW_ORM_NULL_VALUE`
 */
export function assignedBy(query: Assignable, given: readonly (Assignment | PlainAssignment)[]): Assignable {
  const { model } = query.shape;
  if (given.length === 0) throw fwError(ORM_ERRORS.FW_ORM_NOTHING_TO_SET, { model: model.name });
  const assignments = given.map((each) => assignmentOf(each, model));
  let assigned = query;
  for (const assignment of [...assignments, ...touching(model, assignments)]) assigned = assigned.assigned(assignment);
  return assigned;
}

// What an update says of such a column itself wins.
function touching({ touched, version }: ModelInfo, given: readonly Assignment[]): readonly Assignment[] {
  const isLeft = (column: ColumnInfo) => !given.some(({ info }) => info === column);
  const times = touched.filter(isLeft).map((column) => new Assignment(column, presentTime(column)));
  return version && isLeft(version) ? [...times, new Increment(version, 1)] : times;
}

/** DELETE of all matching rows. */
export const runDelete = (query: Runnable, call: CallOptions | undefined): MaybePromise<number> =>
  writeAll(query, 'delete', call);

/** UPDATE of a query with assignments, or DELETE. @returns affected rows */
export function writeAll(query: Runnable, kind: PlanKind, call: CallOptions | undefined): MaybePromise<number> {
  return chain(planOf(query, kind), written, query, call);
}

function written(plan: Plan, query: Runnable, call: CallOptions | undefined): MaybePromise<number> {
  return isKnownEmpty(plan, call) ? 0 : chain(run(query, plan, call, WRITE), affectedRows);
}

const affectedRows = ({ affected }: WriteResult): number => affected;

const CALL_OPTIONS: ReadonlySet<string> = new Set<keyof CallOptions>(['signal', 'timeout']);

// A mistyped assignment must not be taken for options, because it would be ignored silently.
function isCallOptions(given: UpdateArgument): given is CallOptions | undefined {
  if (given === undefined) return true;
  return typeof given === 'object' && given !== null && Object.keys(given).every((key) => CALL_OPTIONS.has(key));
}

function assignmentOf(given: Assignment | PlainAssignment, model: ModelInfo): Assignment {
  const assignment = given instanceof Assignment ? given : plainAssignment(given, model);
  const { part } = assignment.step;
  assertWritable(assignment.info, model, part.t === 'setNull' && !part.keepsJson);
  return assignment;
}

function plainAssignment(given: PlainAssignment | null | undefined, model: ModelInfo): Assignment {
  if (typeof given?.column === 'string') return new Assignment(model.column(given.column), given.value);
  const expected = 'an assignment ({ column, value }, or user.name.set(...))';
  throw fwError(ORM_ERRORS.FW_ORM_EXPRESSION, { model: model.name, got: typeInWords(given), expected });
}

/** @throws FwError `FW_ORM_READ_ONLY_COLUMN` for a column that the database fills by itself */
export function assertNotFilled({ model, property: field, generated, autoincrement }: ColumnInfo): void {
  if (!generated && !autoincrement) return;
  const why = `${generated ? 'generated' : 'counted'} by the database`;
  throw fwError(ORM_ERRORS.FW_ORM_READ_ONLY_COLUMN, { model: model.name, field, why });
}

/** @throws FwError `FW_ORM_COLUMN_OUT_OF_REACH`, `FW_ORM_READ_ONLY_COLUMN`, `FW_ORM_NULL_VALUE` */
export function assertWritable(column: ColumnInfo, model: ModelInfo, toNull: boolean): void {
  const field = column.property;
  if (column.model !== model) {
    throw fwError(ORM_ERRORS.FW_ORM_COLUMN_OUT_OF_REACH, {
      model: model.name,
      column: `${column.model.name}.${field}`,
    });
  }
  assertNotFilled(column);
  if (toNull && !column.nullable) throw fwError(ORM_ERRORS.FW_ORM_NULL_VALUE, { model: model.name, field });
}
