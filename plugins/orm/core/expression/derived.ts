import { alias as aliasOf, declaredName } from '../model/identifiers.js';
import type { ColumnDefinition, ModelClass } from '../model/model-definition.js';
import { ModelInfo, type ColumnInfo } from '../model/model-info.js';
import { formError } from '../plan/form-error.js';
import type { LogicalSelect, Projection } from '../plan/logical.js';
import type { SetOp, SourcePart } from '../plan/parts.js';
import { familyOf, itemsOf, nameOf, typeOfItem } from '../plan/projection.js';
import { readShape } from '../plan/read-shape.js';
import { serialOf } from '../plan/serial.js';
import type { Shape } from '../plan/shape.js';
import { outputOf } from '../plan/sources.js';
import { assertBoolean } from '../session/checked-options.js';
import { Column } from './column.js';
import type { BegunRow } from './loose.js';
import type { Sound } from './reach.js';
import type { Subselect } from './subquery.js';

/** A query of which the rows are known. */
export type Rows<Row> = Subselect & Sound & { readonly result: Row };

/** The columns of a query that stands for a table. */
export type DerivedColumns<Row, Name extends string> = {
  readonly [Key in keyof Row & string]: Column<object, Key, Row[Key], Name>;
};

/** A query in the place of a table, for joins and for `from`. Immutable. */
export class Derived<out Row, out Name extends string> {
  /** Exists only in types. */
  declare readonly row: Row;
  readonly columns: DerivedColumns<Row, Name>;

  /** @internal */
  constructor(
    readonly name: Name,
    /** Model of its columns. */
    readonly model: ModelInfo,
    readonly part: SourcePart,
    readonly values: readonly unknown[],
  ) {
    const columns = model.columns.map((info) => [info.property, new Column(info, name)]);
    this.columns = Object.freeze(Object.fromEntries(columns)) as DerivedColumns<Row, Name>;
  }

  /** Its key in a shape. */
  get key(): string {
    const { name, named, materialized, query, step } = this.part;
    // What is read in its own step has no query yet, and is told from another of that name by its columns.
    return `${name}:${named}:${materialized ?? ''}:${serialOf(query ?? this.model)}:${step ? `${step.op}${serialOf(step.query)}` : ''}`;
  }
}

/**
 * The rows of a query as a table (`FROM (SELECT ...) AS name`), for `innerJoin`, `leftJoin` and their kin, and for `from`. Each selected
 * item has a name of its own.
 *
 * @throws FwError `FW_ORM_IDENTIFIER`, `FW_ORM_QUERY_FORM`
 * @example
 * const spent = derived('spent', model(db, Order).select('customerId', sum(order.total).as('total')).groupBy('customerId'));
 * await model(db, Customer).innerJoin(spent, spent.columns.customerId.eq(customer.id)).select('name', spent.columns.total).find();
 */
export function derived<Row, const Name extends string>(name: Name, query: Rows<Row>): Derived<Row, Name> {
  return sourceOf(name, query, false);
}

/**
 * As {@link derived}, named once at the beginning of the statement (`WITH name AS (...)`), and read as often as it is joined.
 *
 * @param options - `materialized`: whether the database computes it by itself, or as a part of what reads it (`MATERIALIZED`, `NOT
 *   MATERIALIZED` on PostgreSQL and SQLite; others decide that themselves, and it never changes the rows)
 * @throws FwError `FW_ORM_IDENTIFIER`, `FW_ORM_QUERY_FORM`, `FW_ORM_OPTIONS`
 */
export function cte<Row, const Name extends string>(
  name: Name,
  query: Rows<Row>,
  { materialized }: { readonly materialized?: boolean } = {},
): Derived<Row, Name> {
  if (materialized === undefined) return sourceOf(name, query, true);
  assertBoolean('materialized', materialized);
  const { model, part, values } = sourceOf(name, query, true);
  return new Derived(name, model, { ...part, materialized }, values);
}

/**
 * Rows that lead to further rows (`WITH RECURSIVE`): those of the first query, then those that `step` makes of the rows before, until
 * there are none.
 *
 * @param step - gets the rows so far, to be joined; selects the same names of the same types
 * @param options - `distinct`: each row once, which ends circles too. Default false
 * @throws FwError `FW_ORM_IDENTIFIER`, `FW_ORM_QUERY_FORM`, `FW_ORM_OPTIONS`
 * @example
 * const tree = recursive('tree', model(db, Folder).where({ id: 1 }).select('id'), (rows) =>
 *   model(db, Folder).innerJoin(rows, rows.columns.id.eq(folder.parentId)).select('id'));
 * await from(db, tree).find();
 */
