import { describe, expect, test } from '@jest/globals';
import { thing } from '../contract/state-column.js';
import { DIALECTS } from '../contract/framework-dialects.js';
import { readValueCondition } from './value-conditions.js';

const OTHERS = [
  'state > 1',
  "state IN ('a') AND other IN ('b')",
  "state = 'a' OR other = 'b'",
  "lower(state) IN ('a')",
  "state NOT IN ('a')",
  "state <> 'a'",
  'state = other',
  'state IS NULL',
  "state IN ('a'",
  "state IN ('a') --",
  '',
];

describe('conditions on values', () => {
  test.each(OTHERS)('%s is another condition', (sql) => {
    for (const { schema } of DIALECTS) expect(readValueCondition(sql, schema.introspection)).toBeUndefined();
  });
});

describe('values of columns', () => {
  test.each([
    ['a number', [1], 'an enum of the database has texts, and 1 is a number'],
    ['a long text', ['x'.repeat(64)], 'at most 63 bytes'],
    ['a blank at the end', ['x '], 'no blank at its end'],
  ])('of an enum of the database refuse %s', (_what, values, problem) => {
    expect(() => thing('things', { values, enumAs: 'native' })).toThrow(problem);
  });

  test('of an array are those of its elements', () => {
    const column = thing('things', { kind: 'array', element: 'enum', values: ['a', 'b'] }).column('state');
    expect(column.checked(['b'])).toEqual(['b']);
    expect(() => column.checked(['b', 'c'])).toThrow('each element is one of a, b');
  });
});
