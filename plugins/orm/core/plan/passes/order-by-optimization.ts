import type { LogicalOrder, LogicalSelect } from '../logical.js';
import type { OptimizerPass } from '../optimizer.js';
import type { ColumnTarget } from '../parts.js';
import { mapSelects } from '../rewrite.js';
import { conjunctsOf } from '../values.js';
import { isKey } from './join-optimization.js';

/** Drops order terms that cannot matter: repeated columns, columns that the condition makes constant, and those behind a unique key. */
export const orderByOptimization: OptimizerPass = {
  name: 'order_by_optimization',
  apply: (plan) => mapSelects(plan, (select) => ({ ...select, orderBy: kept(select) })),
};

function kept(select: LogicalSelect): readonly LogicalOrder[] {
  if (select.sets) return select.orderBy;
  const terms: LogicalOrder[] = [];
  const known = conjunctsOf(select.where).flatMap((expr) =>
    expr.t === 'compare' && expr.op === 'eq' ? [expr.target] : [],
  );
  for (const term of select.orderBy) {
    const { target } = term;
    if (target && known.some((each) => same(each, target))) continue;
    terms.push(term);
    if (target) known.push(target);
    if (select.joins.length === 0 && target?.info?.nullable === false && isKey(target.info)) break;
  }
  return terms;
}

const same = (a: ColumnTarget, b: ColumnTarget): boolean =>
  a.info === b.info && a.qualifier === b.qualifier && a.name === b.name;