export function recursive<Row, const Name extends string>(
  name: Name,
  first: Rows<Row>,
  step: (rows: Derived<BegunRow<Row>, Name>) => Rows<BegunRow<Row>>,
  { distinct = false }: { readonly distinct?: boolean } = {},
): Derived<BegunRow<Row>, Name> {
  assertBoolean('distinct', distinct);
  const { model, part, values } = sourceOf(name, first, true);
  const further = step(new Derived<BegunRow<Row>, Name>(name, model, { name, named: true }, []));
  assertStep(first.shape, further.shape);
  const op: SetOp = distinct ? 'union' : 'unionAll';
  const made: SourcePart = { ...part, step: { op, query: further.shape } };
  return new Derived(name, model, made, [...values, ...further.values()]);
}

function sourceOf<Row, Name extends string>(name: Name, query: Rows<Row>, named: boolean): Derived<Row, Name> {
  aliasOf(name);
  const { shape } = query;
  return new Derived(name, modelOf(name, shape), { name, named, query: shape }, query.values());
}

const models = new WeakMap<Shape, Map<string, ModelInfo>>();

function modelOf(name: string, shape: Shape): ModelInfo {
  const known = models.get(shape) ?? new Map<string, ModelInfo>();
  models.set(shape, known);
  const found = known.get(name);
  if (found !== undefined) return found;
  const made = madeOf(name, readShape(shape, 'largest').select);
  known.set(name, made);
  return made;
}

function madeOf(name: string, { projection, model }: LogicalSelect): ModelInfo {
  const columns =
    projection.length > 0
      ? projection.map((item, at) => columnOf(item, at, model))
      : model.readable.map((info) => likeColumn(info, info.property, info.name));
  const target = { [name]: class {} }[name] as ModelClass;
  return new ModelInfo(target, { name, table: name, columns, derived: true });
}

function columnOf(item: Projection, at: number, model: ModelInfo): ColumnDefinition {
  const property = nameOf(item, at);
  if (item.t === 'one' || (item.t === 'raw' && item.alias === undefined))
    throw formError(model, `column ${at + 1} of a query that stands for a table has no name; give it one with as`);
  const column = declaredName(outputOf(item, at));
  const { kind, column: info, temporal } = typeOfItem(item);
  const isColumn = item.t === 'column' && info !== undefined;
  if (isColumn) return likeColumn(info, property, column);
  const held = info && { element: info.definition.element, values: info.definition.values };
  return { property, column, kind, nullable: true, computed: true, ...defined(held), ...defined({ temporal }) };
}

// Copies the value type of a column, without properties of its table such as defaults and keys.
function likeColumn({ definition, kind }: ColumnInfo, property: string, column: string): ColumnDefinition {
  const { temporal, element, values, enumAs, format, precision, scale, sqlType, json, writeOnly, computed } =
    definition;
  const held = { temporal, element, values, enumAs, format, precision, scale, sqlType, json, writeOnly, computed };
  return { property, column, kind, nullable: true, ...defined(held) };
}

const defined = <Item extends object>(item: Item | undefined) =>
  Object.fromEntries(Object.entries(item ?? {}).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Item]?: NonNullable<Item[Key]>;
  };

function assertStep(first: Shape, further: Shape): void {
  const [one, other] = [first, further].map((shape) => readShape(shape, 'largest').select) as [LogicalSelect, LogicalSelect]; // prettier-ignore
  const { model } = other;
  for (const { orderBy, limit, offset, sets, distinct, distinctOn, groupBy, groupValues, having } of [one, other]) {
    const extra = [limit ?? offset, sets, distinctOn, groupValues, having].some((part) => part !== undefined);
    if (extra || distinct || orderBy.length > 0 || groupBy.length > 0)
      throw formError(model, 'what is recursive takes neither order, limit, groups, distinct nor unions; say them of its rows'); // prettier-ignore
  }
  if (formOf(one) !== formOf(other))
    throw formError(model, 'the step of what is recursive selects the same names of the same kinds in the same order');
}

const formOf = (select: LogicalSelect): string =>
  itemsOf(select)
    .map(({ name, kind, temporal = '' }) => `${name}:${familyOf(kind)}${temporal}`)
    .join();
