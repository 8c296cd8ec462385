import { fwError } from '../../../../kernel/index.js';
import { typeInWords } from '../dialect/kinds.js';
import { ORM_ERRORS } from '../errors.js';
import type { ModelInfo } from '../model/model-info.js';
import type { ColumnKey } from '../model/relation-types.js';
import { comparisonStep, plainTarget } from '../plan/steps.js';
import { Comparison, Junction } from './conditions.js';
import { isExpression, type Condition, type Expression } from './expression.js';

/** Values that columns of a model are to have, by property; null asks for null. What is left out may be anything. */
export type Filter<Model extends object> = { readonly [Key in ColumnKey<Model>]?: Model[Key] };

/** Whether a condition is a filter: a plain object that names no operator. */
export function isFilter(condition: unknown): condition is Readonly<Record<string, unknown>> {
  if (typeof condition !== 'object' || condition === null || 'op' in condition || isExpression(condition)) return false;
  const prototype: unknown = Object.getPrototypeOf(condition);
  return prototype === Object.prototype || prototype === null;
}

/**
 * The condition that a filter stands for: each column is equal to its value. One of undefined is refused, because the query without
 * it would find other rows, and `delete` would delete them.
 *
 * @throws FwError `FW_ORM_UNKNOWN_COLUMN`, `FW_ORM_VALUE`
 */
export function filterCondition(filter: Readonly<Record<string, unknown>>, model: ModelInfo): Expression {
  const equal = Object.entries(filter).map(([field, value]): Condition => {
    const column = model.column(field);
    if (value === undefined) {
      const expected = 'a value, or null for none (leave out what may be anything)';
      throw fwError(ORM_ERRORS.FW_ORM_VALUE, { model: model.name, field, expected, got: typeInWords(value) });
    }
    return new Comparison(comparisonStep(plainTarget(column), 'eq'), value);
  });
  return equal.length === 1 ? (equal[0] as Expression) : new Junction('and', equal);
}
