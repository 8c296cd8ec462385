import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goalInWords, judge, verdictInWords } from './goal.mjs';

/** @param {number} q1 @param {number} median @param {number} q3 */
const series = (q1, median, q3) => ({ n: 30, min: q1, q1, median, q3, max: q3 });

test('a goal is judged by the median', () => {
  assert.equal(judge(series(2, 3, 3.1), { atMost: 3.2 }).verdict, 'met');
  assert.equal(judge(series(3.3, 3.4, 3.5), { atMost: 3.2 }).verdict, 'missed');
  assert.equal(judge(series(1.1, 1.2, 1.3), { atLeast: 1 }).verdict, 'met');
  assert.equal(judge(series(0.7, 0.8, 0.9), { atLeast: 1 }).verdict, 'missed');
});

test('a median on the goal meets it', () => {
  assert.equal(judge(series(3, 3.2, 3.3), { atMost: 3.2 }).verdict, 'met');
});

test('quartiles on both sides of the goal are said to be', () => {
  assert.deepEqual(judge(series(3, 3.1, 3.4), { atMost: 3.2 }), { verdict: 'met', close: true });
  assert.equal(verdictInWords({ verdict: 'missed', close: true }), 'missed (quartiles on both sides)');
});

test('a goal with no bound, or with two, is refused', () => {
  assert.throws(() => judge(series(1, 1, 1), {}), /exactly one/);
  assert.throws(() => judge(series(1, 1, 1), { atLeast: 1, atMost: 2 }), /exactly one/);
});

test('a goal is written with its direction', () => {
  assert.equal(goalInWords({ atMost: 3.2 }), '≤ 3.2');
  assert.equal(goalInWords({ atLeast: 1.5 }), '≥ 1.5');
});
