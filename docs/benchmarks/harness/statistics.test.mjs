import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ratiosOf, summarize } from './statistics.mjs';

test('a summary has the median, the quartiles and the extremes of its series', () => {
  const summary = summarize([9, 1, 5, 3, 7]);
  assert.deepEqual(summary, { n: 5, min: 1, q1: 3, median: 5, q3: 7, max: 9 });
});

test('a summary does not disturb the series it is made of', () => {
  const values = [3, 1, 2];
  summarize(values);
  assert.deepEqual(values, [3, 1, 2]);
});

test('one pause of the machine does not move the median', () => {
  assert.equal(summarize([10, 10, 10, 10, 900]).median, 10);
});

test('an empty series and a value that is no number are refused', () => {
  assert.throws(() => summarize([]), /at least one value/);
  assert.throws(() => summarize([1, NaN]), /NaN/);
});

test('ratios are formed within each pair, in the direction that the table states', () => {
  assert.deepEqual(
    ratiosOf(
      [
        [10, 30],
        [20, 40],
      ],
      'subject ÷ baseline',
    ),
    [3, 2],
  );
  assert.deepEqual(
    ratiosOf(
      [
        [10, 5],
        [20, 40],
      ],
      'baseline ÷ subject',
    ),
    [2, 0.5],
  );
});

test('a slow minute that hits both of a pair leaves the ratio alone', () => {
  const quiet = [10, 20];
  const slow = quiet.map((ms) => ms * 7);
  const [one, other] = ratiosOf(
    [/** @type {[number, number]} */ (quiet), /** @type {[number, number]} */ (slow)],
    'subject ÷ baseline',
  );
  assert.equal(one, other);
});
