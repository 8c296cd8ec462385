import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneRun } from './one-run.mjs';
import { missedGoals, tablesOfRuns } from './runs.mjs';

/** @type {(fw: number, itself?: number) => ReturnType<typeof oneRun>} */
const run = (fw, itself = 1) => oneRun({ fw, itself });

/** @param {readonly ReturnType<typeof run>[]} runs */
const fwOf = (runs) => tablesOfRuns(runs)[0]?.rows[1];

test('the verdict is that of the median over the runs, all of which are shown', () => {
  const row = fwOf([1.1, 1.25, 1.3, 1.21, 1.15].map((ratio) => run(ratio)));
  assert.deepEqual(row?.medians, [1.1, 1.25, 1.3, 1.21, 1.15]);
  assert.equal(row?.median, 1.21);
  assert.deepEqual(row?.verdict, { verdict: 'met', close: true });
});

test('a run whose baseline did not equal itself is shown, and has no say', () => {
  const row = fwOf([run(1.1), run(1.1), run(3.4, 1.14), run(1.15), run(3.4, 0.9)]);
  assert.deepEqual(row?.crooked, [2, 4]);
  assert.equal(row?.median, 1.1);
  assert.equal(row?.verdict?.verdict, 'missed');
});

test('without a majority of straight runs there is no verdict, and no goal is called missed', () => {
  const tables = tablesOfRuns([run(1, 1.14), run(1, 1.14), run(1, 1.14), run(1), run(1)]);
  assert.equal(tables[0]?.rows[1]?.verdict?.verdict, 'none');
  assert.deepEqual(missedGoals(tables), []);
});

test('missed goals are listed by table and subject', () => {
  assert.deepEqual(missedGoals(tablesOfRuns([run(1), run(1), run(1)])), [{ key: 'reads/fw', close: false }]);
});

test('runs that measured different things make no page', () => {
  const [table] = run(1).tables;
  const less = { ...run(1), tables: table ? [{ ...table, rows: table.rows.slice(0, 1) }] : [] };
  assert.throws(() => tablesOfRuns([run(1), less]), /no fw in table reads/);
  assert.throws(() => tablesOfRuns([run(1), { ...run(1), tables: [] }]), /no table reads/);
});
