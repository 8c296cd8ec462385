import { expect, test } from '@jest/globals';
import { tagModel } from '../../contract/models.js';
import type { ModelInfo } from '../model/model-info.js';
import type { Part } from './parts.js';
import { ShapeForest } from './shape.js';

const PART: Part = { t: 'scope', deleted: 'with', values: 0 };

test('a query that is held keeps nothing of what followed it before the tries began anew', () => {
  const forest = new ShapeForest(3, () => undefined);
  const held = forest.root(tagModel as unknown as ModelInfo).then('held', PART);
  const before = held.then('before', PART);
  for (const key of ['more', 'too many']) held.then(key, PART);
  expect(forest.stats().resets).toBe(1);
  const behind = held.then('behind', PART);
  expect(held.then('before', PART)).not.toBe(before);
  expect(held.then('behind', PART)).toBe(behind);
});
