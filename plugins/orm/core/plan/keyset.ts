import type { NullsSort } from '../dialect/capabilities.js';
import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import { formError } from './form-error.js';
import type { LogicalExpr, LogicalJoin, LogicalOrder, LogicalSelect, Projection, Slot } from './logical.js';
import type { ColumnTarget } from './parts.js';
import { matchesOneRow } from './passes/join-optimization.js';
import { isGrouped } from './projection.js';
import { plainTarget } from './steps.js';
import { isAggregate } from './values.js';

/**
 * Refuses a query whose order a cursor cannot express: the model's key has to make rows unique, and the order may use only columns of the
 * rows.
 *
 * @throws FwError `FW_ORM_QUERY_FORM`
 */
export function assertPageable(select: LogicalSelect): void {
  const { model, joins, orderBy, distinct, projection, ...rest } = select;
  for (const join of joins) {
    if (findsOneRow(join, model)) continue;
    const problem = `a cursor needs joins that find one row at most, by a unique column of a model; the ${join.kind} join of "${join.alias}" may find several (use exists with a subquery in where)`;
    throw formError(model, problem);
  }
  if (select.source) throw formError(model, 'a cursor needs rows with a key, which those of a query have none of');
  const foreign = orderBy.find(({ target }) => target === undefined || !isOwn(target, select));
  if (foreign) {
    const { qualifier, name = 'an expression' } = foreign.target ?? {};
    const term = [qualifier, name].filter(Boolean).join('.');
    throw formError(model, `a cursor needs an order by columns of ${model.name} itself; "${term}" is none`);
  }
  const unordered = orderBy.find(({ target }) => target?.info?.kind === 'json' || target?.info?.kind === 'array');
  if (unordered)
    throw formError(model, `a cursor needs an order; "${unordered.target?.name}" holds values without one`);
  if (rest.sets !== undefined)
    throw formError(model, 'a cursor needs the rows of one query, not of a union or its kin');
  if (rest.distinctOn)
    throw formError(model, 'a cursor needs the rows themselves, not the first of each group (distinctOn)');
  if (rest.groupBy.length > 0 || rest.groupValues !== undefined || (distinct && projection.length > 0))
    throw formError(model, 'a cursor needs the rows themselves, not groups or distinct values of them');
}

const findsOneRow = (join: LogicalJoin, model: ModelInfo): boolean =>
  (join.kind === 'inner' || join.kind === 'left') && matchesOneRow(join, model);

/**
 * Makes the order of a page unique by adding the primary key if possible: otherwise rows of equal values could change their order between
 * pages, and be skipped or repeated.
 */
export function inPageOrder(select: LogicalSelect): LogicalSelect {
  const { model, joins, distinct, projection, orderBy } = select;
  const isOfRows = !isGrouped(select) && select.sets === undefined && projection.every(isOfOneRow);
  const isKeyed = isOfRows && !(distinct && projection.length > 0) && joins.every((join) => findsOneRow(join, model));
  return isKeyed ? { ...select, orderBy: orderWithTieBreak(select, orderBy, false) } : select;
}

const isOfOneRow = (item: Projection): boolean =>
  item.t === 'column' || (item.t === 'value' && !isAggregate(item.value));

function isOwn({ info, qualifier }: ColumnTarget, { model, alias }: Pick<LogicalSelect, 'model' | 'alias'>): boolean {
  return info?.model === model && (qualifier === undefined || qualifier === (alias ?? model.table));
}

/**
 * The order that keyset pagination needs: the terms given, made unique by the primary key, turned round for a page before.
 */
export function orderWithTieBreak(
  select: Pick<LogicalSelect, 'model' | 'alias'>,
  terms: readonly LogicalOrder[],
  reversed: boolean,
): LogicalOrder[] {
  const { model } = select;
  const own = terms.flatMap(({ target }) => (target && isOwn(target, select) ? [target.info as ColumnInfo] : []));
  const unique = own.some((info) => info.definition.unique && !info.nullable);
  const missing = model.primaryKey.filter((key) => !own.includes(key));
  const last = terms.at(-1)?.desc ?? false;
  const tied = unique ? terms : [...terms, ...missing.map((key) => ({ target: plainTarget(key), desc: last }))];
  return tied.map((term) => (reversed ? turned(term) : term));
}

function turned({ target, value, desc, nulls }: LogicalOrder): LogicalOrder {
  return { target, value, desc: !desc, ...(nulls && { nulls: nulls === 'first' ? 'last' : 'first' }) };
}

/** Shape of a cursor: a letter per term for null (`n`) or a value (`v`), which decides the structure. */
export interface CursorShape {
  readonly nulls: string;
  readonly slots: readonly Slot[];
}

/** Rows behind a cursor: `a > ? OR (a = ? AND b > ?)`, with nulls where the database sorts them. */
export function keysetCondition(
  order: readonly LogicalOrder[],
  { nulls, slots }: CursorShape,
  nullsSort: NullsSort,
): LogicalExpr {
  const targets = order.map(({ target }) => target as ColumnTarget);
  const operands: LogicalExpr[] = [];
  for (let last = 0; last < order.length; last++) {
    const equal = targets
      .slice(0, last)
      .map((target, index) => same(target, nulls[index] === 'n', slots[index] as Slot));
    const beyond = behind(order[last] as LogicalOrder, nulls[last] === 'n', slots[last] as Slot, nullsSort);
    if (beyond)
      operands.push(equal.length === 0 ? beyond : { t: 'junction', kind: 'and', operands: [...equal, beyond] });
  }
  return { t: 'junction', kind: 'or', operands };
}

function same(target: ColumnTarget, isNull: boolean, slot: Slot): LogicalExpr {
  return isNull ? { t: 'null', target, negated: false } : { t: 'compare', target, op: 'eq', slot };
}

function behind(term: LogicalOrder, isNull: boolean, slot: Slot, nullsSort: NullsSort): LogicalExpr | undefined {
  const { desc } = term;
  const target = term.target as ColumnTarget;
  const nullsLast = term.nulls ? term.nulls === 'last' : (nullsSort === 'largest') !== desc;
  if (isNull) return nullsLast ? undefined : { t: 'null', target, negated: true };
  const further: LogicalExpr = { t: 'compare', target, op: desc ? 'lt' : 'gt', slot };
  if (!nullsLast || target.info?.nullable === false) return further;
  return { t: 'junction', kind: 'or', operands: [further, { t: 'null', target, negated: false }] };
}
