import type { LogicalExpr, LogicalSelect, LogicalValue, LogicalWindow, Slot } from './logical.js';
import type { ColumnTarget } from './parts.js';

/** What is done with the parts of a value, or of a condition: each is replaced by what comes of it. */
interface PartChanges {
  readonly target: (target: ColumnTarget) => ColumnTarget;
  readonly value: (value: LogicalValue) => LogicalValue;
  readonly condition: (expr: LogicalExpr) => LogicalExpr;
  readonly query: (query: LogicalSelect) => LogicalSelect;
}

/** What a walk through a value changes; what is left out stays. */
type ValueChanges = Partial<Omit<PartChanges, 'value'>>;

/** A value with its parts changed, and theirs. */
export function mapValue(value: LogicalValue, changes: ValueChanges): LogicalValue {
  const all: PartChanges = { ...KEPT, ...changes, value: (each) => withParts(each, all) };
  return withParts(value, all);
}

const asItIs = <Item>(item: Item): Item => item;
const KEPT: PartChanges = { target: asItIs, value: asItIs, condition: asItIs, query: asItIs };

// A value with the parts that it is made of itself changed, in the order in which they are written.
function withParts(node: LogicalValue, { target, value, condition, query }: PartChanges): LogicalValue {
  const orders = (of: LogicalWindow['orders']) => of.map((order) => ({ ...order, value: value(order.value) }));
  switch (node.t) {
    case 'column':
      return { ...node, target: target(node.target) };
    case 'parameter':
    case 'path':
      return node;
    case 'call':
      return { ...node, operands: node.operands.map(value) };
    case 'case': {
      const branches = node.branches.map(({ when, then }) => ({ when: condition(when), then: value(then) }));
      return { ...node, branches, otherwise: node.otherwise && value(node.otherwise) };
    }
    case 'window': {
      const operand = node.operand && value(node.operand);
      return { ...node, operand, partitions: node.partitions.map(value), orders: orders(node.orders) };
    }
    case 'list':
      return {
        ...node,
        operand: value(node.operand),
        separator: value(node.separator),
        orders: orders(node.orders),
      };
    case 'json': {
      const own = { name: node.name && value(node.name), operand: value(node.operand) };
      return { ...node, ...own, where: node.where && condition(node.where), orders: orders(node.orders) };
    }
    case 'ordered':
      return { ...node, fraction: value(node.fraction), operand: value(node.operand) };
    case 'truth':
      return { ...node, condition: condition(node.condition) };
    case 'collate':
      return { ...node, operand: value(node.operand) };
    case 'query':
      return { ...node, query: query(node.query) };
    case 'aggregate':
      return { ...node, operand: node.operand && value(node.operand) };
  }
}

// Notes what a walk meets.
function noting<Item>(walk: (note: (item: Item) => Item) => void): readonly Item[] {
  const found: Item[] = [];
  walk((item) => {
    found.push(item);
    return item;
  });
  return found;
}

/** Values that a value is made of, in the order in which they are written. */
export const operandsOf = (node: LogicalValue): readonly LogicalValue[] =>
  noting((value) => withParts(node, { ...KEPT, value }));

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
const conditionsOf = (node: LogicalValue): readonly LogicalExpr[] =>
  noting((condition) => withParts(node, { ...KEPT, condition }));

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
  const conditions = conditionsOf(value).flatMap(conditionsUnder);
  return [
    ...operandsOf(value).flatMap((each) => columnsIn(each, skips)),
    ...conditions.flatMap((each) => [...targetsIn(each), ...valuesIn(each).flatMap((one) => columnsIn(one, skips))]),
  ];
}

/** A condition with all that it is made of. */
export const conditionsUnder = (expr: LogicalExpr): readonly LogicalExpr[] => [
  expr,
  ...conditionsIn(expr).flatMap(conditionsUnder),
];

/** The conditions that all have to hold. */
export const conjunctsOf = (where: LogicalExpr | undefined): readonly LogicalExpr[] =>
  where?.t === 'junction' && where.kind === 'and' ? where.operands : where ? [where] : [];

/** Whether a value is over the rows that belong to each row. */
export const isWindow = (value: LogicalValue): boolean => someValue(value, ({ t }) => t === 'window');

/** The windows that a value is computed of. */
export function windowsIn(value: LogicalValue): readonly LogicalWindow[] {
  if (value.t === 'window') return [value];
  const conditions = conditionsOf(value).flatMap(conditionsUnder);
  return [...operandsOf(value), ...conditions.flatMap(valuesIn)].flatMap(windowsIn);
}

/** Values that a condition compares. */
export const valuesIn = (expr: LogicalExpr): readonly LogicalValue[] =>
  noting<LogicalValue>((value) => withValues(expr, value));

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
