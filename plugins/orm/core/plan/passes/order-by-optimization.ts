import type { LogicalExpr, LogicalOrder, LogicalSelect } from '../logical.js';
import type { OptimizerPass } from '../optimizer.js';
import type { ColumnTarget } from '../parts.js';
import { mapSelects } from '../rewrite.js';

/** Drops order terms that cannot matter: repeated columns, columns that the condition makes constant, and those behind a unique key. */
export const orderByOptimization: OptimizerPass = {
  name: 'order_by_optimization',
  apply: (plan) => mapSelects(plan, (select) => ({ ...select, orderBy: kept(select) })),
};

function kept(select: LogicalSelect): readonly LogicalOrder[] {
  const terms: LogicalOrder[] = [];
  const fixed = constants(select.where);
  for (const term of select.orderBy) {
    const { target } = term;
    if (target === undefined) {
      terms.push(term);
      continue;
    }
    if (fixed.some((each) => same(each, target)) || terms.some((each) => each.target && same(each.target, target)))
      continue;
    terms.push(term);
    if (select.joins.length === 0 && isUnique(target)) break;
  }
  return terms;
}

function constants(where: LogicalExpr | undefined): readonly ColumnTarget[] {
  const conjuncts = where?.t === 'junction' && where.kind === 'and' ? where.operands : where ? [where] : [];
  return conjuncts.flatMap((expr) => (expr.t === 'compare' && expr.op === 'eq' ? [expr.target] : []));
}

const same = (a: ColumnTarget, b: ColumnTarget): boolean =>
  a.info === b.info && a.qualifier === b.qualifier && a.name === b.name;

function isUnique({ info }: ColumnTarget): boolean {
  if (info === undefined || info.nullable) return false;
  return info.definition.unique === true || (info.model.primaryKey.length === 1 && info.model.primaryKey[0] === info);
}
