import { plainTarget } from './steps.js';
import type { ModelInfo } from '../model/model-info.js';
import type { NullsSort } from '../dialect/dialect.js';
import type { LogicalExpr, LogicalOrder, Slot } from './logical.js';

/**
 * The order that keyset pagination needs: the terms given, made unique by the primary key, turned round for a page before.
 */
export function orderWithTieBreak(model: ModelInfo, terms: readonly LogicalOrder[], reversed: boolean): LogicalOrder[] {
  const unique = terms.some(({ target }) => target.info?.definition.unique && !target.info.nullable);
  const missing = model.primaryKey.filter((key) => !terms.some(({ target }) => target.info === key));
  const last = terms.at(-1)?.desc ?? false;
  const tied = unique ? terms : [...terms, ...missing.map((key) => ({ target: plainTarget(key), desc: last }))];
  return tied.map((term) => (reversed ? turned(term) : term));
}

function turned({ target, desc, nulls }: LogicalOrder): LogicalOrder {
  return { target, desc: !desc, ...(nulls && { nulls: nulls === 'first' ? 'last' : 'first' }) };
}

/** What a cursor holds: a letter per term says whether its value is null (`n`) or not (`v`), which decides the structure. */
export interface CursorShape {
  readonly nulls: string;
  readonly slots: readonly Slot[];
}

/** Rows behind a cursor: `a > ? OR (a = ? AND b > ?)`, with nulls where the database sorts them. */
export function keysetCondition(
  order: readonly LogicalOrder[],
  { nulls, slots }: CursorShape,
  nullsSort: NullsSort,
): LogicalExpr {
  const operands: LogicalExpr[] = [];
  for (let last = 0; last < order.length; last++) {
    const equal = order.slice(0, last).map((term, index) => same(term, nulls[index] === 'n', slots[index] as Slot));
    const beyond = behind(order[last] as LogicalOrder, nulls[last] === 'n', slots[last] as Slot, nullsSort);
    if (beyond)
      operands.push(equal.length === 0 ? beyond : { t: 'junction', kind: 'and', operands: [...equal, beyond] });
  }
  return { t: 'junction', kind: 'or', operands };
}

function same({ target }: LogicalOrder, isNull: boolean, slot: Slot): LogicalExpr {
  return isNull ? { t: 'null', target, negated: false } : { t: 'compare', target, op: 'eq', slot };
}

function behind(term: LogicalOrder, isNull: boolean, slot: Slot, nullsSort: NullsSort): LogicalExpr | undefined {
  const { target, desc } = term;
  const nullsLast = term.nulls ? term.nulls === 'last' : (nullsSort === 'largest') !== desc;
  if (isNull) return nullsLast ? undefined : { t: 'null', target, negated: true };
  const further: LogicalExpr = { t: 'compare', target, op: desc ? 'lt' : 'gt', slot };
  if (!nullsLast || target.info?.nullable === false) return further;
  return { t: 'junction', kind: 'or', operands: [further, { t: 'null', target, negated: false }] };
}
