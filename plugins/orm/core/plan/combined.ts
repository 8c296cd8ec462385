import { formError } from './form-error.js';
import type { LogicalSelect } from './logical.js';
import type { Part, SetOp } from './parts.js';
import { assertSelectable, familyOf, itemsOf } from './projection.js';

const ALLOWED_BEHIND: ReadonlySet<Part['t']> = new Set(['combine', 'order', 'orderValue', 'limit', 'offset', 'scope']);

/**
 * Refuses parts of a query on the wrong side of a union: parts of the first query come before it, parts about all rows after it.
 *
 * @throws FwError `FW_ORM_QUERY_FORM`
 */
export function assertPlaces(select: LogicalSelect, parts: readonly Part[]): void {
  const first = parts.findIndex(({ t }) => t === 'combine');
  const before = parts
    .slice(0, first)
    .find(({ t }) => t === 'order' || t === 'orderValue' || t === 'limit' || t === 'offset');
  if (before)
    throw formError(select.model, 'orderBy, limit and offset are of all rows, and stand behind union and its kin');
  const isCondition = (at: number): boolean => at > first && !ALLOWED_BEHIND.has((parts[at] as Part).t);
  // What an expression of the order is made of stands behind it.
  const value = parts.findIndex(({ t }, at) => at > first && t === 'orderValue');
  const wrong = parts.findIndex((_part, at) => isCondition(at) && (value < 0 || at < value));
  if (wrong >= 0)
    throw formError(select.model, 'where, select and joins are of one query, and stand before union and its kin');
}

/**
 * Refuses combined queries whose rows have different forms, or on which databases disagree.
 *
 * @throws FwError `FW_ORM_QUERY_FORM`
 */
export function assertCombinable(select: LogicalSelect): void {
  const { model, sets = [], projection, orderBy } = select;
  assertSelectable({ ...select, orderBy: [], sets: undefined });
  const problem = (text: string) => formError(model, text);
  if (projection.some(({ t }) => t === 'raw')) throw problem('a raw selection has no type to combine; select columns');
  if (select.distinctOn) throw problem('distinctOn does not go together with union and its kin; combine it as a derived table'); // prettier-ignore
  if (select.lock) throw problem('a lock does not go together with union and its kin');
  for (const { op, query } of sets) {
    assertSelectable(query);
    if (query.lock) throw problem('a lock does not go together with union and its kin');
    if (query.orderBy.length > 0 && !query.limit && !query.offset)
      throw problem('the order of a query that is combined says nothing without a limit; order all rows, behind union and its kin'); // prettier-ignore
    const isWhole = projection.length === 0 || query.projection.length === 0;
    const isAlike = isWhole
      ? query.model === model && query.projection.length === projection.length
      : formOfRows(query) === formOfRows(select);
    if (!isAlike) throw problem('queries that are combined select the same names of the same kinds in the same order');
    if (op !== 'unionAll' && itemsOf(select).some(({ kind }) => kind === 'json'))
      throw problem('JSON is selected, which databases do not tell apart alike; use unionAll');
  }
  const unselected = orderBy.find(
    ({ target, value }) => value !== undefined || outputName(select, target) === undefined,
  );
  if (unselected)
    throw problem(`combined rows are ordered by columns that are selected, and "${unselected.target?.name ?? 'an expression'}" is none`); // prettier-ignore
}

const formOfRows = (select: LogicalSelect): string =>
  itemsOf(select)
    .map(({ name, kind, temporal = '' }) => `${name}:${familyOf(kind)}${temporal}`)
    .join();

/**
 * Whether what was combined so far has to be taken together before the next query is: a chain is read from left to right, and INTERSECT
 * binds closer than UNION and EXCEPT on most databases.
 */
export const bindsCloser = (op: SetOp, before: readonly { readonly op: SetOp }[]): boolean =>
  isCommon(op) && before.some((each) => !isCommon(each.op));

const isCommon = (op: SetOp): boolean => op === 'intersect' || op === 'intersectAll';

/** Name that a column of an order has in the combined rows; undefined when it is not selected. */
export function outputName(
  { model, projection }: LogicalSelect,
  target: LogicalSelect['orderBy'][number]['target'],
): string | undefined {
  if (target === undefined) return undefined;
  const { info, name, qualifier } = target;
  if (projection.length === 0) return info?.model === model && qualifier === undefined ? name : undefined;
  for (const item of projection) {
    const alias = item.t === 'aggregate' ? item.aggregate.alias : item.t === 'column' || item.t === 'value' ? item.alias : undefined; // prettier-ignore
    if (info === undefined && qualifier === undefined && alias === name) return name;
    if (item.t !== 'column' || item.target.info !== info || item.target.qualifier !== qualifier) continue;
    return item.alias ?? item.target.name;
  }
  return undefined;
}
