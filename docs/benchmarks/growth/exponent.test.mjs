import assert from 'node:assert/strict';
import { test } from 'node:test';
import { additions, exponentOf, perUnit } from './exponent.mjs';

/** @type {(of: (size: number) => number) => [number, number][]} */
const points = (of) => [10, 100, 1000, 10_000].map((size) => [size, of(size)]);
/** @type {(actual: number, expected: number) => void} */
const close = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);

test('what does not grow has the exponent 0, what grows in proportion 1, what grows with the square 2', () => {
  close(exponentOf(points(() => 25)), 0);
  close(exponentOf(points((size) => 3 * size)), 1);
  close(exponentOf(points((size) => size ** 2 / 7)), 2);
});

test('the part that is there before the first unit is no part of what the units add', () => {
  const measured = points((size) => 500 + 2 * size);
  assert.ok(exponentOf(measured) < 0.6);
  close(exponentOf(additions(measured)), 1);
  close(perUnit(measured), 2);
});

test('an addition that is lost in the noise is left out, and no exponent is made of one point', () => {
  assert.deepEqual(
    additions([
      [10, 5],
      [100, 4.9],
      [1000, 9],
    ]),
    [[990, 4]],
  );
  assert.throws(() => exponentOf([[10, 1]]), /two sizes/);
  assert.throws(
    () =>
      exponentOf([
        [10, 1],
        [100, 0],
      ]),
    /above 0/,
  );
});
