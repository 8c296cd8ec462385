import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf } from './page.mjs';
import { finishTable, missedGoals } from './results.mjs';

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

test('missed goals are listed by table and subject', () => {
  assert.deepEqual(missedGoals([finishTable(speed)]), [{ key: 'reads/fw', close: false }]);
});

const results = {
  name: 'demo',
  title: 'Demo',
  seconds: 12.3,
  environment: {
    date: '2026-01-02',
    commit: 'abc',
    node: 'v20.19.0',
    platform: 'linux x64',
    cpu: 'CPU',
    cores: 2,
    memoryGiB: 8,
    loadBefore: 0.5,
    loadAfter: 1.5,
  },
  versions: { peer: '1.2.3' },
  tables: [finishTable(speed)],
};
const bench = {
  name: 'demo',
  title: 'Demo',
  measured: 'Reads.',
  peers: [{ name: 'peer', packages: ['peer'], configuration: 'defaults' }],
  measure: async () => [],
};

test('a page shows ratios with quartiles, the control, the goal and the verdict', () => {
  const page = pageOf(bench, results);
  assert.match(page, /\| \*raw \(A\/A\)\* \| .* \| 3 \| {2}\| control \|/);
  assert.match(page, /\| fw \| 20\.0 \(20\.0 – 20\.0\) \| 0\.50 \(0\.50 – 0\.50\) \| 3 \| ≥ 0\.9 \| missed \|/);
  assert.match(page, /\| peer \| peer 1\.2\.3 \| defaults \|/);
  assert.match(page, /load average 0\.5 before and 1\.5 after/);
});

test('a missed goal is explained by the profile note of the bench, or said not to be', () => {
  assert.match(
    pageOf({ ...bench, notes: { 'reads/fw': 'Dates cost half.' } }, results),
    /\*\*reads\/fw\.\*\* Dates cost half\./,
  );
  assert.match(pageOf(bench, results), /\*\*reads\/fw\.\*\* Not profiled yet\./);
});

test('a goal that is missed by less than the samples differ needs no profile', () => {
  const rows = results.tables[0]?.rows.map((row) => ({
    ...row,
    verdict: row.verdict && { ...row.verdict, close: true },
  }));
  // @ts-expect-error the table is there
  const page = pageOf(bench, { ...results, tables: [{ ...results.tables[0], rows }] });
  assert.match(page, /\*\*reads\/fw\.\*\* A quarter of the samples meets the goal/);
});

test('a page without a missed goal explains nothing', () => {
  const met = { ...results, tables: [{ ...results.tables[0], rows: [] }] };
  // @ts-expect-error a table of no rows is enough here
  assert.doesNotMatch(pageOf({ ...bench, notes: { 'reads/fw': 'x' } }, met), /stands in the way/);
});
