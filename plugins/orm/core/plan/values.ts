import type { LogicalExpr, LogicalSelect, LogicalValue, Slot } from './logical.js';
import type { ColumnTarget } from './parts.js';

/** What a walk through a value changes; what is left out stays. */
export interface ValueChanges {
  readonly target?: (target: ColumnTarget) => ColumnTarget;
  /** Conditions of a choice, and one whose truth is a value. */
  readonly condition?: (expr: LogicalExpr) => LogicalExpr;
  /** Queries in the place of a value. */
  readonly query?: (query: LogicalSelect) => LogicalSelect;
}

/** A value with its parts changed. */
export function mapValue(value: LogicalValue, changes: ValueChanges): LogicalValue {
  const { target = asItIs, condition = asItIs, query = asItIs } = changes;
  const inner = (each: LogicalValue): LogicalValue => mapValue(each, changes);
  switch (value.t) {
    case 'column':
      return { ...value, target: target(value.target) };
    case 'parameter':
    case 'path':
      return value;
    case 'call':
      return { ...value, operands: value.operands.map(inner) };
    case 'case': {
      const branches = value.branches.map(({ when, then }) => ({ when: condition(when), then: inner(then) }));
      return { ...value, branches, otherwise: value.otherwise && inner(value.otherwise) };
    }
    case 'window': {
      const orders = value.orders.map((order) => ({ ...order, value: inner(order.value) }));
      return {
        ...value,
        operand: value.operand && inner(value.operand),
        partitions: value.partitions.map(inner),
        orders,
      };
    }
    case 'list': {
      const orders = value.orders.map((order) => ({ ...order, value: inner(order.value) }));
      return { ...value, operand: inner(value.operand), separator: inner(value.separator), orders };
    }
    case 'json': {
      const orders = value.orders.map((order) => ({ ...order, value: inner(order.value) }));
      const own = { name: value.name && inner(value.name), operand: inner(value.operand) };
      return { ...value, ...own, where: value.where && condition(value.where), orders };
    }
    case 'ordered':
      return { ...value, fraction: inner(value.fraction), operand: inner(value.operand) };
    case 'truth':
      return { ...value, condition: condition(value.condition) };
    case 'collate':
      return { ...value, operand: inner(value.operand) };
    case 'query':
      return { ...value, query: query(value.query) };
    case 'aggregate':
      return { ...value, operand: value.operand && inner(value.operand) };
  }
}

const asItIs = <Item>(item: Item): Item => item;

/** Values that a value is made of, in the order in which they are written. */
export function operandsOf(value: LogicalValue): readonly LogicalValue[] {
  switch (value.t) {
    case 'call':
      return value.operands;
    case 'case':
      return [...value.branches.map(({ then }) => then), ...(value.otherwise ? [value.otherwise] : [])];
    case 'aggregate':
      return value.operand ? [value.operand] : [];
    case 'window':
      return [
        ...(value.operand ? [value.operand] : []),
        ...value.partitions,
        ...value.orders.map(({ value: key }) => key),
      ];
    case 'list':
      return [value.operand, value.separator, ...value.orders.map(({ value: key }) => key)];
    case 'json':
      return [...(value.name ? [value.name] : []), value.operand, ...value.orders.map(({ value: key }) => key)];
    case 'ordered':
      return [value.fraction, value.operand];
    case 'collate':
      return [value.operand];
    default:
      return [];
  }
}

/** Whether a value, or one that it is made of, passes a test. */
export function someValue(value: LogicalValue, test: (value: LogicalValue) => boolean): boolean {
  return test(value) || operandsOf(value).some((operand) => someValue(operand, test));
}

/** Whether a value is made of the rows of a group, by itself. */
export const isOfGroup = ({ t }: LogicalValue): boolean =>
  t === 'aggregate' || t === 'list' || t === 'json' || t === 'ordered';

/** Whether a value is over the rows of a group. */
export const isAggregate = (value: LogicalValue): boolean =>
  isOfGroup(value) ||
  (value.t !== 'window' && (operandsOf(value).some(isAggregate) || conditionsOf(value).some(isOfGroups)));

