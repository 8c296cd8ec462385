import { judge } from './goal.mjs';
import { ratiosOf, summarize } from './statistics.mjs';

/** @typedef {import('./types.js').Row} Row */
/** @typedef {import('./types.js').RowInput} RowInput */
/** @typedef {import('./types.js').Table} Table */
/** @typedef {import('./types.js').TableInput} TableInput */

/**
 * Turns measured values into what is written down: summaries, ratios and verdicts.
 *
 * @param {TableInput} input
 * @returns {Table}
 */
export function finishTable(input) {
  const { rows, ...table } = input;
  refuseWithoutControl(input);
  return {
    ...table,
    rows: rows.map((row) => (table.baseline === undefined ? absoluteRow(row) : ratioRow(row, input))),
  };
}

/** @param {TableInput} table */
function refuseWithoutControl({ id, baseline, formula, rows }) {
  if (baseline === undefined) return;
  if (formula === undefined) throw new Error(`Table ${id} has a baseline but does not say how its ratio is formed.`);
  if (!rows.some(({ control }) => control)) {
    throw new Error(`Table ${id} compares without a control: measure ${baseline} against itself in the same run.`);
  }
}

/**
 * @param {RowInput} row
 * @returns {Row}
 */
function absoluteRow({ subject, control = false, values = [], goal }) {
  const value = summarize(values);
  return { subject, control, value, ...(goal && { goal, verdict: judge(value, goal) }) };
}

/**
 * @param {RowInput} row
 * @param {TableInput} table
 * @returns {Row}
 */
function ratioRow({ subject, control = false, pairs = [], goal }, { formula = 'subject ÷ baseline' }) {
  const value = summarize(pairs.map((pair) => pair[1]));
  const ratio = summarize(ratiosOf(pairs, formula));
  return { subject, control, value, ratio, ...(goal && { goal, verdict: judge(ratio, goal) }) };
}

/**
 * Rows whose goal is missed: `<table id>/<subject>`, and whether the quartiles lie on both sides of the goal.
 *
 * @param {readonly Table[]} tables
 */
export function missedGoals(tables) {
  return tables.flatMap(({ id, rows }) =>
    rows.flatMap(({ subject, verdict }) =>
      verdict?.verdict === 'missed' ? [{ key: `${id}/${subject}`, close: verdict.close }] : [],
    ),
  );
}
