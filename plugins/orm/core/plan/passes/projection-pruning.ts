import type { LogicalExpr, Projection } from '../logical.js';
import type { OptimizerPass } from '../optimizer.js';
import { mapConditions, mapSelects } from '../rewrite.js';
import { isGrouped } from '../projection.js';
import { targetKey } from '../steps.js';

/** EXISTS selects a constant instead of columns, and a projection names each column once. */
export const projectionPruning: OptimizerPass = {
  name: 'projection_pruning',
  apply(plan) {
    const inner = mapConditions(plan, existing);
    return mapSelects(inner, (select) => ({ ...select, projection: select.projection.filter(isFirstOfItsKind) }));
  },
};

function isFirstOfItsKind(item: Projection, at: number, all: readonly Projection[]): boolean {
  return item.t !== 'column' || all.findIndex((other) => isSameColumn(item, other)) === at;
}

function isSameColumn(a: Projection & { readonly t: 'column' }, b: Projection): boolean {
  return b.t === 'column' && a.alias === b.alias && targetKey(a.target) === targetKey(b.target);
}

function existing(expr: LogicalExpr): LogicalExpr {
  if (expr.t !== 'subquery' || (expr.op !== 'exists' && expr.op !== 'notExists')) return expr;
  const { query } = expr;
  if (query.distinct || (query.having && !isGrouped(query))) return expr;
  // An aggregate is a row also where there is none to aggregate.
  if (!isGrouped(query) && query.projection.some(({ t }) => t !== 'column')) return expr;
  return { ...expr, query: { ...query, projection: [{ t: 'one' }], orderBy: [] } };
}
