import { fwError } from '../../../../kernel/index.js';
import { typeInWords } from '../model/kinds.js';
import { ORM_ERRORS } from '../errors.js';
import type { ModelInfo } from '../model/model-info.js';
import type { ColumnKey } from '../model/relation-types.js';
import { equals, type Comparison } from './comparisons.js';
import { isExpression } from './expression.js';

/** Required values of columns, by property; null means null. Other columns may have any value. */
export type Filter<Model extends object> = { readonly [Key in ColumnKey<Model>]?: Model[Key] };

/** Whether a condition is a filter: a plain object that names no operator. */
export function isFilter(condition: unknown): condition is Readonly<Record<string, unknown>> {
  if (typeof condition !== 'object' || condition === null || 'op' in condition || isExpression(condition)) return false;
  const prototype: unknown = Object.getPrototypeOf(condition);
  return prototype === Object.prototype || prototype === null;
}

/**
 * The conditions that a filter stands for: each column is equal to its value. Undefined is refused, because a query without that condition
 * would find other rows, and `delete` would delete them.
 *
 * @throws FwError `FW_ORM_UNKNOWN_COLUMN`, `FW_ORM_VALUE`
 */
export function filterComparisons(filter: Readonly<Record<string, unknown>>, model: ModelInfo): readonly Comparison[] {
  return Object.entries(filter).map(([field, value]) => {
    const column = model.column(field);
    if (value === undefined) {
      const expected = 'a value, or null for none (leave out what may be anything)';
      throw fwError(ORM_ERRORS.FW_ORM_VALUE, { model: model.name, field, expected, got: typeInWords(value) });
    }
    return equals(column, value);
  });
}
