import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneRun } from './one-run.mjs';
import { pageOf } from './page.mjs';

const bench = {
  name: 'demo',
  title: 'Demo',
  measured: 'Reads.',
  peers: [{ name: 'peer', packages: ['peer'], configuration: 'defaults' }],
  measure: async () => [],
};

/** @type {(node: string, fw: number, itself?: number) => ReturnType<typeof oneRun>} */
const run = (node, fw, itself = 1) => oneRun({ node, fw, itself, atLeast: 0.9 });

/** @param {number} ratio */
const results = (ratio) => ({
  name: 'demo',
  title: 'Demo',
  releases: [
    { node: '20', runs: [run('v20.1.0', ratio)] },
    { node: '26', runs: [run('v26.1.0', ratio), run('v26.1.0', 9, 1.3), run('v26.1.0', ratio)] },
  ],
});

test('a page shows every run, crosses out the crooked ones, and judges the releases that people run', () => {
  const page = pageOf(bench, results(0.5));
  assert.match(page, /\| \*raw \(A\/A\)\* \| 10\.0 \| \*\*1\.00\*\* \| 1\.00 · ~~1\.30~~ · 1\.00 \| {2}\| control \|/);
  assert.match(page, /\| fw \| 10\.0 \| \*\*0\.50\*\* \| 0\.50 · ~~9\.00~~ · 0\.50 \| ≥ 0\.9 \| missed \|/);
  const beside = page.slice(page.indexOf('## Results on Node 20'), page.indexOf('## Results on Node 26'));
  assert.doesNotMatch(beside, /missed/);
  assert.match(page, /\| peer \| peer 1\.2\.3 \| defaults \|/);
  assert.match(page, /Node v26\.1\.0: measured on .* 2 cores of A processor, 8 GiB; 3 runs in 3 minutes/);
});

test('a missed goal is explained by the profile note of the bench, or said not to be', () => {
  const notes = { 'reads/fw': 'Dates cost half.' };
  assert.match(pageOf({ ...bench, notes }, results(0.5)), /\*\*reads\/fw on 26\.\*\* Dates cost half\./);
  assert.match(pageOf(bench, results(0.5)), /\*\*reads\/fw on 26\.\*\* Not profiled yet\./);
});

test('a page without a missed goal explains nothing', () => {
  assert.doesNotMatch(pageOf({ ...bench, notes: { 'reads/fw': 'x' } }, results(1)), /stands in the way/);
});
