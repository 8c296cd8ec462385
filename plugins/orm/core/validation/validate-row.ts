import { modelInfoOf } from '../model/model-registry.js';
import type { ModelClass } from '../model/model-definition.js';
import type { ModelInfo } from '../model/model-info.js';
import type { ValidationRule } from '../model/tag-grammar.js';
import { checkRule } from './rules.js';
import { ValidationError } from './validation-error.js';

/**
 * Checks a row against the `@validate` tags of its class (SPEC "ORM operations", `Validate`).
 *
 * @returns an error whose `fields` map property to what is wrong with it, or null
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
export function validationOf(info: ModelInfo, row: object): ValidationError | null {
  const fields: Record<string, Error> = {};
  for (const { property, definition } of info.columns) {
    const failure = firstFailure(definition.rules ?? [], (row as Record<string, unknown>)[property]);
    if (failure) fields[property] = failure;
  }
  return Object.keys(fields).length === 0 ? null : new ValidationError(info.name, fields);
}

/** @throws ValidationError when a rule fails */
export async function assertValidRow(info: ModelInfo, row: object): Promise<void> {
  const error = validationOf(info, row);
  if (error) throw error;
}

// Rules run from left to right; the first that fails speaks for its field.
function firstFailure(rules: readonly ValidationRule[], value: unknown): Error | undefined {
  for (const rule of rules) {
    const failure = checkRule(rule, value);
    if (failure) return failure;
  }
  return undefined;
}
