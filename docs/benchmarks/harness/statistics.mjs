import { max, min, quantile } from 'simple-statistics';

/** @typedef {import('./types.js').Formula} Formula */
/** @typedef {import('./types.js').Pair} Pair */
/** @typedef {import('./types.js').Summary} Summary */

/**
 * Median, quartiles and extremes of a series. Not the mean: one pause of the machine would carry it away.
 *
 * @param {readonly number[]} values
 * @returns {Summary}
 */
export function summarize(values) {
  if (values.length === 0) throw new Error('Nothing was measured: a summary needs at least one value.');
  const bad = values.find((value) => !Number.isFinite(value));
  if (bad !== undefined) throw new Error(`A measured value is ${bad}; only finite numbers can be summarized.`);
  const series = [...values];
  const [q1, median, q3] = /** @type {number[]} */ (quantile(series, [0.25, 0.5, 0.75]));
  return { n: series.length, min: min(series), q1: q1 ?? NaN, median: median ?? NaN, q3: q3 ?? NaN, max: max(series) };
}

/**
 * The ratio within each pair, so that what the machine did to both at that moment cancels out.
 *
 * @param {readonly Pair[]} pairs
 * @param {Formula} formula
 * @returns {number[]}
 */
export function ratiosOf(pairs, formula) {
  return pairs.map(([baseline, subject]) =>
    formula === 'subject ÷ baseline' ? subject / baseline : baseline / subject,
  );
}
