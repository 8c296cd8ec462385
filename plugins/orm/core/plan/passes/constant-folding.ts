import type { LogicalExpr, LogicalPlan } from '../logical.js';
import type { OptimizerPass } from '../optimizer.js';
import { mapConditions, selectsOf } from '../rewrite.js';

/**
 * Decides what the structure alone decides: null tests of columns that are never null, a null test beside its opposite, AND
 * with something false, OR with something true. A query whose condition is false answers without a round trip.
 */
export const constantFolding: OptimizerPass = {
  name: 'constant_folding',
  apply(plan) {
    const outerJoined = hasOuterJoin(plan);
    return withoutTrueRoot(mapConditions(plan, (expr) => fold(expr, outerJoined)));
  },
};

type NullTest = LogicalExpr & { readonly t: 'null' };

function fold(expr: LogicalExpr, outerJoined: boolean): LogicalExpr {
  // Behind an outer join every column can be null, whatever its declaration says.
  if (expr.t === 'null' && !outerJoined && expr.target.info?.nullable === false)
    return { t: 'constant', value: expr.negated };
  return expr.t === 'junction' ? foldJunction(expr) : expr;
}

function foldJunction(expr: LogicalExpr & { readonly t: 'junction' }): LogicalExpr {
  const absorbing = expr.kind === 'or';
  const decided = expr.operands.some((operand) => operand.t === 'constant' && operand.value === absorbing);
  if (decided || coversBoth(expr.operands)) return { t: 'constant', value: absorbing };
  const operands = expr.operands.filter((operand) => operand.t !== 'constant');
  const [only] = operands;
  if (operands.length === 1 && only) return only;
  return operands.length === 0 ? { t: 'constant', value: !absorbing } : { ...expr, operands };
}

function coversBoth(operands: readonly LogicalExpr[]): boolean {
  const tests = operands.filter((operand): operand is NullTest => operand.t === 'null');
  return tests.some((a) => tests.some((b) => a.target === b.target && a.negated !== b.negated));
}

// In a subquery too: its condition may be about its own join, or about that of the query around it.
function hasOuterJoin(plan: LogicalPlan): boolean {
  return selectsOf(plan).some(({ joins }) => joins.some(({ kind }) => kind !== 'inner' && kind !== 'cross'));
}

function withoutTrueRoot(plan: LogicalPlan): LogicalPlan {
  if (plan.kind === 'count') return { ...plan, of: withoutTrueRoot(plan.of) as typeof plan.of };
  if (plan.kind === 'insert') return plan;
  return plan.where?.t === 'constant' && plan.where.value ? { ...plan, where: undefined } : plan;
}
