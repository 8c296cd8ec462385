import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { NullsSort } from '../dialect/capabilities.js';
import type { ModelInfo } from '../model/model-info.js';
import { assertCombinable, assertPlaces } from './combined.js';
import { withJoinedColumns } from './joined-columns.js';
import { formError } from './form-error.js';
import { assertPageable, inPageOrder, keysetCondition, orderWithTieBreak, type CursorShape } from './keyset.js';
import type {
  DistinctOn,
  Bound,
  LogicalAssignment,
  LogicalExpr,
  LogicalJoin,
  LogicalOrder,
  LogicalSelect,
  LogicalSource,
  LogicalValue,
  LogicalWindow,
  Projection,
  Slot,
} from './logical.js';
import type { ColumnTarget, InnerOrders, JoinPart, Part, SetOp, SourcePart, ValueType } from './parts.js';
import { assertSelectable, isAggregateItem, isGrouped, typeOfColumn, typeOfItem } from './projection.js';
import type { Shape } from './shape.js';
import { targetKey } from './steps.js';
import { formOf } from './rewrite.js';
import { isAggregate, isWindow, operandsOf } from './values.js';

/** The parsed parts of a shape, before its kind of plan is known. */
export interface ReadShape {
  readonly select: LogicalSelect;
  readonly assignments: readonly LogicalAssignment[];
}

