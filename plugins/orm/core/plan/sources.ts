import { formError } from './form-error.js';
import type { LogicalPlan, LogicalSelect, LogicalSource, Projection, Slot } from './logical.js';
import { nameOf } from './projection.js';
import { formOf } from './rewrite.js';
import { slotsOf } from './values.js';

/** A query that a statement names at its beginning. */
interface NamedSource extends LogicalSource {
  readonly query: LogicalSelect;
  /** Names of its columns, in order. */
  readonly columns: readonly string[];
}

/** Name that a selected item has among the columns of its rows. */
export const outputOf = (item: Projection, at: number): string =>
  item.t === 'column' ? (item.alias ?? item.target.name) : nameOf(item, at);

/** Names of the columns that a query gives, in order. */
export const outputsOf = ({ projection, model }: LogicalSelect): readonly string[] =>
  projection.length > 0 ? projection.map(outputOf) : model.readable.map(({ name }) => name);

const OPAQUE: ReadonlySet<string> = new Set(['info', 'model', 'column']);

/**
 * Queries that a statement names at its beginning, each once, behind those that it reads itself.
 *
 * @param same - told of values of the call that have to be equal, because two uses of a name are one query
 * @throws FwError `FW_ORM_QUERY_FORM` for two queries of one name
 */
export function namedSources(
  plan: LogicalPlan,
  same: { mustBeEqual(one: Slot, other: Slot): void },
): readonly NamedSource[] {
  const found = new Map<string, NamedSource>();
  const note = (source: LogicalSource): void => {
    const { query, name } = source;
    if (query === undefined) return;
    walk(query);
    walk(source.step);
    if (!source.named) return;
    const known = found.get(name);
    if (known === undefined) found.set(name, { ...source, query, columns: outputsOf(query) });
    else assertSame(known, source, same);
  };
  const walk = (item: unknown): void => {
    if (typeof item !== 'object' || item === null) return;
    for (const [key, inner] of Object.entries(item)) {
      if (OPAQUE.has(key)) continue;
      if (key === 'source' && isSource(inner)) note(inner);
      else walk(inner);
    }
  };
  walk(plan);
  return [...found.values()];
}

const isSource = (item: unknown): item is LogicalSource => typeof item === 'object' && item !== null && 'named' in item;

function assertSame(one: NamedSource, other: LogicalSource, same: { mustBeEqual(one: Slot, other: Slot): void }): void {
  const parts = ({ query, step }: LogicalSource) => ({ query, step }) as never;
  if (formOf(parts(one)) !== formOf(parts(other)))
    throw formError(one.query.model, `two different queries are called "${one.name}"; give one another name`);
  const slots = slotsOf(parts(other));
  slotsOf(parts(one)).forEach((slot, at) => same.mustBeEqual(slot, slots[at] as Slot));
}

/**
 * A plan whose named queries stand where they are read, for statements that take no `WITH`.
 *
 * @param recursive - the error for one that reads itself
 */
export function withoutNames<Plan extends LogicalPlan>(plan: Plan, recursive: () => Error): Plan {
  const inlined = (item: unknown): unknown => {
    if (Array.isArray(item)) return item.map(inlined);
    if (typeof item !== 'object' || item === null || Object.getPrototypeOf(item) !== Object.prototype) return item;
    if (isSource(item) && item.step) throw recursive();
    const entries = Object.entries(item).map(([key, inner]) => [key, OPAQUE.has(key) ? inner : inlined(inner)]);
    return { ...(Object.fromEntries(entries) as object), ...(isSource(item) && { named: false }) };
  };
  return inlined(plan) as Plan;
}
