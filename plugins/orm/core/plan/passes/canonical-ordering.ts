import type { LogicalExpr } from '../logical.js';
import type { OptimizerPass } from '../optimizer.js';
import { formOf, mapConditions } from '../rewrite.js';

/**
 * Sorts the operands of AND and OR, so that conditions given in another order become the same statement and share the
 * database's prepared one. Every operand keeps its slots, so values stay with their columns.
 */
export const canonicalOrdering: OptimizerPass = {
  name: 'canonical_ordering',
  apply: (plan) => mapConditions(plan, (expr) => (expr.t === 'junction' ? sorted(expr) : expr)),
};

function sorted(expr: LogicalExpr & { readonly t: 'junction' }): LogicalExpr {
  const keyed = expr.operands.map((operand) => ({ operand, key: formOf(operand) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return { ...expr, operands: keyed.map(({ operand }) => operand) };
}
