import { expect, test } from '@jest/globals';
import { withNewest } from './with-newest.js';

test('puts a record in front and keeps to the limit', () => {
  expect(withNewest([{ id: '2' }, { id: '1' }], { id: '3' }, 2)).toEqual([{ id: '3' }, { id: '2' }]);
});

test('is the same list when the record is in it already', () => {
  const rows = [{ id: '2' }, { id: '1' }];
  expect(withNewest(rows, { id: '1' }, 2)).toBe(rows);
});

test('takes every record that has no id', () => {
  expect(withNewest([{ name: 'a' }], { name: 'a' }, 5)).toHaveLength(2);
});
