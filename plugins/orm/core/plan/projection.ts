import { formError } from './form-error.js';
import type { LogicalSelect, Projection } from './logical.js';
import type { ColumnTarget } from './parts.js';
import { targetKey } from './steps.js';

/** Name of a selected item in the rows. */
export function nameOf(item: Projection, at: number): string {
  if (item.t === 'aggregate') return item.aggregate.alias;
  if (item.alias !== undefined) return item.alias;
  if (item.t === 'column') return item.target.info?.property ?? item.target.name;
  if (item.t === 'one') return `column${at + 1}`;
  return /^[\w.]+$/.test(item.sql) ? (item.sql.split('.').at(-1) as string) : `column${at + 1}`;
}

/**
 * Refuses a select that databases read differently: of two items under one name, or with columns that have several values in
 * a group, or an order that distinct rows do not have.
 *
 * @throws FwError `FW_ORM_QUERY_FORM`
 */
export function assertSelectable(select: LogicalSelect): void {
  const { projection, groupBy, distinct } = select;
  if (projection.length > 1) assertDistinctNames(select);
  assertNoJson(select);
  if (groupBy.length > 0 || select.having || projection.some(({ t }) => t === 'aggregate')) assertGrouped(select);
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

function assertNoJson({ model, projection, groupBy, orderBy, distinct }: LogicalSelect): void {
  const selected = distinct ? projection.flatMap((item) => (item.t === 'column' ? [item.target] : [])) : [];
  const targets = [...groupBy, ...orderBy.map(({ target }) => target), ...selected];
  const json = targets.find(({ info }) => info?.kind === 'json');
  if (json) throw formError(model, `"${wordOf(json)}" is JSON, which databases neither order nor tell apart alike`);
}

function contentOf(item: Projection): string {
  if (item.t === 'one') return item.t;
  if (item.t === 'raw') return `raw ${item.sql}`;
  if (item.t === 'column') return `column ${targetKey(item.target)}`;
  const { name, target, distinct } = item.aggregate;
  return `${name} ${distinct} ${target ? targetKey(target) : '*'}`;
}

// A column has one value in a group when the group is made by it, or by the primary key of its table.
function assertGrouped(select: LogicalSelect): void {
  const { model, projection, orderBy } = select;
  const grouped = new Set(select.groupBy.map((target) => placeOf(target, select)?.key));
  const hasOneValue = (target: ColumnTarget): boolean => {
    const place = placeOf(target, select);
    if (place === undefined || grouped.has(place.key)) return true;
    const keys = place.model?.primaryKey ?? [];
    return keys.length > 0 && keys.every(({ name }) => grouped.has(`${place.table}.${name}`));
  };
  const selected: readonly ColumnTarget[] =
    projection.length > 0
      ? projection.flatMap((item) => (item.t === 'column' ? [item.target] : []))
      : model.readable.map((info) => ({ name: info.name, info }));
  const loose = selected.find((target) => !hasOneValue(target));
  if (loose) throw formError(model, `"${wordOf(loose)}" is selected, but neither grouped by nor an aggregate`);
  const order = orderBy.find(({ target }) => !hasOneValue(target));
  if (order) throw formError(model, `groups are ordered by "${wordOf(order.target)}", which they are not made by`);
}

function assertDistinctOrder(select: LogicalSelect): void {
  const { model, projection, orderBy } = select;
  if (projection.some(({ t }) => t === 'raw')) return;
  const keys = new Set(projection.map((item) => (item.t === 'column' ? placeOf(item.target, select)?.key : undefined)));
  const unselected = orderBy.find(({ target }) => {
    const place = placeOf(target, select);
    return place && (projection.length > 0 ? !keys.has(place.key) : place.table !== model.table);
  });
  if (unselected)
    throw formError(model, `distinct rows are ordered by what is selected, and "${wordOf(unselected.target)}" is not`);
}

/** Table (or alias) and name of a column; undefined for the name of a selected item and for a column of the query around. */
function placeOf({ info, qualifier, name }: ColumnTarget, { model, joins }: LogicalSelect) {
  if (info === undefined && qualifier === undefined) return undefined;
  const join = joins.find(({ alias, model: joined }) =>
    qualifier === undefined ? joined === info?.model : alias === qualifier,
  );
  const isOwn = qualifier === undefined ? info?.model === model : qualifier === model.table;
  if (!isOwn && join === undefined) return undefined;
  const [table, of] = isOwn || join === undefined ? [model.table, model] : [join.alias, join.model ?? info?.model];
  const column = info?.name ?? of?.find(name)?.name ?? name;
  return { table, model: of, key: `${table}.${column}` };
}

const wordOf = ({ info, qualifier, name }: ColumnTarget): string =>
  [qualifier, info?.property ?? name].filter(Boolean).join('.');
