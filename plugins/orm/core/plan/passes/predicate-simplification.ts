import type { LogicalExpr } from '../logical.js';
import type { OptimizerPass } from '../optimizer.js';
import { mapConditions } from '../rewrite.js';

/** Flattens nested AND and OR, takes single operands out of their brackets, and removes double and movable negations. */
export const predicateSimplification: OptimizerPass = {
  name: 'predicate_simplification',
  apply: (plan) => mapConditions(plan, simplified),
};

function simplified(expr: LogicalExpr): LogicalExpr {
  if (expr.t === 'junction') return flattened(expr);
  return expr.t === 'not' ? (negated(expr.operand) ?? expr) : expr;
}

function flattened(junction: LogicalExpr & { t: 'junction' }): LogicalExpr {
  const operands = junction.operands.flatMap((operand) => {
    return operand.t === 'junction' && operand.kind === junction.kind ? operand.operands : [operand];
  });
  const [only] = operands;
  if (only && operands.length === 1) return only;
  if (operands.length === 0) return { t: 'constant', value: junction.kind === 'and' };
  return { ...junction, operands };
}

const OPPOSITE = {
  eq: 'neq',
  neq: 'eq',
  lt: 'gte',
  gte: 'lt',
  gt: 'lte',
  lte: 'gt',
  isDistinctFrom: 'isNotDistinctFrom',
  isNotDistinctFrom: 'isDistinctFrom',
} as const;

// NOT (a = ?) and a <> ? agree on every row, nulls included: both are unknown there.
function negated(expr: LogicalExpr): LogicalExpr | undefined {
  switch (expr.t) {
    case 'not':
      return expr.operand;
    case 'null':
    case 'in':
    case 'inArray':
      return { ...expr, negated: !expr.negated };
    case 'constant':
      return { ...expr, value: !expr.value };
    case 'compare':
      return expr.op in OPPOSITE && !expr.exact
        ? { ...expr, op: OPPOSITE[expr.op as keyof typeof OPPOSITE] }
        : undefined;
    default:
      return undefined;
  }
}
