import { expect, test } from '@jest/globals';
import type { Dialect } from '../index.js';
import { readValueCondition } from '../schema/value-conditions.js';

/** A condition as the database shows it, the values that it allows, and whether these are of the elements of an array. */
export type ReadCondition = readonly [sql: string, values: readonly (string | number)[], ofElements?: boolean];

/** Conditions on values of the column `state`, read in the words of a dialect. */
export function valueConditionsContract({ schema }: Dialect, conditions: readonly ReadCondition[]): void {
  test.each(conditions)('%s is read as a condition on values', (sql, values, ofElements = false) => {
    expect(readValueCondition(sql, schema.introspection)).toEqual({ column: 'state', values, ofElements });
  });
}
