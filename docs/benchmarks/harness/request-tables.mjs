import { tableOfRounds } from './rounds.mjs';

/** @typedef {import('./types.js').Goal} Goal */
/** @typedef {import('./types.js').Round} Round */
/** @typedef {import('./types.js').TableInput} TableInput */

const METRICS = [
  { metric: 'cpuUs', unit: 'us of processor time per request', words: 'processor time', suffix: 'cpu' },
  { metric: 'wallUs', unit: 'us per request', words: 'requests per second', suffix: 'rate' },
];

/**
 * Servers next to one of them, by what the slices of a `MeasuredServer` state: a table of processor time and one of time.
 *
 * @param {readonly Round[]} rounds
 * @param {object} plan
 * @param {string} plan.id - the tables are `<id>-cpu` and `<id>-rate`
 * @param {string} plan.title
 * @param {string} plan.baseline
 * @param {readonly string[]} plan.subjects
 * @param {Readonly<Record<string, Goal>>} plan.goals
 * @returns {TableInput[]}
 */
export function requestTables(rounds, { id, title, baseline, subjects, goals }) {
  return METRICS.map(({ metric, unit, words, suffix }) =>
    tableOfRounds(rounds, {
      ...{ metric, unit, baseline, subjects, goals },
      formula: 'baseline ÷ subject',
      id: `${id}-${suffix}`,
      title: `${title}: ${words}, next to ${baseline}`,
    }),
  );
}