const isOfGroups = (expr: LogicalExpr): boolean =>
  expr.t === 'aggregate' || valuesIn(expr).some(isAggregate) || conditionsIn(expr).some(isOfGroups);

/** Conditions that decide a value. */
function conditionsOf(value: LogicalValue): readonly LogicalExpr[] {
  if (value.t === 'truth') return [value.condition];
  if (value.t === 'json') return value.where ? [value.where] : [];
  return value.t === 'case' ? value.branches.map(({ when }) => when) : [];
}

/** Conditions that a condition is made of. */
function conditionsIn(expr: LogicalExpr): readonly LogicalExpr[] {
  if (expr.t === 'junction') return expr.operands;
  return expr.t === 'not' ? [expr.operand] : [];
}

/** Columns that a condition names itself, besides those of its values and its conditions. */
export function targetsIn(expr: LogicalExpr): readonly ColumnTarget[] {
  if (expr.t === 'columns') return [expr.left, expr.right];
  if (expr.t === 'arrays') return expr.other ? [expr.target, expr.other] : [expr.target];
  if ('targets' in expr && expr.targets !== undefined) return expr.targets;
  return 'target' in expr && expr.target !== undefined ? [expr.target] : [];
}

/** Columns that a value is computed of; `skips` says which values are looked at no further. */
export function columnsIn(
  value: LogicalValue,
  skips: (value: LogicalValue) => boolean = () => false,
): readonly ColumnTarget[] {
  if (skips(value)) return [];
  if (value.t === 'column') return [value.target];
  const inCondition = (expr: LogicalExpr): readonly ColumnTarget[] => [
    ...targetsIn(expr),
    ...valuesIn(expr).flatMap((each) => columnsIn(each, skips)),
    ...conditionsIn(expr).flatMap(inCondition),
  ];
  return [...operandsOf(value).flatMap((each) => columnsIn(each, skips)), ...conditionsOf(value).flatMap(inCondition)];
}

/** Whether a value is over the rows that belong to each row. */
export const isWindow = (value: LogicalValue): boolean => someValue(value, ({ t }) => t === 'window');

/** Values that a condition compares. */
export function valuesIn(expr: LogicalExpr): readonly LogicalValue[] {
  switch (expr.t) {
    case 'values':
      return [expr.left, expr.right];
    case 'valueIn':
      return [expr.value, ...expr.list];
    case 'valueBetween':
      return [expr.value, expr.low, expr.high];
    case 'valueNull':
      return [expr.value];
    case 'subquery':
      return expr.value ? [expr.value] : [];
    default:
      return [];
  }
}

/** A condition with the values that it compares changed. */
export function withValues(expr: LogicalExpr, map: (value: LogicalValue) => LogicalValue): LogicalExpr {
  switch (expr.t) {
    case 'values':
      return { ...expr, left: map(expr.left), right: map(expr.right) };
    case 'valueIn':
      return { ...expr, value: map(expr.value), list: expr.list.map(map) };
    case 'valueBetween':
      return { ...expr, value: map(expr.value), low: map(expr.low), high: map(expr.high) };
    case 'valueNull':
      return { ...expr, value: map(expr.value) };
    case 'subquery':
      return expr.value ? { ...expr, value: map(expr.value) } : expr;
    default:
      return expr;
  }
}

/** Values of the call that a structure takes, in its own order; equal forms take them in the same. */
export function slotsOf(structure: unknown): readonly Slot[] {
  const found: Slot[] = [];
  const walk = (item: unknown): void => {
    if (typeof item !== 'object' || item === null) return;
    for (const [key, inner] of Object.entries(item)) {
      if (key === 'info' || key === 'model' || key === 'column') continue;
      if (key === 'slot' || key === 'low' || key === 'high') note(inner, found, walk);
      else if (key === 'slots') found.push(...(inner as readonly Slot[]));
      else walk(inner);
    }
  };
  walk(structure);
  return found;
}

// The ends of `between` are places of values, or values of their own.
function note(inner: unknown, found: Slot[], walk: (item: unknown) => void): void {
  if (typeof inner === 'number' || typeof inner === 'function') found.push(inner as Slot);
  else walk(inner);
}
