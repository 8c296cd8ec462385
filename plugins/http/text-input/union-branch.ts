import type { TSchema } from 'typebox';
import { isObject } from '../../../kernel/values/index.js';
import { type JsonSchema, type RefScope, validatorOf } from '../../../kernel/index.js';
import { inDraft2020, selfContained } from '../../../kernel/schema/index.js';
import { settled } from './bracket-tree.js';

/** Keywords that the shape of a value decides, and annotations. */
const TOLD_BY_SHAPE = new Set(['type', 'const', 'enum', 'title', 'description', 'default', 'examples', 'deprecated']);

/**
 * Chooses among conversions of one value for the branches of a union: the first that its branch accepts.
 *
 * @returns a function that gives the index; undefined when none has the shape of its branch
 */
export function firstFitting(branches: readonly JsonSchema[], scope: RefScope) {
  const isTold = branches.map((branch) => Object.keys(branch).every((key) => TOLD_BY_SHAPE.has(key)));
  const validators = branches.map((branch) => validatorOf(alone(branch, scope)));
  return (readings: readonly unknown[]): number | undefined => {
    const shaped = readings.flatMap((reading, index) => (hasShape(branches[index], reading, scope) ? [index] : []));
    const [first] = shaped;
    if (first === undefined || shaped.length === 1 || isTold[first]) return first;
    // On a copy, because the validator fills defaults in.
    const fits = (index: number) => validators[index]?.check(settled(readings[index])).length === 0;
    return shaped.find(fits) ?? first;
  };
}

/** Tells whether a converted value, which may contain trees, is valid against a part of a schema. */
export function fitting(part: JsonSchema, scope: RefScope): (reading: unknown) => boolean {
  const validator = validatorOf(alone(part, scope));
  // On a copy, because the validator fills defaults in.
  return (reading) => validator.check(settled(reading)).length === 0;
}

// Makes a branch, which may refer to its surrounding schema, a schema of its own.
function alone(branch: JsonSchema, scope: RefScope): TSchema {
  return selfContained(inDraft2020(branch as TSchema) as JsonSchema, scope) as TSchema;
}

function hasShape(branch: JsonSchema | undefined, value: unknown, scope: RefScope): boolean {
  const { type, $ref } = branch ?? {};
  if (typeof $ref === 'string') return hasShape(scope.find($ref)?.schema, value, scope);
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (type !== undefined && !types.some((one) => hasType(one, value))) return false;
  const values = branch && 'const' in branch ? [branch['const']] : branch?.['enum'];
  return !Array.isArray(values) || isObject(value) || values.includes(value);
}

function hasType(type: unknown, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'object') return isObject(value);
  return typeof value === type;
}
