import { isNumeric, type Dialect, type EnumValue, type ModelInfo } from '../core/index.js';
import type { ActualCheck } from './introspect.js';
import { valueChecksOf, type WantedValueCheck } from './value-checks.js';
import { readValueCondition, sameValues, type ValueCondition } from './value-conditions.js';

/** A check of values to add. */
export interface AddedValueCheck extends WantedValueCheck {
  /** Values that the replaced check allowed and this one does not. */
  readonly removed: readonly EnumValue[];
  /** Whether it replaces another check. */
  readonly replaces: boolean;
}

/** Changes to checks of values. A check is identified by its condition, not by its name. */
export interface ValueCheckChanges {
  /** Checks with the values of a column's type. */
  readonly present: readonly ActualCheck[];
  readonly added: readonly AddedValueCheck[];
}

interface ActualChecks {
  readonly checks: readonly ActualCheck[];
  /** Checks that the model declares itself. */
  readonly kept: readonly ActualCheck[];
  readonly names: ReadonlyMap<string, string>;
}

/** Compares the values of a model's columns with the checks of its table. */
export function valueCheckChanges(
  model: ModelInfo,
  { checks, kept, names }: ActualChecks,
  dialect: Dialect,
): ValueCheckChanges {
  const { introspection, checksFollow = false } = dialect.schema;
  const read = checks.flatMap((check) => {
    const condition = readValueCondition(check.sql, introspection);
    return condition ? [placed(check, condition)] : [];
  });
  const present: ActualCheck[] = [];
  const added: AddedValueCheck[] = [];
  for (const wanted of valueChecksOf(model, dialect)) {
    const { column, condition } = wanted;
    const same = read.filter((each) => each.stays && sameValues(each.condition, condition, introspection));
    if (same.length > 0) {
      present.push(...same.map(({ check }) => check));
      continue;
    }
    const former = read.find((each) => each.condition.column === column.name && !kept.includes(each.check));
    const isOfKind = former && isNumeric(former.condition.values) === isNumeric(condition.values);
    const removed = isOfKind ? former.condition.values.filter((value) => !condition.values.includes(value)) : [];
    added.push({ ...wanted, removed, replaces: former !== undefined });
  }
  return { present, added };

  // A check that blocks the rename of its column is dropped before and added after it.
  function placed(check: ActualCheck, condition: ValueCondition) {
    const column = names.get(condition.column) ?? condition.column;
    const stays = column === condition.column || checksFollow || check.ofColumn === true;
    return { check, condition: { ...condition, column }, stays };
  }
}