/** Turns the parts of a shape into a logical select and the assignments of an update. */
export function readShape(shape: Shape, nullsSort: NullsSort, firstSlot = 0): ReadShape {
  return new ShapeReader(shape.parts(), firstSlot, nullsSort).read(shape.model);
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

class ShapeReader {
  #at = 0;
  #takesWindows = false;

  constructor(
    private readonly parts: readonly Part[],
    private slot: number,
    private readonly nullsSort: NullsSort,
  ) {}

  read(model: ModelInfo): ReadShape {
    const where: LogicalExpr[] = [];
    const having: LogicalExpr[] = [];
    const lists = {
      projection: [] as Projection[],
      joins: [] as LogicalJoin[],
      groupBy: [] as ColumnTarget[],
      orderBy: [] as LogicalOrder[],
    };
    const assignments: LogicalAssignment[] = [];
    const groupValues: LogicalValue[] = [];
    const sets: { readonly op: SetOp; readonly query: LogicalSelect }[] = [];
    const select: Mutable<LogicalSelect> = { kind: 'select', model, distinct: false, ...lists };
    const distinctOn: DistinctOn['terms'][number][] = [];
    let after: (CursorShape & { readonly before: boolean }) | undefined;
    while (this.#at < this.parts.length) {
      const part = this.parts[this.#at++] as Part;
      if (this.#setting(part, select)) continue;
      const item = this.#item(part, model);
      if (item !== undefined) {
        lists.projection.push(item);
        continue;
      }
      switch (part.t) {
        case 'distinctOn':
        case 'distinctOnValue':
          distinctOn.push(part.t === 'distinctOn' ? { target: part.target } : { value: this.#value() });
          break;
        case 'combine':
          sets.push({ op: part.op, query: inBounds(this.#query(part)) });
          break;
        case 'order':
          lists.orderBy.push(after ? lateOrder(model) : part);
          break;
        case 'orderValue': {
          if (after) lateOrder(model);
          const { desc, nulls } = part;
          lists.orderBy.push({ value: this.#outerValue(model), desc, nulls });
          break;
        }
        case 'group':
          lists.groupBy.push(part.target);
          break;
        case 'groupValue':
          groupValues.push(this.#value());
          break;
        case 'after':
          after = { before: part.before, nulls: part.nulls, slots: this.#slots(part.values) };
          break;
        case 'join':
          lists.joins.push(this.#join(part));
          break;
        case 'having':
          having.push(this.#expression());
          break;
        case 'set':
        case 'setNull':
        case 'add':
        case 'setRaw':
        case 'setValue':
          assignments.push(this.#assignment(part));
          break;
        default:
          this.#at--;
          where.push(this.#expression());
      }
    }
    if (distinctOn.length > 0) pickFirst(select, lists.orderBy, distinctOn);
    if (after) where.push(...this.#behindCursor(select, lists.orderBy, after));
    select.where = conjunction(where);
    select.having = conjunction(having);
    if (groupValues.length > 0) select.groupValues = groupValues;
    if (sets.length > 0) {
      select.sets = sets;
      assertPlaces(select, this.parts);
      assertCombinable(select);
    }
    return { select: withJoinedColumns(select), assignments };
  }

  /** Takes a part that is one setting of the query; whether it was one. */
  #setting(part: Part, select: Mutable<LogicalSelect>): boolean {
    switch (part.t) {
      case 'distinct':
        select.distinct = true;
        return true;
      case 'lock':
        select.lock = part.mode;
        select.lockOf = part.of;
        return true;
      case 'scope':
        select.deleted = part.deleted;
        return true;
      case 'key':
        select.key = part.target;
        return true;
      case 'alias':
        select.alias = part.alias;
        return true;
      case 'source':
        select.source = this.#source(part.source);
        return true;
      case 'perGroup':
        select.perGroup = { targets: part.targets, limit: this.#bound() };
        return true;
      case 'limit':
      case 'offset':
        select[part.t] = this.#bound();
        return true;
      default:
        return false;
    }
  }

  /** What a part selects, if it does. */
  #item(part: Part, model: ModelInfo): Projection | undefined {
    switch (part.t) {
      case 'select':
        return { t: 'column', target: part.target, alias: part.alias };
      case 'selectRaw':
        return { t: 'raw', sql: part.sql, alias: part.alias };
      case 'aggregate':
        return { t: 'aggregate', aggregate: part };
      case 'selectValue':
        return { t: 'value', value: this.#outerValue(model), alias: part.alias };
      default:
        return undefined;
    }
  }

  /** A query within the query; its values follow those before it. */
  #query({ query, values }: { readonly query: Shape; readonly values: number }): LogicalSelect {
    const { select } = readShape(query, this.nullsSort, this.slot);
    this.slot += values;
    return select;
  }

  #source({ name, named, materialized, query, step }: SourcePart): LogicalSource {
    const rows = query && this.#table(query);
    return { name, named, materialized, query: rows, step: step && { op: step.op, query: this.#table(step.query) } };
  }

  #table(query: Shape): LogicalSelect {
    const select = this.#query({ query, values: query.values });
    assertSelectable(select);
    return inBounds(select);
  }

  // Completes the order too: it must tell all rows apart.
  #behindCursor(
    select: LogicalSelect,
    orderBy: LogicalOrder[],
    after: CursorShape & { readonly before: boolean },
  ): readonly LogicalExpr[] {
    assertPageable(select);
    orderBy.splice(0, orderBy.length, ...orderWithTieBreak(select, orderBy, after.before));
    return after.nulls === '' ? [] : [keysetCondition(orderBy, after, this.nullsSort)];
  }

  #bound(): Bound {
    return { slot: this.slot++ };
  }

  #slots(count: number): Slot[] {
    return Array.from({ length: count }, () => this.slot++);
  }

  #join({ kind, table, alias, model, source: part }: JoinPart): LogicalJoin {
    const source = part && this.#source(part);
    return { kind, table, alias, model, source, on: kind === 'cross' ? undefined : this.#expression() };
  }

  #assignment(part: Part & { readonly t: 'set' | 'setNull' | 'add' | 'setRaw' | 'setValue' }): LogicalAssignment {
    const { column } = part;
    if (part.t === 'setValue') return { column, form: 'computed', slots: [], computed: this.#value() };
    if (part.t === 'setNull') return { column, form: part.keepsJson ? 'empty' : 'null', slots: [] };
    const slots = this.#slots(part.values);
    if (part.t === 'setRaw') return { column, form: 'raw', slots, raw: part.raw };
    return { column, form: part.t === 'add' ? 'add' : 'value', slots };
  }

  // Expressions are in prefix order, so one call reads exactly one of them.
  #expression(): LogicalExpr {
    const part = this.parts[this.#at++] as Part;
    switch (part.t) {
      case 'compare':
        return { t: 'compare', target: part.target, op: part.op, slot: this.slot++ };
      case 'in':
        return { t: 'in', target: part.target, negated: part.negated, slots: this.#slots(part.values) };
      case 'inArray':
        return { t: 'inArray', target: part.target, negated: part.negated, slot: this.slot++ };
      case 'tuples': {
        const { targets, negated, values } = part;
        return { t: 'tuples', targets, negated, slots: this.#slots(values) };
      }
      case 'between':
        return { t: 'between', target: part.target, low: this.slot++, high: this.slot++ };
      case 'null':
      case 'columns':
        return part;
      case 'arrays': {
        const { op, target, other } = part;
        return { t: 'arrays', op, target, other, slot: other ? undefined : this.slot++ };
      }
      case 'junction':
        return {
          t: 'junction',
          kind: part.kind,
          operands: Array.from({ length: part.size }, () => this.#expression()),
        };
      case 'not':
        return { t: 'not', operand: this.#expression() };
      case 'raw':
        return { t: 'raw', raw: part, slots: this.#slots(part.values) };
      case 'subquery':
        return this.#subquery(part);
      case 'values':
        return { t: 'values', op: part.op, left: this.#value(), right: this.#value() };
      case 'valueIn':
        return {
          t: 'valueIn',
          value: this.#value(),
          negated: part.negated,
          list: this.#values(part.size),
        };
      case 'valueBetween':
        return { t: 'valueBetween', value: this.#value(), low: this.#value(), high: this.#value() };
      case 'valueNull':
        return { t: 'valueNull', value: this.#value(), negated: part.negated };
      case 'aggregateCompare':
        return { t: 'aggregate', aggregate: part.aggregate, op: part.op, slot: this.slot++ };
      default:
        throw fwError(ORM_ERRORS.FW_ORM_EXPRESSION, { model: '', got: part.t, expected: 'a condition' });
    }
  }

  // A value in which windows are allowed, because the rows exist at that point.
  #outerValue(model: ModelInfo): LogicalValue {
    this.#takesWindows = true;
    const value = this.#value();
    this.#takesWindows = false;
    const windows = windowsIn(value);
    const isSimple = windows.every(({ operand, partitions, orders }) =>
      [...operandsOf(operand ?? STAR), ...partitions, ...orders.map((order) => order.value)].every(isOfRow),
    );
    if (!isSimple || windows.some(isDistinct))
      throw formError(model, 'a window is over values of rows, not over aggregates, distinct ones or other windows');
    return value;
  }

  // As expressions are.
  #value(): LogicalValue {
    const part = this.parts[this.#at++] as Part;
    switch (part.t) {
      case 'column':
        return { t: 'column', target: part.target, type: typeOfColumn(part.target.info) };
      case 'parameter':
        return { t: 'parameter', slot: this.slot++, type: typeOfPart(part) };
      case 'path':
        return { t: 'path', slot: this.slot++, type: { kind: 'json' } };
      case 'call':
        return {
          t: 'call',
          name: part.name,
          operands: this.#values(part.size),
          type: typeOfPart(part),
        };
      case 'case': {
        const branches = Array.from({ length: part.size }, () => ({ when: this.#expression(), then: this.#value() }));
        return { t: 'case', branches, otherwise: part.otherwise ? this.#value() : undefined, type: typeOfPart(part) };
      }
      case 'aggregateValue': {
        const { name, distinct, ofValue } = part;
        return { t: 'aggregate', name, distinct, operand: ofValue ? this.#value() : undefined, type: typeOfPart(part) };
      }
      case 'window': {
        if (!this.#takesWindows)
          throw fwError(ORM_ERRORS.FW_ORM_EXPRESSION, {
            model: 'a query',
            got: 'a window function',
            expected: 'a value that a row has by itself (windows stand in select and orderBy)',
          });
        const operand = part.ofValue ? this.#value() : undefined;
        if (part.name === 'aggregate' && operand?.t !== 'aggregate')
          throw fwError(ORM_ERRORS.FW_ORM_EXPRESSION, {
            model: 'a window',
            got:
              operand?.t === 'list' ? 'a list of texts' : operand?.t === 'json' ? 'JSON of many rows' : 'another value',
            expected: 'an aggregate or a window function',
          });
        const partitions = this.#values(part.partitions);
        const orders = this.#orders(part.orders);
        return { t: 'window', name: part.name, operand, partitions, orders, type: typeOfPart(part) };
      }
      case 'listValue': {
        const [operand, separator] = [this.#value(), this.#value()];
        const orders = this.#orders(part.orders);
        return { t: 'list', operand, separator, orders, type: { kind: 'text' } };
      }
      case 'jsonValue': {
        const name = part.isNamed ? this.#value() : undefined;
        const operand = this.#value();
        const where = part.isSome ? this.#expression() : undefined;
        const orders = this.#orders(part.orders);
        return { t: 'json', name, operand, where, orders, type: { kind: 'json' } };
      }
      case 'orderedValue': {
        const [fraction, operand] = [this.#value(), this.#value()];
        return { t: 'ordered', name: part.name, fraction, operand, type: typeOfPart(part) };
      }
      case 'truth':
        return { t: 'truth', condition: this.#expression(), type: { kind: 'boolean' } };
      case 'collate':
        return { t: 'collate', operand: this.#value(), collation: part.collation, type: { kind: 'text' } };
      case 'scalar': {
        const select = this.#query(part);
        assertColumns(select, 1);
        const query = firstOnly(select);
        return { t: 'query', query, type: typeOfSelected(query) };
      }
      default:
        throw fwError(ORM_ERRORS.FW_ORM_EXPRESSION, { model: '', got: part.t, expected: 'a value' });
    }
  }

  #values(count: number): readonly LogicalValue[] {
    return Array.from({ length: count }, () => this.#value());
  }

  #orders(orders: InnerOrders): LogicalWindow['orders'] {
    return orders.map((order) => ({ ...order, value: this.#value() }));
  }

  #subquery({ op, target, targets, query, values, ofValue }: Part & { readonly t: 'subquery' }): LogicalExpr {
    const select = this.#query({ query, values });
    const value = ofValue ? this.#value() : undefined;
    if (op !== 'exists' && op !== 'notExists') assertColumns(select, targets?.length ?? 1);
    return { t: 'subquery', op, target, targets, value, query: select };
  }
}

// With a limit or an offset the order decides which rows are taken, so it is made unique.
const inBounds = (select: LogicalSelect): LogicalSelect =>
  select.limit || select.offset ? inPageOrder(select) : select;

const STAR: LogicalValue = { t: 'aggregate', name: 'count', distinct: false, type: { kind: 'int' } };

const windowsIn = (value: LogicalValue): readonly LogicalWindow[] =>
  value.t === 'window' ? [value] : operandsOf(value).flatMap(windowsIn);

const isOfRow = (value: LogicalValue): boolean => !isAggregate(value) && !isWindow(value);

const isDistinct = ({ operand }: LogicalWindow): boolean => operand?.t === 'aggregate' && operand.distinct;

const typeOfPart = ({ kind, column, temporal }: ValueType): ValueType => ({
  kind,
  column,
  ...(temporal && { temporal }),
});

/** Type of the values of a query that has one column. */
export function typeOfSelected({ model, projection }: LogicalSelect): ValueType {
  const [item] = projection;
  return item === undefined ? typeOfColumn(model.readable[0]) : typeOfItem(item);
}

function assertColumns(select: LogicalSelect, count: number): void {
  const { model, projection } = select;
  assertSelectable(select);
  if ((projection.length || model.readable.length) === count) return;
  const columns = count === 1 ? 'one column; name it' : `${count} columns; name them`;
  throw formError(model, `in the place of a value it needs ${columns} with select`);
}

// Takes only the first row, because databases disagree about several.
function firstOnly(select: LogicalSelect): LogicalSelect {
  if (!isGrouped(select) && select.projection.some(isAggregateItem)) return { ...select, orderBy: [] };
  const { limit } = select;
  return { ...inPageOrder(select), limit: limit && 'slot' in limit ? { ...limit, most: 1 } : { literal: 1 } };
}

// The order begins with the columns, and tells all rows apart: every database takes the same row.
function pickFirst(select: Mutable<LogicalSelect>, orderBy: LogicalOrder[], terms: DistinctOn['terms']): void {
  const { model } = select;
  const values = [...terms, ...orderBy].flatMap(({ value }) => value ?? []);
  if (!values.every(isOfRow))
    throw formError(model, 'distinctOn takes the first row in an order of what each row has by itself, which is neither an aggregate nor a window'); // prettier-ignore
  const json = terms.find(({ target }) => target?.info?.kind === 'json')?.target;
  if (json) throw formError(model, `"${json.name}" is JSON, which databases neither order nor tell apart alike`);
  const keys = new Set(terms.map(termKey));
  const first = terms.map((term): LogicalOrder => {
    const key = termKey(term);
    return orderBy.find((order) => termKey(order) === key) ?? { ...term, desc: false };
  });
  const rest = orderBy.filter((order) => !keys.has(termKey(order)));
  const order = orderWithTieBreak(select, [...first, ...rest], false);
  orderBy.splice(0, orderBy.length, ...order);
  select.distinctOn = { terms, order };
}

const termKey = ({ target, value }: Pick<LogicalOrder, 'target' | 'value'>): string =>
  target ? targetKey(target) : formOf(value as LogicalValue);

function lateOrder(model: ModelInfo): never {
  throw formError(model, 'orderBy stands before after and before: a cursor belongs to an order');
}

/** All of them, or undefined for none. */
export function conjunction(operands: readonly LogicalExpr[]): LogicalExpr | undefined {
  return operands.length <= 1 ? operands[0] : { t: 'junction', kind: 'and', operands };
}
