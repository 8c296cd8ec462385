import { expect, test } from '@jest/globals';
import { BoundedMap } from './bounded-map.js';

test('keeps as many as it may, makes each once, and counts those that went', () => {
  const map = new BoundedMap<string, string>(2);
  for (const key of ['a', 'b', 'a', 'b']) map.use(key, () => `${key} of ${map.values().length}`);
  expect([map.values(), map.dropped]).toEqual([['a of 0', 'b of 1'], 0]);
  map.use('c', () => 'c');
  expect([map.values(), map.dropped]).toEqual([['b of 1', 'c'], 1]);
});

test('lets the one go that was not used for longest', () => {
  const map = new BoundedMap<string, string>(2);
  for (const key of ['a', 'b', 'a', 'c']) map.use(key, () => key);
  expect(map.values()).toEqual(['a', 'c']);
});
