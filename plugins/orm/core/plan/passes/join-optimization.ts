import type { ModelInfo } from '../../model/model-info.js';
import type { LogicalExpr, LogicalJoin, LogicalSelect } from '../logical.js';
import type { OptimizerPass } from '../optimizer.js';
import type { ColumnTarget } from '../parts.js';
import { mapSelects } from '../rewrite.js';
import { targetsIn, valuesIn } from '../values.js';

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
  const exprs = [select.where, select.having, ...others.map(({ on }) => on)];
  // A raw fragment may mention anything, and so may what is computed.
  const opaque =
    isComputed ||
    select.projection.some(({ t }) => t === 'raw') ||
    exprs.some((expr) => expr !== undefined && hasOpaque(expr));
  return opaque || targets.some(belongs) || exprs.some((expr) => expr !== undefined && columnsOf(expr).some(belongs));
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
  if (on?.t === 'junction' && on.kind === 'and')
    return on.operands.some((operand) => matchesOneRow({ ...join, on: operand }, base));
  const belongs = belongsTo(join, base);
  if (on?.t !== 'columns' || on.op !== 'eq' || model === undefined) return false;
  if (belongs(on.left) === belongs(on.right)) return false;
  return [on.left, on.right].some((side) => {
    if (!belongs(side) || side.info === undefined) return false;
    const key = side.info.model.primaryKey;
    return side.info.definition.unique === true || (key.length === 1 && key[0] === side.info);
  });
}

const tightened =
  (select: LogicalSelect) =>
  (join: LogicalJoin): LogicalJoin => {
    const conjuncts =
      select.where?.t === 'junction' && select.where.kind === 'and' ? select.where.operands : [select.where];
    const only = select.joins.length === 1;
    return join.kind === 'left' &&
      only &&
      conjuncts.some((expr) => expr && refusesNulls(expr, belongsTo(join, select.model)))
      ? { ...join, kind: 'inner' }
      : join;
  };

function refusesNulls(expr: LogicalExpr, belongs: (target: ColumnTarget) => boolean): boolean {
  if (expr.t === 'compare' && expr.op === 'isDistinctFrom') return false;
  if (expr.t === 'compare' || expr.t === 'in' || expr.t === 'between') return belongs(expr.target);
  return expr.t === 'null' && expr.negated && belongs(expr.target);
}

function hasOpaque(expr: LogicalExpr): boolean {
  if (expr.t === 'junction') return expr.operands.some(hasOpaque);
  if (expr.t === 'not') return hasOpaque(expr.operand);
  return expr.t === 'raw' || expr.t === 'subquery' || valuesIn(expr).length > 0;
}

function columnsOf(expr: LogicalExpr): readonly ColumnTarget[] {
  switch (expr.t) {
    case 'junction':
      return expr.operands.flatMap(columnsOf);
    case 'not':
      return columnsOf(expr.operand);
    case 'aggregate':
      return expr.aggregate.target ? [expr.aggregate.target] : [];
    default:
      return targetsIn(expr);
  }
}
