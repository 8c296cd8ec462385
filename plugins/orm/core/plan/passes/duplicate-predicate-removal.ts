import type { LogicalExpr } from '../logical.js';
import type { OptimizerPass } from '../optimizer.js';
import { mapConditions, structureOf } from '../rewrite.js';

/**
 * Removes an operand of AND and OR that is there already. Values are unknown here, so two comparisons are the same only when
 * they carry none, or take the same value of the call.
 */
export const duplicatePredicateRemoval: OptimizerPass = {
  name: 'duplicate_predicate_removal',
  apply: (plan) => mapConditions(plan, (expr) => (expr.t === 'junction' ? distinct(expr) : expr)),
};

function distinct(expr: LogicalExpr & { readonly t: 'junction' }): LogicalExpr {
  const operands = [...new Map(expr.operands.map((operand) => [structureOf(operand), operand])).values()];
  const [only] = operands;
  if (operands.length === expr.operands.length) return expr;
  return operands.length === 1 && only ? only : { ...expr, operands };
}
