import type { ColumnInfo } from '../model/model-info.js';
import type { ColumnTarget, ComparisonOp, NullsOrder, Part, PartKey, RawPart } from './parts.js';
import { serialOf } from './serial.js';
import { COMPARISONS, NULLS } from './words.js';

/** A part with its key: what one step adds to the shape of a query. */
export interface Step<Kind extends Part = Part> {
  readonly key: PartKey;
  readonly part: Kind;
}

/** Part of a comparison. */
export type ComparisonPart = Extract<Part, { readonly t: 'compare' }>;

/** The target of a model's own column, not qualified. */
export function plainTarget(info: ColumnInfo): ColumnTarget {
  return interned(info, 'target', () => ({ name: info.name, info }));
}

/** Key of a column target that is not interned: of the column itself, because two of one name, such as of two queries in the place of a table, may hold other values. */
export function targetKey({ info, qualifier = '', name }: ColumnTarget): string {
  return info ? `${qualifier}.${serialOf(info)}` : `${qualifier}..${name}`;
}

/** Steps about a plain column of a model are made once, their part is its own key; others get a key of text. */
export function columnStep<Kind extends Part>(target: ColumnTarget, kind: string, make: () => Kind): Step<Kind> {
  const { info, qualifier } = target;
  if (info === undefined || qualifier !== undefined) return { key: `${kind}@${targetKey(target)}`, part: make() };
  return interned(info, kind, () => keyedByItself(make()));
}

/** Step of a selected column, under its own name. */
export const selectStep = (target: ColumnTarget): Step =>
  columnStep(target, 'select', () => ({ t: 'select', target, values: 0 }));

/**
 * Step of a comparison.
 *
 * @throws FwError `FW_ORM_WORD`
 */
export function comparisonStep(target: ColumnTarget, op: ComparisonOp): Step<ComparisonPart> {
  return columnStep(target, op, () => ({ t: 'compare', target, op: COMPARISONS.checked(op), values: 1 }));
}

/** Step of an assignment of a value, or of null. */
export function setStep(column: ColumnInfo, toNull: boolean): Step {
  return toNull
    ? interned(column, 'setNull', () => keyedByItself({ t: 'setNull', column, values: 0 }))
    : interned(column, 'set', () => keyedByItself({ t: 'set', column, values: 1 }));
}

/** Step of an assignment of null that leaves the null of JSON as it is. */
export function emptyStep(column: ColumnInfo): Step {
  return interned(column, 'empty', () => keyedByItself({ t: 'setNull', column, keepsJson: true, values: 0 }));
}

/** Step of an assignment of a sum. */
export function incrementStep(column: ColumnInfo): Step {
  return interned(column, 'add', () => keyedByItself({ t: 'add', column, values: 1 }));
}

/** Step of an assignment of an expression, which is followed by it. */
export function computedStep(column: ColumnInfo): Step {
  return interned(column, 'setValue', () => keyedByItself({ t: 'setValue', column, values: 0 }));
}

/** Step of an assignment of a raw expression. */
export function rawStep(column: ColumnInfo, raw: RawPart): Step {
  const key = `setRaw:${column.name}:${raw.sizes.join()}:${raw.raw.source}`;
  return { key, part: { t: 'setRaw', column, raw, values: raw.values } };
}

/**
 * Step of an order term.
 *
 * @throws FwError `FW_ORM_WORD`
 */
export function orderStep(target: ColumnTarget, desc: boolean, nulls: NullsOrder | undefined): Step {
  if (nulls !== undefined) NULLS.checked(nulls);
  const direction = desc ? 'desc' : 'asc';
  const kind = nulls === undefined ? direction : `${direction}${nulls}`;
  return columnStep(target, kind, () => ({ t: 'order', target, desc, nulls, values: 0 }));
}

/** A part that is made once, which is its own key. */
export function keyedByItself<Kind extends Part>(part: Kind): Step<Kind> {
  return { key: part, part };
}

function interned<Made extends object>(info: ColumnInfo, kind: string, make: () => Made): Made {
  const found = info.steps.get(kind);
  if (found !== undefined) return found as Made;
  const made = Object.freeze(make());
  info.steps.set(kind, made);
  return made;
}
