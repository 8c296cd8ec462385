import { finishTable } from './results.mjs';

/** @typedef {import('./types.js').Pair} Pair */

/**
 * A run for tests: of one table, in which fw is so many times as fast as raw, and raw so many times as fast as itself.
 *
 * @param {{ readonly fw: number, readonly itself?: number, readonly node?: string, readonly atLeast?: number }} measured
 */
export function oneRun({ fw, itself = 1, node = 'v26.1.0', atLeast = 1.2 }) {
  /** @type {(ratio: number) => Pair[]} */
  const pairs = (ratio) => [0.99, 1, 1.01].map((noise) => [10 * ratio * noise, 10]);
  const table = finishTable({
    id: 'reads',
    title: 'Reads',
    unit: 'us',
    baseline: 'raw',
    formula: 'baseline ÷ subject',
    rows: [
      { subject: 'raw (A/A)', control: true, pairs: pairs(itself) },
      { subject: 'fw', pairs: pairs(fw), goal: { atLeast } },
    ],
  });
  const environment = {
    ...{ date: '2026-01-02', commit: 'abc', node, platform: 'linux x64', cpu: 'A processor', cores: 2 },
    ...{ memoryGiB: 8, loadBefore: 0.5, loadAfter: 1.5 },
  };
  return { seconds: 60, environment, versions: { peer: '1.2.3' }, tables: [table] };
}
