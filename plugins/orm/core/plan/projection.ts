import type { ColumnKind } from '../model/kinds.js';
import type { ColumnInfo } from '../model/model-info.js';
import { formError } from './form-error.js';
import type { LogicalSelect, LogicalValue, Projection } from './logical.js';
import type { AggregatePart, ColumnTarget, ValueType } from './parts.js';
import { formOf, structureOf } from './rewrite.js';
import { targetKey } from './steps.js';
import { columnsIn, conditionsUnder, isAggregate, isOfGroup, isWindow, targetsIn, valuesIn } from './values.js';

/** Name of a selected item in the rows. */
export function nameOf(item: Projection, at: number): string {
  if (item.t === 'aggregate') return item.aggregate.alias;
  if (item.alias !== undefined) return item.alias;
  if (item.t === 'column') return item.target.info?.property ?? item.target.name;
  if (item.t === 'one' || item.t === 'value') return `column${at + 1}`;
  return /^[\w.]+$/.test(item.sql) ? (item.sql.split('.').at(-1) as string) : `column${at + 1}`;
}

/** Names and types of what a select gives, in order. */
export const itemsOf = ({ projection, model }: LogicalSelect): readonly (ValueType & { readonly name: string })[] =>
  projection.length > 0
    ? projection.map((item, at) => ({ ...typeOfItem(item), name: nameOf(item, at) }))
    : model.readable.map((column) => ({ ...typeOfColumn(column), name: column.property }));

/** A kind, or the one that holds all of its values. */
export const familyOf = (kind: ColumnKind): ColumnKind => (kind === 'string' || kind === 'enum' ? 'text' : kind);

/** Whether a select gives one row for each group of rows. */
export const isGrouped = ({ groupBy, groupValues }: LogicalSelect): boolean =>
  groupBy.length > 0 || groupValues !== undefined;

/** Whether a selected item is over the rows of a group, or of all rows. */
export const isAggregateItem = (item: Projection): boolean =>
  item.t === 'aggregate' || (item.t === 'value' && isAggregate(item.value));

/** Whether something that is selected or ordered by is over the rows that belong to each row. */
export const hasWindow = ({ projection, orderBy }: LogicalSelect): boolean =>
  projection.some((item) => item.t === 'value' && isWindow(item.value)) ||
  orderBy.some(({ value }) => value !== undefined && isWindow(value));

/** Type of a column's values. */
export const typeOfColumn = (column: ColumnInfo | undefined): ValueType =>
  column === undefined
    ? { kind: 'any' }
    : { kind: column.kind, column, ...(column.definition.temporal && { temporal: column.definition.temporal }) };

/** Type of a selected item's values. */
export function typeOfItem(item: Projection): ValueType {
  switch (item.t) {
    case 'raw':
    case 'one':
      return { kind: 'any' };
    case 'value':
      return item.value.type;
    case 'column':
      return typeOfColumn(item.target.info);
    case 'aggregate':
      return typeOfAggregate(item.aggregate);
  }
}

function typeOfAggregate({ name, target }: AggregatePart): ValueType {
  const type = typeOfColumn(target?.info);
  if (name === 'count') return { kind: 'int' };
  if (name === 'avg') return { kind: 'float' };
  // Only an enum of numbers has a sum; the servers give it as the text of a longer number, as they do for integers.
  const isLong = name === 'sum' && (type.kind === 'int' || type.kind === 'enum');
  return isLong ? { ...type, kind: 'float' } : type;
}

/**
 * Refuses a select that databases read differently: of two items under one name, or with columns that have several values in
 * a group, or an order that distinct rows do not have.
 *
 * @throws FwError `FW_ORM_QUERY_FORM`
 */
export function assertSelectable(select: LogicalSelect): void {
  const { projection, distinct } = select;
  // Of combined queries each is looked at by itself.
  if (select.sets) return;
  if (projection.length > 1) assertDistinctNames(select);
  assertNoJson(select);
  if (isGrouped(select) || select.having || projection.some(isAggregateItem)) assertGrouped(select);
  if (select.distinctOn && (distinct || isGrouped(select) || projection.some(isAggregateItem)))
    throw formError(
      select.model,
      'distinctOn takes rows, and goes together with neither distinct, groups nor aggregates',
    );
  if (distinct) assertDistinctOrder(select);
}

function assertDistinctNames({ model, projection }: LogicalSelect): void {
  const seen = new Map<string, string>();
  for (const [at, item] of projection.entries()) {
    const [name, content] = [nameOf(item, at), contentOf(item)];
    if ((seen.get(name) ?? content) !== content)
      throw formError(model, `two of the selected items are called "${name}"; give one another name with as`);
    seen.set(name, content);
  }
}

