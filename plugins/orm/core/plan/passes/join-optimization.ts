import type { ColumnInfo, ModelInfo } from '../../model/model-info.js';
import type { LogicalExpr, LogicalJoin, LogicalSelect } from '../logical.js';
import type { OptimizerPass } from '../optimizer.js';
import type { ColumnTarget } from '../parts.js';
import { mapSelects } from '../rewrite.js';
import { conditionsUnder, conjunctsOf, targetsIn, valuesIn } from '../values.js';

/**
 * Drops a LEFT JOIN that nothing mentions and that can match one row at most, and makes a LEFT JOIN an INNER JOIN when the
 * condition of the query refuses its null rows anyway.
 */
export const joinOptimization: OptimizerPass = {
  name: 'join_optimization',
  apply: (plan) =>
    mapSelects(plan, (select) => ({ ...select, joins: select.joins.filter(needed(select)).map(tightened(select)) })),
};

const needed =
  (select: LogicalSelect) =>
  (join: LogicalJoin): boolean => {
    if (join.kind !== 'left' || !matchesOneRow(join, select.model)) return true;
    return mentions(select, join);
  };

function mentions(select: LogicalSelect, join: LogicalJoin): boolean {
  const belongs = belongsTo(join, select.model);
  const others = select.joins.filter((other) => other !== join);
  const ordered = [...select.orderBy, ...(select.distinctOn?.order ?? [])];
  const targets = [
    ...(select.key ? [select.key] : []),
    ...(select.perGroup?.targets ?? []),
    ...select.groupBy,
    ...ordered.flatMap(({ target }) => target ?? []),
    ...select.projection.flatMap((item) =>
      item.t === 'column' ? [item.target] : item.t === 'aggregate' ? (item.aggregate.target ?? []) : [],
    ),
  ];
  const isComputed =
    select.groupValues !== undefined ||
    ordered.some(({ value }) => value !== undefined) ||
    select.projection.some(({ t }) => t === 'value');
  const conditions = [select.where, select.having, ...others.map(({ on }) => on)].flatMap((expr) =>
    expr ? conditionsUnder(expr) : [],
  );
  // A raw fragment may mention anything, and so may what is computed.
  const opaque = isComputed || select.projection.some(({ t }) => t === 'raw') || conditions.some(isOpaque);
  const compared = conditions.flatMap((expr) =>
    expr.t === 'aggregate' ? (expr.aggregate.target ?? []) : targetsIn(expr),
  );
  return opaque || [...targets, ...compared].some(belongs);
}

const belongsTo =
  ({ alias, model }: LogicalJoin, base: ModelInfo) =>
  ({ qualifier, info }: ColumnTarget): boolean => {
    if (qualifier !== undefined) return qualifier === alias;
    // A table joined to itself: what is not qualified is the queried one.
    return info !== undefined && info.model === model && model !== base;
  };

/** Whether a join finds one row at most for each: ON alias.key = something else, where the key is unique. */
export function matchesOneRow(join: LogicalJoin, base: ModelInfo): boolean {
  const { on, model } = join;
  const belongs = belongsTo(join, base);
  return conjunctsOf(on).some((each) => {
    if (each.t !== 'columns' || each.op !== 'eq' || model === undefined) return false;
    if (belongs(each.left) === belongs(each.right)) return false;
    return isKey((belongs(each.left) ? each.left : each.right).info);
  });
}

/** Whether a column tells the rows of its table apart by itself. */
export const isKey = (info: ColumnInfo | undefined): boolean =>
  info !== undefined &&
  (info.definition.unique === true || (info.model.primaryKey.length === 1 && info.model.primaryKey[0] === info));

const tightened =
  (select: LogicalSelect) =>
  (join: LogicalJoin): LogicalJoin => {
    const belongs = belongsTo(join, select.model);
    const isInner = conjunctsOf(select.where).some((expr) => refusesNulls(expr, belongs));
    return join.kind === 'left' && select.joins.length === 1 && isInner ? { ...join, kind: 'inner' } : join;
  };

function refusesNulls(expr: LogicalExpr, belongs: (target: ColumnTarget) => boolean): boolean {
  if (expr.t === 'compare' && expr.op === 'isDistinctFrom') return false;
  if (expr.t === 'compare' || expr.t === 'in' || expr.t === 'between') return belongs(expr.target);
  return expr.t === 'null' && expr.negated && belongs(expr.target);
}

const isOpaque = (expr: LogicalExpr): boolean => expr.t === 'raw' || expr.t === 'subquery' || valuesIn(expr).length > 0;
