import type { LogicalSelect } from '../logical.js';
import type { OptimizerPass } from '../optimizer.js';
import { mapSelects } from '../rewrite.js';
import { conjunctsOf } from '../values.js';

/** Drops the order where the primary key and a limit of one let one row through at most. */
export const limitOptimization: OptimizerPass = {
  name: 'limit_optimization',
  apply: (plan) => mapSelects(plan, (select) => (isOneRow(select) ? { ...select, orderBy: [] } : select)),
};

function isOneRow({ limit, offset, joins, where, model, sets }: LogicalSelect): boolean {
  if (sets !== undefined) return false;
  if (limit === undefined || !('literal' in limit) || limit.literal !== 1) return false;
  if (offset !== undefined || joins.length > 0 || model.primaryKey.length === 0) return false;
  const fixed = conjunctsOf(where).flatMap((expr) => (expr.t === 'compare' && expr.op === 'eq' ? [expr.target] : []));
  return model.primaryKey.every((key) => fixed.some(({ info, qualifier }) => info === key && qualifier === undefined));
}