function assertNoJson({ model, projection, groupBy, groupValues = [], orderBy, distinct }: LogicalSelect): void {
  const selected = distinct ? projection.flatMap((item) => (item.t === 'column' ? [item.target] : [])) : [];
  const computed = distinct ? projection.flatMap((item) => (item.t === 'value' ? [item.value] : [])) : [];
  const values = [...groupValues, ...orderBy.flatMap(({ value }) => value ?? []), ...computed];
  const targets = [
    ...groupBy,
    ...orderBy.flatMap(({ target }) => target ?? []),
    ...selected,
    ...values.flatMap((value) => (value.t === 'column' ? [value.target] : [])),
  ];
  if (values.some(({ t, type }) => t !== 'column' && type.kind === 'json'))
    throw formError(model, 'databases neither order JSON nor tell it apart alike, also what stands in it');
  const json = targets.find(({ info }) => info?.kind === 'json');
  if (json) throw formError(model, `"${wordOf(json)}" is JSON, which databases neither order nor tell apart alike`);
}

function contentOf(item: Projection): string {
  if (item.t === 'one') return item.t;
  if (item.t === 'value') return `value ${structureOf(item.value)}`;
  if (item.t === 'raw') return `raw ${item.sql}`;
  if (item.t === 'column') return `column ${targetKey(item.target)}`;
  const { name, target, distinct } = item.aggregate;
  return `${name} ${distinct} ${target ? targetKey(target) : '*'}`;
}

// A column has one value in a group when the group is made by it, or by the primary key of its table.
function assertGrouped(select: LogicalSelect): void {
  if (hasWindow(select))
    throw formError(select.model, 'a window is over rows, and its query has groups or an aggregate');
  const { model, projection, orderBy, having } = select;
  const grouped = new Set(select.groupBy.map((target) => placeOf(target, select)?.key));
  const hasOneValue = (target: ColumnTarget): boolean => {
    const place = placeOf(target, select);
    if (place === undefined || grouped.has(place.key)) return true;
    const keys = place.model?.primaryKey ?? [];
    return keys.length > 0 && keys.every(({ name }) => grouped.has(`${place.table}.${name}`));
  };
  const forms = new Set(select.groupValues?.map(formOf));
  const looseIn = (value: LogicalValue) => columnsIn(value, (each) => isOfGroup(each) || forms.has(formOf(each)));
  const selected: readonly ColumnTarget[] =
    projection.length > 0
      ? projection.flatMap((item) =>
          item.t === 'column' ? [item.target] : item.t === 'value' ? looseIn(item.value) : [],
        )
      : model.readable.map((info) => ({ name: info.name, info }));
  const loose = selected.find((target) => !hasOneValue(target));
  if (loose) throw formError(model, `"${wordOf(loose)}" is selected, but neither grouped by nor an aggregate`);
  const ordered = orderBy.flatMap(({ target, value }) => target ?? (value ? looseIn(value) : []));
  const order = ordered.find((target) => !hasOneValue(target));
  if (order) throw formError(model, `groups are ordered by "${wordOf(order)}", which they are not made by`);
  const named = having ? conditionsUnder(having).flatMap((expr) => [...targetsIn(expr), ...valuesIn(expr).flatMap(looseIn)]) : []; // prettier-ignore
  const kept = named.find((target) => !hasOneValue(target));
  if (kept) throw formError(model, `groups are kept by "${wordOf(kept)}", which they are not made by; compare an aggregate of it, or say it in where`); // prettier-ignore
}

function assertDistinctOrder(select: LogicalSelect): void {
  const { model, projection, orderBy } = select;
  if (projection.some(({ t }) => t === 'raw')) return;
  const keys = new Set(projection.map((item) => (item.t === 'column' ? placeOf(item.target, select)?.key : undefined)));
  const forms = new Set(projection.flatMap((item) => (item.t === 'value' ? [formOf(item.value)] : [])));
  if (orderBy.some(({ value }) => value && !forms.has(formOf(value))))
    throw formError(model, 'distinct rows are ordered by what is selected, and an expression of the order is not');
  const unselected = orderBy.find(({ target }) => {
    if (target === undefined) return false;
    const place = placeOf(target, select);
    return place && (projection.length > 0 ? !keys.has(place.key) : place.table !== (select.alias ?? model.table));
  });
  if (unselected?.target)
    throw formError(model, `distinct rows are ordered by what is selected, and "${wordOf(unselected.target)}" is not`);
}

/** Table (or alias) and name of a column; undefined for the name of a selected item and for a column of the query around. */
function placeOf({ info, qualifier, name }: ColumnTarget, { model, joins, alias: own = model.table }: LogicalSelect) {
  if (info === undefined && qualifier === undefined) return undefined;
  const join = joins.find(({ alias, model: joined }) =>
    qualifier === undefined ? joined === info?.model : alias === qualifier,
  );
  const isOwn = qualifier === undefined ? info?.model === model : qualifier === own;
  if (!isOwn && join === undefined) return undefined;
  const [table, of] = isOwn || join === undefined ? [own, model] : [join.alias, join.model ?? info?.model];
  const column = info?.name ?? of?.find(name)?.name ?? name;
  return { table, model: of, key: `${table}.${column}` };
}

/** What a column is called in messages. */
export const wordOf = ({ info, qualifier, name }: ColumnTarget): string =>
  [qualifier, info?.property ?? name].filter(Boolean).join('.');
