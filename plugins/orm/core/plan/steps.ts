import type { ComparisonOp } from '../expression/operators.js';
import type { ColumnInfo } from '../model/model-info.js';
import type { ColumnTarget, NullsOrder, Part, PartKey } from './parts.js';

/** The target of a model's own column, not qualified. */
export function plainTarget(info: ColumnInfo): ColumnTarget {
  return interned(info, 'target', () => ({ name: info.name, info }));
}

/** Key of a column target that is not interned. */
export function targetKey(target: ColumnTarget): string {
  const { info, qualifier = '', name } = target;
  return info ? `${qualifier}.${info.model.table}.${info.name}` : `${qualifier}..${name}`;
}

/** Parts about a plain column of a model are made once and are their own key; others get a key of text. */
export function columnPart(target: ColumnTarget, kind: string, make: () => Part): { key: PartKey; part: Part } {
  const { info } = target;
  if (info !== undefined && target.qualifier === undefined) {
    const part = interned(info, kind, make);
    return { key: part, part };
  }
  return { key: `${kind}@${targetKey(target)}`, part: make() };
}

/** Part of a comparison; the hot path of every keyed read. */
export function comparePart(info: ColumnInfo, op: ComparisonOp): Part {
  return interned(info, op, () => ({ t: 'compare', target: plainTarget(info), op, values: 1 }));
}

/** Part of an assignment of a value. */
export function setPart(column: ColumnInfo): Part {
  return interned(column, 'set', () => ({ t: 'set', column, values: 1 }));
}

/** Part of an order term. */
export function orderPart(target: ColumnTarget, desc: boolean, nulls: NullsOrder | undefined) {
  const direction = desc ? 'desc' : 'asc';
  const kind = nulls === undefined ? direction : `${direction}${nulls}`;
  return columnPart(target, kind, () => ({ t: 'order', target, desc, nulls, values: 0 }));
}

function interned<Made extends object>(info: ColumnInfo, kind: string, make: () => Made): Made {
  const found = info.tokens.get(kind);
  if (found !== undefined) return found as Made;
  const made = Object.freeze(make());
  info.tokens.set(kind, made);
  return made;
}
