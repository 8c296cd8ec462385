import type { LogicalExpr, LogicalPlan, LogicalSelect, LogicalValue } from './logical.js';
import { mapValue, withValues } from './values.js';

/** A plan with every condition rewritten, those of subqueries first. */
export function mapConditions(plan: LogicalPlan, map: (expr: LogicalExpr) => LogicalExpr | undefined): LogicalPlan {
  switch (plan.kind) {
    case 'select':
      return mapSelect(plan, map);
    case 'count':
      return { ...plan, of: mapSelect(plan.of, map) };
    case 'update': {
      const assignments = plan.assignments.map((each) =>
        each.computed === undefined ? each : { ...each, computed: mapInValue(each.computed, map) },
      );
      return { ...plan, assignments, where: plan.where && mapExpr(plan.where, map) };
    }
    case 'delete':
      return { ...plan, where: plan.where && mapExpr(plan.where, map) };
    case 'insert':
      return plan;
  }
}

function mapSelect(select: LogicalSelect, map: (expr: LogicalExpr) => LogicalExpr | undefined): LogicalSelect {
  return {
    ...select,
    projection: select.projection.map((item) =>
      item.t === 'value' ? { ...item, value: mapInValue(item.value, map) } : item,
    ),
    groupValues: select.groupValues?.map((value) => mapInValue(value, map)),
    orderBy: select.orderBy.map((order) =>
      order.value === undefined ? order : { ...order, value: mapInValue(order.value, map) },
    ),
    joins: select.joins.map((join) => ({ ...join, on: join.on && mapExpr(join.on, map) })),
    where: select.where && mapExpr(select.where, map),
    having: select.having && mapExpr(select.having, map),
  };
}

// A query in the place of a value is seen as a condition on it is, so that whoever rewrites those of conditions rewrites it too.
function mapInValue(value: LogicalValue, map: (expr: LogicalExpr) => LogicalExpr | undefined): LogicalValue {
  return mapValue(value, {
    condition: (expr) => mapExpr(expr, map) ?? expr,
    query: (query) => {
      const mapped = map({ t: 'subquery', op: 'eq', query: mapSelect(query, map) });
      return mapped?.t === 'subquery' ? mapped.query : query;
    },
  });
}

/** An expression with its parts rewritten first; undefined from `map` drops it (only at the root, or inside a junction). */
function mapExpr(expr: LogicalExpr, map: (expr: LogicalExpr) => LogicalExpr | undefined): LogicalExpr | undefined {
  switch (expr.t) {
    case 'junction':
      return map({ ...expr, operands: expr.operands.flatMap((operand) => mapExpr(operand, map) ?? []) });
    case 'not':
      return map({ ...expr, operand: mapExpr(expr.operand, map) ?? expr.operand });
    case 'subquery':
      return map({ ...expr, query: mapSelect(expr.query, map) });
    default:
      return map(withValues(expr, (value) => mapInValue(value, map)));
  }
}

/** Every select of a plan: that of a query, or the one that is counted, and those of subqueries. */
export function selectsOf(plan: LogicalPlan): readonly LogicalSelect[] {
  const found: LogicalSelect[] = [];
  if (plan.kind === 'select') found.push(plan);
  if (plan.kind === 'count') found.push(plan.of);
  mapConditions(plan, (expr) => {
    if (expr.t === 'subquery') found.push(expr.query);
    return expr;
  });
  return found;
}

/** A plan with its select rewritten: that of a query, or the one that is counted. */
export function mapSelects(plan: LogicalPlan, map: (select: LogicalSelect) => LogicalSelect): LogicalPlan {
  if (plan.kind === 'select') return map(plan);
  return plan.kind === 'count' ? { ...plan, of: map(plan.of) } : plan;
}

/** Text that is equal for equal structure; slots count, since equal slots are equal values. */
export function structureOf(expr: LogicalExpr | LogicalValue): string {
  return JSON.stringify(expr, (key, value: unknown) => {
    if (key === 'info' || key === 'model' || key === 'column')
      return nameOf(value as { readonly name: string; readonly model?: { readonly name: string } } | undefined);
    return typeof value === 'function' ? `function ${serialOf(value)}` : value;
  });
}

/** Text that is equal for equal structure, whatever values it takes. */
export const formOf = (expr: LogicalExpr | LogicalValue): string =>
  structureOf(expr).replace(/"(slot|low|high)":(?:\d+|"function \d+")|"slots":\[[\d,]*\]/g, '"$1"');

let serial = 0;
const serials = new WeakMap<object, number>();

function serialOf(slot: object): number {
  const found = serials.get(slot) ?? ++serial;
  serials.set(slot, found);
  return found;
}

const nameOf = (named: { readonly name: string; readonly model?: { readonly name: string } } | undefined): string => {
  return named ? `${named.model?.name ?? ''}.${named.name}` : '';
};
