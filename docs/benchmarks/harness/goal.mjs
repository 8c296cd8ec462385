/** @typedef {import('./types.js').Goal} Goal */
/** @typedef {import('./types.js').Summary} Summary */
/** @typedef {import('./types.js').Verdict} Verdict */

/**
 * Whether a goal is met: by the median, and `close` when the quartiles lie on both sides of it.
 *
 * @param {Summary} summary
 * @param {Goal} goal
 * @returns {Verdict}
 */
export function judge(summary, goal) {
  const meets = [summary.q1, summary.median, summary.q3].map((value) => reaches(value, goal));
  return { verdict: meets[1] ? 'met' : 'missed', close: meets[0] !== meets[2] };
}

/**
 * @param {number} value
 * @param {Goal} goal
 */
function reaches(value, { atMost, atLeast }) {
  if ((atMost === undefined) === (atLeast === undefined)) {
    throw new Error('A goal states exactly one of atMost and atLeast.');
  }
  return atMost === undefined ? value >= Number(atLeast) : value <= atMost;
}

/**
 * `≤ 3.2` or `≥ 1.5`.
 *
 * @param {Goal} goal
 */
export function goalInWords({ atMost, atLeast }) {
  return atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`;
}

/** Where the baseline did not equal itself, nothing that was measured with it is judged. */
export const NO_VERDICT = /** @type {Verdict} */ ({ verdict: 'none', close: false });

/**
 * `met`, `missed`, and how sure that is; or that the run cannot say.
 *
 * @param {Verdict} verdict
 */
export function verdictInWords({ verdict, close }) {
  if (verdict === 'none') return 'no verdict';
  return close ? `${verdict} (quartiles on both sides)` : verdict;
}
