import { expect, test } from '@jest/globals';
import { refusedInWords } from './kinds.js';

test.each([
  [{ kind: 'plainDate' }, '2024-02-30', 'a string that is none'],
  [{ kind: 'decimal' }, 'twelve', 'a string that is none'],
  [{ kind: 'array', element: 'uuid' }, ['no key'], 'a string that is none as element 0'],
  [{ kind: 'plainDate' }, new Date(), 'a Date'],
  [{ kind: 'plainDate', temporal: 'PlainDate' }, '2024-02-29', 'a string'],
  [{ kind: 'int' }, '1', 'a string'],
] as const)('of a column %j the value %j is refused as %s', (column, value, words) => {
  expect(refusedInWords(value, column)).toBe(words);
});
