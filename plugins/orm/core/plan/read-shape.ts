import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { NullsSort } from '../dialect/dialect.js';
import type { ModelInfo } from '../model/model-info.js';
import { withJoinedColumns } from './joined-columns.js';
import { formError } from './form-error.js';
import { assertPageable, keysetCondition, orderWithTieBreak, type CursorShape } from './keyset.js';
import type {
  Bound,
  LogicalAssignment,
  LogicalExpr,
  LogicalJoin,
  LogicalOrder,
  LogicalSelect,
  LogicalValue,
  Projection,
  Slot,
} from './logical.js';
import type { ColumnTarget, JoinPart, Part, RawPart, ValueType } from './parts.js';
import { assertSelectable, typeOfItem } from './projection.js';
import type { Shape } from './shape.js';

/** What the parts of a shape say, before it is known what the query is finished with. */
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
    const select: Mutable<LogicalSelect> = { kind: 'select', model, distinct: false, ...lists };
    let after: (CursorShape & { readonly before: boolean }) | undefined;
    while (this.#at < this.parts.length) {
      const part = this.parts[this.#at] as Part;
      switch (part.t) {
        case 'select':
          lists.projection.push({ t: 'column', target: part.target, alias: part.alias });
          break;
        case 'selectRaw':
          lists.projection.push({ t: 'raw', sql: part.sql, alias: part.alias });
          break;
        case 'aggregate':
          lists.projection.push({ t: 'aggregate', aggregate: part });
          break;
        case 'distinct':
          select.distinct = true;
          break;
        case 'lock':
          select.lock = part.mode;
          break;
        case 'scope':
          select.deleted = part.deleted;
          break;
        case 'key':
          select.key = part.target;
          break;
        case 'perGroup':
          select.perGroup = { targets: part.targets, limit: this.#bound() };
          break;
        case 'order':
          lists.orderBy.push(after ? lateOrder(model) : part);
          break;
        case 'orderValue': {
          if (after) lateOrder(model);
          this.#at++;
          const { desc, nulls } = part;
          lists.orderBy.push({ value: this.#value(), desc, nulls });
          continue;
        }
        case 'selectValue':
          this.#at++;
          lists.projection.push({ t: 'value', value: this.#value(), alias: part.alias });
          continue;
        case 'groupValue':
          this.#at++;
          groupValues.push(this.#value());
          continue;
        case 'setValue':
          this.#at++;
          assignments.push({ column: part.column, form: 'computed', slots: [], computed: this.#value() });
          continue;
        case 'group':
          lists.groupBy.push(part.target);
          break;
        case 'limit':
        case 'offset':
          select[part.t] = this.#bound();
          break;
        case 'after':
          after = { before: part.before, nulls: part.nulls, slots: this.#slots(part.values) };
          break;
        case 'join':
          this.#at++;
          lists.joins.push(this.#join(part));
          continue;
        case 'having':
          this.#at++;
          having.push(this.#expression());
          continue;
        case 'set':
        case 'setNull':
        case 'add':
        case 'setRaw':
          assignments.push(this.#assignment(part));
          break;
        default:
          where.push(this.#expression());
          continue;
      }
      this.#at++;
    }
    if (after) where.push(...this.#behindCursor(select, lists.orderBy, after));
    select.where = conjunction(where);
    select.having = conjunction(having);
    if (groupValues.length > 0) select.groupValues = groupValues;
    return { select: withJoinedColumns(select), assignments };
  }

  // Completes the order too: it must tell all rows apart.
  #behindCursor(
    select: LogicalSelect,
    orderBy: LogicalOrder[],
    after: CursorShape & { readonly before: boolean },
  ): readonly LogicalExpr[] {
    assertPageable(select);
    orderBy.splice(0, orderBy.length, ...orderWithTieBreak(select.model, orderBy, after.before));
    return after.nulls === '' ? [] : [keysetCondition(orderBy, after, this.nullsSort)];
  }

  #bound(): Bound {
    return { slot: this.slot++ };
  }

  #slots(count: number): Slot[] {
    return Array.from({ length: count }, () => this.slot++);
  }

  #join({ kind, table, alias, model }: JoinPart): LogicalJoin {
    return { kind, table, alias, model, on: kind === 'cross' ? undefined : this.#expression() };
  }

  #assignment(part: Part & { readonly t: 'set' | 'setNull' | 'add' | 'setRaw' }): LogicalAssignment {
    const { column } = part;
    if (part.t === 'setNull') return { column, form: 'null', slots: [] };
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
      case 'between':
        return { t: 'between', target: part.target, low: this.slot++, high: this.slot++ };
      case 'null':
      case 'columns':
        return part;
      case 'junction':
        return {
          t: 'junction',
          kind: part.kind,
          operands: Array.from({ length: part.size }, () => this.#expression()),
        };
      case 'not':
        return { t: 'not', operand: this.#expression() };
      case 'raw':
        return this.#raw(part);
      case 'subquery':
        return this.#subquery(part);
      case 'values':
        return { t: 'values', op: part.op, left: this.#value(), right: this.#value() };
      case 'valueIn':
        return {
          t: 'valueIn',
          value: this.#value(),
          negated: part.negated,
          list: Array.from({ length: part.size }, () => this.#value()),
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

  // As expressions are.
  #value(): LogicalValue {
    const part = this.parts[this.#at++] as Part;
    switch (part.t) {
      case 'column':
        return { t: 'column', target: part.target, type: typeOfTarget(part.target) };
      case 'parameter':
        return { t: 'parameter', slot: this.slot++, type: { kind: part.kind } };
      case 'path':
        return { t: 'path', slot: this.slot++, type: { kind: 'json' } };
      case 'call':
        return {
          t: 'call',
          name: part.name,
          operands: Array.from({ length: part.size }, () => this.#value()),
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
      case 'scalar': {
        const query = this.#oneColumn(part);
        return { t: 'query', query, type: typeOfSelected(query) };
      }
      default:
        throw fwError(ORM_ERRORS.FW_ORM_EXPRESSION, { model: '', got: part.t, expected: 'a value' });
    }
  }

  #oneColumn({ query, values }: { readonly query: Shape; readonly values: number }): LogicalSelect {
    const { select } = readShape(query, this.nullsSort, this.slot);
    this.slot += values;
    assertOneColumn(select);
    return select;
  }

  #raw(raw: RawPart): LogicalExpr {
    return { t: 'raw', raw, slots: this.#slots(raw.values) };
  }

  #subquery({ op, target, query, values }: Part & { readonly t: 'subquery' }): LogicalExpr {
    const { select } = readShape(query, this.nullsSort, this.slot);
    this.slot += values;
    if (op !== 'exists' && op !== 'notExists') assertOneColumn(select);
    return { t: 'subquery', op, target, query: select };
  }
}

const typeOfPart = ({ kind, column }: ValueType): ValueType => ({ kind, column });

const typeOfTarget = ({ info }: ColumnTarget): ValueType =>
  info === undefined ? { kind: 'any' } : { kind: info.kind, column: info };

/** Type of the values of a query that has one column. */
export function typeOfSelected({ model, projection }: LogicalSelect): ValueType {
  const [item] = projection;
  if (item === undefined) return typeOfTarget({ name: '', info: model.readable[0] });
  return typeOfItem(item);
}

function assertOneColumn(select: LogicalSelect): void {
  const { model, projection } = select;
  assertSelectable(select);
  if ((projection.length || model.readable.length) === 1) return;
  throw formError(model, 'in the place of a value it needs one column; name it with select');
}

function lateOrder(model: ModelInfo): never {
  throw formError(model, 'orderBy stands before after and before: a cursor belongs to an order');
}

/** All of them, or undefined for none. */
export function conjunction(operands: readonly LogicalExpr[]): LogicalExpr | undefined {
  return operands.length <= 1 ? operands[0] : { t: 'junction', kind: 'and', operands };
}
