import type { LogicalExpr } from '../logical.js';
import type { OptimizerPass } from '../optimizer.js';
import { mapConditions, mapSelects } from '../rewrite.js';

/** EXISTS selects a constant instead of columns, and a projection names each column once. */
export const projectionPruning: OptimizerPass = {
  name: 'projection_pruning',
  apply(plan) {
    const inner = mapConditions(plan, existing);
    return mapSelects(inner, (select) => ({ ...select, projection: [...new Set(select.projection)] }));
  },
};

function existing(expr: LogicalExpr): LogicalExpr {
  if (expr.t !== 'subquery' || (expr.op !== 'exists' && expr.op !== 'notExists')) return expr;
  const { query } = expr;
  if (query.distinct || query.groupBy.length > 0 || query.having) return expr;
  return {
    ...expr,
    query: { ...query, projection: [{ t: 'raw', sql: '1' }], orderBy: query.limit ? query.orderBy : [] },
  };
}
