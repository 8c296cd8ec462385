import { typeInWords, type ColumnKind } from '../model/kinds.js';
import type { TemporalValue } from '../model/temporal.js';
import type { Part, ValueType } from '../plan/parts.js';
import type { AggregateWhere } from './aggregates.js';
import { expressionOf } from './conditions.js';
import { appendOperand, operandRefusal, typeOf, type FromOf, type ValueOf } from './operand.js';
import type { OrderedBy, OrderExpression } from './order.js';
import type { CountedOf, Known, LookedAt, Read } from './reach.js';
import { textOperand, type TextOperand } from './text.js';
import { call, ValueExpression, type ValueOrder } from './value.js';
import { innerOrder } from './windows.js';

/** What a value is in JSON: a moment is its text in ISO 8601, a `bigint` its digits as text; a `Decimal` and others are as they are. */
export type InJson<Value> = Value extends Date | bigint | TemporalValue ? string : Value;

// A join may find no row of a table that has a name of its own.
type OfMember<Item> = InJson<ValueOf<Item>> | (FromOf<Item> extends Read<infer From, unknown> ? Missed<From> : never);
type Missed<From> = [From] extends [never] ? never : From extends string ? null : never;

/** What {@link jsonObject} makes of its members. */
export type JsonObjectOf<Members> = { -readonly [Key in keyof Members]: OfMember<Members[Key]> };

/** Which rows JSON is made of, and in what order. */
export interface JsonListOf<Reads = unknown, Term = OrderExpression | ValueOrder> extends AggregateWhere<Reads> {
  /** The order of its elements; that of the database when left out. */
  readonly orderBy?: readonly Term[];
}

/**
 * An object of JSON with columns, computed values and plain ones as its members (`json_build_object`, `JSON_OBJECT`), for `select` and
 * for {@link jsonAgg}. A member of another object or list is one of `jsonObject` or `jsonAgg`. Not on SQL Server.
 *
 * @throws FwError `FW_ORM_VALUE` for bytes, for lists of what is a text in JSON, and for what is of no known type
 * @example model(db, Order).select('id', jsonObject({ number: order.number, total: order.total }).as('facts'))
 */
export function jsonObject<Members extends Readonly<Record<string, unknown>>>(
  members: Members,
): ValueExpression<JsonObjectOf<Members>, LookedAt<FromOf<Members[keyof Members]>>> {
  const operands = Object.entries(members).flatMap(([name, operand]) => [
    { operand: name, type: TEXT },
    { operand, type: memberType(operand) },
  ]);
  return call('jsonObject', operands, JSON_TYPE);
}

/**
 * The values of many rows as a list of JSON (`json_agg`, `JSON_ARRAYAGG`), null among them; an empty list without any. Not on SQL Server.
 *
 * @throws FwError as {@link jsonObject} does, and `FW_ORM_EXPRESSION` for what is no order
 * @example
 * const lines = model(db, Line).where(line.orderId.eq(order.id));
 * const list = jsonAgg(jsonObject({ id: line.id, price: line.price }), { orderBy: [line.id.asc()] });
 * await model(db, Order).select('id', scalar(lines.select(list.as('list'))).as('lines')).find();
 */
export function jsonAgg<const Item, Reads = never, Term extends OrderExpression | ValueOrder = never>(
  item: Item,
  of: JsonListOf<Reads, Term> = {},
): ValueExpression<OfMember<Item>[], CountedOf<FromOf<Item> | Known<Reads> | OrderedBy<Term>>> {
  return jsonOfRows(undefined, item, of);
}

/**
 * An object of JSON with a member for each row (`json_object_agg`, `JSON_OBJECTAGG`); an empty one without any. A row whose name is null
 * is left out, and of equal names the last one in the order is taken. Not on SQL Server.
 *
 * @throws FwError as {@link jsonAgg} does, and `FW_ORM_VALUE` for a name that is no text: `cast(value, 'text')` makes one
 * @example model(db, Setting).select('userId', jsonObjectAgg(setting.name, setting.value).as('settings')).groupBy('userId')
 */
export function jsonObjectAgg<const Name, const Item, Reads = never, Term extends OrderExpression | ValueOrder = never>(
  name: Name & TextOperand<Name>,
  item: Item,
  of: JsonListOf<Reads, Term> = {},
): ValueExpression<
  Record<string, OfMember<Item>>,
  CountedOf<FromOf<Name> | FromOf<Item> | Known<Reads> | OrderedBy<Term>>
> {
  return jsonOfRows(name, item, of);
}

const TEXT: ValueType = { kind: 'text' };
const JSON_TYPE: ValueType = { kind: 'json' };

function jsonOfRows<Value, From>(
  name: unknown,
  item: unknown,
  { where, orderBy = [] }: JsonListOf,
): ValueExpression<Value, From> {
  const key = name === undefined ? undefined : textOperand(name);
  const type = memberType(item);
  const order = innerOrder(orderBy);
  const [isNamed, isSome] = [key !== undefined, where !== undefined];
  const part: Part = { t: 'jsonValue', isNamed, isSome, orders: order.terms, values: 0 };
  return new ValueExpression(JSON_TYPE, (sink) => {
    sink.part(`json:${isNamed}:${isSome}:${order.key}`, part);
    if (key) appendOperand(sink, key.operand, key.type);
    appendOperand(sink, item, type);
    if (where) expressionOf(where, sink.model).appendTo(sink);
    order.append(sink);
  });
}

// Elements of arrays that databases with arrays and those without write alike in JSON.
const ELEMENTS: ReadonlySet<ColumnKind | undefined> = new Set<ColumnKind>(['int', 'float', 'string', 'text', 'boolean', 'uuid', 'enum', 'json', 'plainDate']); // prettier-ignore

function memberType(item: unknown): ValueType {
  if (item === null) return TEXT;
  const type = typeOf(item);
  const { kind, column } = type;
  if (kind === 'array' && ELEMENTS.has(column?.definition.element)) return type;
  if (kind !== 'array' && kind !== 'bytes' && kind !== 'any') return type;
  const expected =
    'a text, a number, a boolean, a moment, a day, JSON, or a list of them but of moments, bigints and decimals';
  throw operandRefusal(expected, column ? `"${column.property}" of kind ${kind}` : typeInWords(item), 'member of JSON');
}
