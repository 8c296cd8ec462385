import type {
  LogicalAssignment,
  LogicalDelete,
  LogicalExpr,
  LogicalInsert,
  LogicalJoin,
  LogicalPlan,
  LogicalSelect,
  LogicalSource,
  LogicalUpdate,
  LogicalValue,
  Projection,
} from './logical.js';
import { serialOf } from './serial.js';
import { mapValue, withValues } from './values.js';

/** A plan with every condition rewritten, those of subqueries first. */
export function mapConditions(plan: LogicalPlan, map: (expr: LogicalExpr) => LogicalExpr | undefined): LogicalPlan {
  switch (plan.kind) {
    case 'select':
      return mapSelect(plan, map);
    case 'count':
      return { ...plan, of: mapSelect(plan.of, map) };
    case 'update':
      return { ...plan, assignments: mapAssignments(plan.assignments, map), ...mapWrite(plan, map) };
    case 'delete':
      return { ...plan, ...mapWrite(plan, map) };
    case 'insert':
      return mapInsert(plan, map);
  }
}

type MapExpr = (expr: LogicalExpr) => LogicalExpr | undefined;

function mapWrite({ joins, returning, where }: LogicalUpdate | LogicalDelete, map: MapExpr) {
  return {
    where: where && mapExpr(where, map),
    ...(joins && { joins: joins.map((join) => mapJoin(join, map)) }),
    ...(returning && { returning: mapProjection(returning, map) }),
  };
}

function mapInsert(insert: LogicalInsert, map: MapExpr): LogicalInsert {
  const { query, conflict, computed } = insert;
  const parts = [query, conflict?.where, conflict?.sets, computed];
  if (parts.every((part) => part === undefined)) return insert;
  return {
    ...insert,
    computed: computed && mapAssignments(computed, map),
    query: query && mapQuery(query, map),
    conflict: conflict && {
      ...conflict,
      where: conflict.where && mapExpr(conflict.where, map),
      sets: conflict.sets && mapAssignments(conflict.sets, map),
    },
  };
}

const mapAssignments = (assignments: readonly LogicalAssignment[], map: MapExpr): readonly LogicalAssignment[] =>
  assignments.map((each) => (each.computed ? { ...each, computed: mapInValue(each.computed, map) } : each));

const mapProjection = (projection: readonly Projection[], map: MapExpr): readonly Projection[] =>
  projection.map((item) => (item.t === 'value' ? { ...item, value: mapInValue(item.value, map) } : item));

const mapJoin = (join: LogicalJoin, map: MapExpr): LogicalJoin => ({
  ...join,
  on: join.on && mapExpr(join.on, map),
  ...(join.source && { source: mapSource(join.source, map) }),
});

const mapSource = (source: LogicalSource, map: MapExpr): LogicalSource => ({
  ...source,
  query: source.query && mapQuery(source.query, map),
  step: source.step && { ...source.step, query: mapQuery(source.step.query, map) },
});

function mapSelect(select: LogicalSelect, map: MapExpr): LogicalSelect {
  return {
    ...select,
    projection: mapProjection(select.projection, map),
    ...(select.source && { source: mapSource(select.source, map) }),
    sets: select.sets?.map(({ op, query }) => ({ op, query: mapQuery(query, map) })),
    groupValues: select.groupValues?.map((value) => mapInValue(value, map)),
    orderBy: select.orderBy.map((order) => mapTerm(order, map)),
    ...(select.distinctOn && {
      distinctOn: {
        terms: select.distinctOn.terms.map((term) => mapTerm(term, map)),
        order: select.distinctOn.order.map((order) => mapTerm(order, map)),
      },
    }),
    joins: select.joins.map((join) => mapJoin(join, map)),
    where: select.where && mapExpr(select.where, map),
    having: select.having && mapExpr(select.having, map),
  };
}

const mapTerm = <Term extends { readonly value?: LogicalValue | undefined }>(term: Term, map: MapExpr): Term =>
  term.value === undefined ? term : { ...term, value: mapInValue(term.value, map) };

// A scalar subquery is passed to `map` like one in a condition, so that both are rewritten.
function mapInValue(value: LogicalValue, map: MapExpr): LogicalValue {
  return mapValue(value, {
    condition: (expr) => mapExpr(expr, map) ?? expr,
    query: (query) => mapQuery(query, map),
  });
}

function mapQuery(query: LogicalSelect, map: MapExpr): LogicalSelect {
  const mapped = map({ t: 'subquery', op: 'eq', query: mapSelect(query, map) });
  return mapped?.t === 'subquery' ? mapped.query : query;
}

/** An expression with its parts rewritten first; undefined from `map` drops it (only at the root, or inside a junction). */
function mapExpr(expr: LogicalExpr, map: MapExpr): LogicalExpr | undefined {
  switch (expr.t) {
    case 'junction':
      return map({ ...expr, operands: expr.operands.flatMap((operand) => mapExpr(operand, map) ?? []) });
    case 'not':
      return map({ ...expr, operand: mapExpr(expr.operand, map) ?? expr.operand });
    default: {
      const mapped = withValues(expr, (value) => mapInValue(value, map));
      return map(mapped.t === 'subquery' ? { ...mapped, query: mapSelect(mapped.query, map) } : mapped);
    }
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

const nameOf = (named: { readonly name: string; readonly model?: { readonly name: string } } | undefined): string => {
  return named ? `${named.model?.name ?? ''}.${named.name}` : '';
};
