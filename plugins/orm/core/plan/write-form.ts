import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import { formError } from './form-error.js';
import type {
  LogicalAssignment,
  LogicalDelete,
  LogicalExpr,
  LogicalJoin,
  LogicalSelect,
  LogicalUpdate,
  LogicalValue,
  Projection,
} from './logical.js';
import type { ColumnTarget } from './parts.js';
import { hasWindow, isAggregateItem, isGrouped, nameOf, wordOf } from './projection.js';
import type { ReadShape } from './read-shape.js';
import type { PlanKind } from './shape.js';
import { targetKey } from './steps.js';
import { columnsIn, conjunctsOf, targetsIn } from './values.js';

/** The returned rows of an update or a delete, as a select. */
export function returnedRows({
  model,
  joins = [],
  returning,
}: LogicalUpdate | LogicalDelete): LogicalSelect | undefined {
  if (returning === undefined) return undefined;
  return { kind: 'select', model, distinct: false, projection: returning, joins, groupBy: [], orderBy: [] };
}

/**
 * Joins and returned columns of an update or a delete.
 *
 * @throws FwError `FW_ORM_QUERY_FORM` for what no write takes, or what databases would answer in different ways
 */
export function writeParts(
  { select, assignments }: ReadShape,
  kind: Exclude<PlanKind, 'find' | 'first' | 'only' | 'count' | 'exists'>,
): Pick<LogicalUpdate, 'joins' | 'returning'> {
  const isReturning = kind === 'updateReturning' || kind === 'deleteReturning';
  assertPlainWrite(select, kind.startsWith('update') ? 'updateAll' : 'delete', isReturning);
  assertJoins(select, assignments);
  if (isReturning) assertReturned(select);
  const { joins, projection } = select;
  return { ...(joins.length > 0 && { joins }), ...(isReturning && { returning: projection }) };
}

function assertPlainWrite(select: LogicalSelect, operation: string, isReturning: boolean): void {
  const extra = [
    (select.limit ?? select.offset) !== undefined && 'a limit or offset',
    select.orderBy.length > 0 && 'an order',
    isGrouped(select) && 'groupBy',
    select.sets !== undefined && 'a union or its kin',
    select.having !== undefined && 'having',
    select.distinct && 'distinct',
    select.distinctOn !== undefined && 'distinctOn',
    select.alias !== undefined && 'a name of its own (as)',
    select.source !== undefined && 'rows of a query',
    select.lock !== undefined && 'a lock',
    select.projection.length > 0 && !isReturning && 'a selection',
  ].filter((name) => name !== false);
  if (extra.length > 0) throw formError(select.model, `${operation} takes only where and inner joins; it has ${extra.join(', ')}`); // prettier-ignore
}

// Databases disagree about which of several joined rows is returned.
function assertReturned({ model, projection, joins, ...rest }: LogicalSelect): void {
  const select = { ...rest, model, projection, joins };
  if (projection.some(isAggregateItem) || hasWindow(select))
    throw formError(model, 'what is returned is of each row that was written; an aggregate or a window is of many');
  const many = joins.find((join) => !findsOneRow(join, model));
  const joined = many && projection.flatMap(targetsOf).find((target) => !isOwn(target, model));
  if (joined)
    throw formError(model, `"${wordOf(joined)}" is returned, and the join "${many.alias}" may find several rows for one; join by a key of its own, or return scalar(...)`); // prettier-ignore
}

/** Which rows a returned item is of: the written one, one of a join, or both. */
export function tablesOf(item: Projection, model: ModelInfo): 'own' | 'joined' | 'both' {
  const targets = targetsOf(item);
  const own = targets.filter((target) => isOwn(target, model)).length;
  if (own === targets.length) return 'own';
  return own === 0 ? 'joined' : 'both';
}

/** Whether a write gives columns of joined tables. */
export const givesJoined = ({ model, returning = [] }: LogicalUpdate | LogicalDelete): boolean =>
  returning.some((item) => tablesOf(item, model) !== 'own');

