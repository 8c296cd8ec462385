import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finishTable } from './results.mjs';

/** @typedef {import('./types.js').TableInput} TableInput */

/** @type {TableInput} */
const speed = {
  id: 'reads',
  title: 'Reads',
  unit: 'us',
  baseline: 'raw',
  formula: 'baseline ÷ subject',
  rows: [
    {
      subject: 'raw (A/A)',
      control: true,
      pairs: [
        [10, 10],
        [10, 11],
        [10, 9],
      ],
    },
    {
      subject: 'fw',
      pairs: [
        [10, 20],
        [10, 20],
        [10, 20],
      ],
      goal: { atLeast: 0.9 },
    },
  ],
};

test('a comparison without a control is refused', () => {
  const rows = speed.rows.filter(({ control }) => !control);
  assert.throws(() => finishTable({ ...speed, rows }), /measure raw against itself/);
});

test('a table with a baseline has to say how its ratio is formed', () => {
  const { formula: _, ...without } = speed;
  assert.throws(() => finishTable(without), /how its ratio is formed/);
});

test('ratios are judged in tables with a baseline, values in those without', () => {
  const [, fw] = finishTable(speed).rows;
  assert.equal(fw?.ratio?.median, 0.5);
  assert.equal(fw?.verdict?.verdict, 'missed');
  /** @type {TableInput} */
  const absolute = {
    id: 'cold',
    title: 'Cold',
    unit: 's',
    rows: [{ subject: 'fw', values: [3, 4, 5], goal: { atMost: 5 } }],
  };
  assert.equal(finishTable(absolute).rows[0]?.verdict?.verdict, 'met');
});

test('where the baseline did not equal itself, nothing has a verdict', () => {
  const crooked = speed.rows.map((row) =>
    row.control ? { ...row, pairs: row.pairs?.map(() => /** @type {const} */ ([11, 10])) } : row,
  );
  const [, fw] = finishTable({ ...speed, rows: crooked }).rows;
  assert.deepEqual(fw?.verdict, { verdict: 'none', close: false });
});

test('in a table of several operations each has a control of its own', () => {
  /** @type {(operation: string, itself: number) => import('./types.js').RowInput[]} */
  const rows = (operation, itself) => [
    {
      subject: `${operation} (A/A)`,
      operation,
      control: true,
      pairs: [
        [itself, 1],
        [itself, 1],
      ],
    },
    { subject: `${operation} fw`, operation, pairs: [[1, 1]], goal: { atLeast: 0.9 } },
  ];
  const verdicts = finishTable({ ...speed, rows: [...rows('find', 1), ...rows('first', 1.2)] }).rows.map(
    ({ verdict }) => verdict?.verdict,
  );
  assert.deepEqual(verdicts, [undefined, 'met', undefined, 'none']);
  const [, uncontrolled] = rows('count', 1);
  assert.throws(
    () => finishTable({ ...speed, rows: [...rows('find', 1), ...(uncontrolled ? [uncontrolled] : [])] }),
    /without a control/,
  );
});
