import { fwError } from '../../../../kernel/index.js';
import type { ColumnKind } from '../model/kinds.js';
import { modelInfoOf } from '../model/model-registry.js';
import { ValueExpression } from '../expression/value.js';
import type { ModelClass } from '../model/model-definition.js';
import type { ModelInfo } from '../model/model-info.js';
import type { ValidationRule } from '../model/tag-grammar.js';
import { chain } from '../session/maybe-promise.js';
import type { MaybePromise } from '../session/sql-handle.js';
import { checkRule } from './rules.js';
import { VALIDATION_ERRORS, ValidationError } from './validation-error.js';

/**
 * Checks a row against the `@validate` tags of its class (SPEC "ORM operations", `Validate`).
 *
 * @returns an error whose `fields` map property to what is wrong with it, or null
 * @throws FwError `FW_ORM_VALIDATION_WAITS` for a custom rule that gives a promise
 */
export function validateRow(row: object): ValidationError | null {
  return validationOf(modelInfoOf(row.constructor as ModelClass), row);
}

/**
 * Checks a row against the rules of its class.
 *
 * @throws ValidationError when a rule fails
 */
export function assertValid(row: object): void {
  const error = validateRow(row);
  if (error) throw error;
}

/** Checks a row of a known model. */
function validationOf(info: ModelInfo, row: object): ValidationError | null {
  const fields: Record<string, Error> = {};
  const all = failuresOf(info, row, 'all');
  for (const { property, failure } of all) {
    if (failure instanceof Promise)
      throw fwError(VALIDATION_ERRORS.FW_ORM_VALIDATION_WAITS, { model: info.name, field: property });
    fields[property] = failure;
  }
  return all.length === 0 ? null : new ValidationError(info.name, fields);
}

/**
 * Checks a row that will be written, and awaits asynchronous rules.
 *
 * @param columns - all, or the given ones: undefined values are not checked then
 * @throws ValidationError when a rule fails
 */
export async function assertValidRow(info: ModelInfo, row: object, columns: 'all' | 'given' = 'all'): Promise<void> {
  const fields: Record<string, Error> = {};
  for (const { property, failure } of failuresOf(info, row, columns)) {
    const settled = failure instanceof Promise ? await failure : failure;
    if (settled) fields[property] = settled;
  }
  if (Object.keys(fields).length > 0) throw new ValidationError(info.name, fields);
}

interface FieldFailure {
  readonly property: string;
  /** What is wrong, or what is still to be waited for. */
  readonly failure: Error | Promise<Error | undefined>;
}

const NONE: readonly FieldFailure[] = [];

function failuresOf(info: ModelInfo, row: object, columns: 'all' | 'given'): readonly FieldFailure[] {
  let found: FieldFailure[] | undefined;
  for (const { property, kind, definition } of info.columns) {
    const { rules } = definition;
    if (rules === undefined) continue;
    const value = (row as Record<string, unknown>)[property];
    if (value === undefined && columns === 'given') continue;
    // The value that the database will compute is unknown.
    if (value instanceof ValueExpression) continue;
    const failure = firstFailure(rules, value, kind, 0);
    if (failure !== undefined) (found ??= []).push({ property, failure });
  }
  return found ?? NONE;
}

// Rules run from left to right; the first that fails speaks for its field.
function firstFailure(
  rules: readonly ValidationRule[],
  value: unknown,
  kind: ColumnKind,
  from: number,
): MaybePromise<Error | undefined> {
  for (let at = from; at < rules.length; at++) {
    const failure = checkRule(rules[at] as ValidationRule, value, kind);
    if (failure instanceof Promise) return chain(failure, (late) => late ?? firstFailure(rules, value, kind, at + 1));
    if (failure) return failure;
  }
  return undefined;
}