const targetsOf = (item: Projection): readonly ColumnTarget[] =>
  item.t === 'column' ? [item.target] : item.t === 'value' ? columnsIn(item.value) : [];

const isOwn = ({ info, qualifier }: ColumnTarget, model: ModelInfo): boolean =>
  info?.model === model && (qualifier === undefined || qualifier === model.table);

/**
 * A row that matches several joined rows is written once, and databases disagree about which one is used: an assigned value may come from a
 * join only if that finds at most one row.
 */
function assertJoins({ model, joins }: LogicalSelect, assignments: readonly LogicalAssignment[]): void {
  const outer = joins.find(({ kind }) => kind !== 'inner' && kind !== 'cross');
  if (outer)
    throw formError(model, `a write takes inner joins, and "${outer.alias}" is a ${outer.kind} join; use exists or notExists in where`); // prettier-ignore
  if (joins.length === 0) return;
  if (assignments.some(({ form }) => form === 'raw'))
    throw formError(model, 'setRaw does not go together with a join: nobody can tell which table its columns are of');
  const takes = assignments.some(({ computed }) => computed && columnsIn(computed).some((each) => !isOwn(each, model)));
  const many = takes ? joins.find((join) => !findsOneRow(join, model)) : undefined;
  if (many)
    throw formError(model, `a value comes from the join "${many.alias}", which may find several rows for one; join by a key of its own, or assign scalar(...)`); // prettier-ignore
}

// In a join of the written table itself, what is not qualified is of the written row.
function findsOneRow({ on, alias, model, source }: LogicalJoin, written: ModelInfo): boolean {
  const belongs = (target: ColumnTarget): boolean =>
    target.qualifier === undefined ? target.info?.model === model && model !== written : target.qualifier === alias;
  const fixed = new Set(conjunctsOf(on).flatMap((each) => fixedBy(each, belongs)));
  return keysOf(model, source?.query).some((key) => key.every((name) => fixed.has(name)));
}

// Columns of a join that have one value for each row that is written.
function fixedBy(expr: LogicalExpr, belongs: (target: ColumnTarget) => boolean): readonly string[] {
  if ((expr.t !== 'compare' && expr.t !== 'columns') || expr.op !== 'eq') return [];
  const own = targetsIn(expr).filter(belongs);
  return own.length === 1 ? own.map(({ name }) => name) : [];
}

/** Columns that tell the rows of a table, or of a query, apart: each list by itself. */
function keysOf(model: ModelInfo | undefined, query: LogicalSelect | undefined): readonly (readonly string[])[] {
  if (query === undefined) return model === undefined ? [] : tableKeys(model);
  const { projection, groupBy, groupValues = [], distinctOn } = query;
  if (projection.length > 0 && projection.every(isAggregateItem) && !isGrouped(query)) return [[]];
  const isOfColumns = groupValues.length === 0 && (distinctOn?.terms.every(({ target }) => target) ?? true);
  const targets = distinctOn?.terms.flatMap(({ target }) => target ?? []) ?? groupBy;
  if (!isOfColumns || targets.length === 0 || query.sets) return [];
  const names = targets.flatMap((target) => selectedAs(query, target) ?? []);
  return names.length === targets.length ? [names] : [];
}

function tableKeys({ primaryKey, columns }: ModelInfo): readonly (readonly string[])[] {
  const unique = columns.filter(({ definition, nullable }) => definition.unique === true && !nullable);
  const key = primaryKey.map(({ name }) => name);
  return [...(key.length > 0 ? [key] : []), ...unique.map(({ name }) => [name])];
}

function selectedAs({ projection }: LogicalSelect, target: ColumnTarget): string | undefined {
  const at = projection.findIndex((item) => item.t === 'column' && targetKey(item.target) === targetKey(target));
  const item = projection[at];
  return item?.t === 'column' ? (item.alias ?? item.target.name) : item && nameOf(item, at);
}

/** Columns of the row itself that a computed value reads. */
export const ownColumnsIn = (value: LogicalValue, model: ModelInfo): readonly ColumnInfo[] =>
  columnsIn(value).flatMap((target) => (target.info && isOwn(target, model) ? [target.info] : []));
