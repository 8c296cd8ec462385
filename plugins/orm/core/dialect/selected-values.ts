import type { DistinctOn, LogicalSelect, LogicalValue, Slot } from '../plan/logical.js';
import { formOf } from '../plan/rewrite.js';
import { slotsOf } from '../plan/values.js';
import type { SqlWriter } from './sql-writer.js';

/** A value that is selected under a name. */
export interface SelectedValue {
  readonly at: number;
  readonly alias: string;
  readonly value: LogicalValue;
}

/** Selected values of a form. Behind raw SQL, which may be several columns, nobody can tell the place of one. */
export function selectedItems({ projection }: LogicalSelect, form: string): readonly SelectedValue[] {
  const raw = projection.findIndex(({ t }) => t === 'raw');
  return projection.flatMap((item, at) =>
    item.t === 'value' && formOf(item.value) === form && (raw < 0 || at < raw)
      ? [{ at, alias: item.alias, value: item.value }]
      : [],
  );
}

/** Holds two values of one form to the same parameters, when the statement is written. */
export function assertSameSlots(one: LogicalValue, other: LogicalValue, writer: SqlWriter): void {
  const others = slotsOf(other);
  slotsOf(one).forEach((slot, at) => writer.mustBeEqual(slot, others[at] as Slot));
}

/** An order may name again what rows are told apart by, which is the same with the same parameters alone. */
export function assertOrderedAlike(terms: DistinctOn['terms'], order: DistinctOn['order'], writer: SqlWriter): void {
  for (const [at, { value }] of terms.entries())
    if (value) assertSameSlots(value, order[at]?.value as LogicalValue, writer);
}
