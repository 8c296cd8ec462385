import type { LogicalExpr, LogicalSelect } from './logical.js';
import type { ColumnTarget } from './parts.js';
import { mapConditions } from './rewrite.js';

/**
 * A select in which plain names such as `alias.column` are known as columns of the models that are joined, so that their values are
 * checked, sent and compared as such. A join may come after conditions that name its columns.
 */
export function withJoinedColumns(select: LogicalSelect): LogicalSelect {
  const { joins } = select;
  if (joins.every(({ model }) => model === undefined)) return select;
  const known = (target: ColumnTarget): ColumnTarget => {
    if (target.info !== undefined || target.qualifier === undefined) return target;
    const info = joins.find(({ alias }) => alias === target.qualifier)?.model?.find(target.name);
    return info === undefined ? target : { ...target, name: info.name, info };
  };
  const mapped = mapConditions(select, (expr) => withTargets(expr, known)) as LogicalSelect;
  const knownTerm = <Term extends { readonly target?: ColumnTarget | undefined }>(term: Term): Term =>
    term.target ? { ...term, target: known(term.target) } : term;
  const { distinctOn } = mapped;
  return {
    ...mapped,
    groupBy: select.groupBy.map(known),
    orderBy: mapped.orderBy.map(knownTerm),
    ...(distinctOn && {
      distinctOn: { terms: distinctOn.terms.map(knownTerm), order: distinctOn.order.map(knownTerm) },
    }),
  };
}

function withTargets(expr: LogicalExpr, known: (target: ColumnTarget) => ColumnTarget): LogicalExpr {
  if (expr.t === 'columns') return { ...expr, left: known(expr.left), right: known(expr.right) };
  return 'target' in expr && expr.target !== undefined ? { ...expr, target: known(expr.target) } : expr;
}
