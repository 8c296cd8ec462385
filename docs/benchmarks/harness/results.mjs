import { judge, NO_VERDICT } from './goal.mjs';
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
  if (table.baseline === undefined) return { ...table, rows: rows.map(absoluteRow) };
  return { ...table, rows: judged(rows.map((row) => ratioRow(row, input))) };
}

/**
 * Verdicts, but where the control of a row says that the scale was crooked: the baseline against itself has to have 1.00 between
 * its quartiles.
 *
 * @param {readonly Row[]} rows
 * @returns {Row[]}
 */
function judged(rows) {
  return rows.map((row) => {
    const { ratio, goal } = row;
    if (ratio === undefined || goal === undefined) return row;
    return { ...row, verdict: isStraight(controlRow(rows, row)) ? judge(ratio, goal) : NO_VERDICT };
  });
}

/**
 * The control of a row: the one of its operation where a table has several operations.
 *
 * @param {readonly Row[]} rows
 * @param {Row} row
 */
export function controlRow(rows, { operation }) {
  return rows.find((row) => row.control && row.operation === operation);
}

/** @param {Row | undefined} control */
export function isStraight(control) {
  return control?.ratio !== undefined && control.ratio.q1 <= 1 && control.ratio.q3 >= 1;
}

/** @param {TableInput} table */
function refuseWithoutControl({ id, baseline, formula, rows }) {
  if (baseline === undefined) return;
  if (formula === undefined) throw new Error(`Table ${id} has a baseline but does not say how its ratio is formed.`);
  const controlled = new Set(rows.filter(({ control }) => control).map(({ operation }) => operation));
  if (controlled.size === 0 || rows.some(({ operation }) => !controlled.has(operation))) {
    throw new Error(`Table ${id} compares without a control: measure ${baseline} against itself in the same run.`);
  }
}

/**
 * @param {RowInput} row
 * @returns {Row}
 */
function absoluteRow({ subject, operation, control = false, values = [], goal }) {
  const value = summarize(values);
  return {
    subject,
    ...(operation && { operation }),
    control,
    value,
    ...(goal && { goal, verdict: judge(value, goal) }),
  };
}

/**
 * @param {RowInput} row
 * @param {TableInput} table
 * @returns {Row}
 */
function ratioRow({ subject, operation, control = false, pairs = [], goal }, { formula = 'subject ÷ baseline' }) {
  const value = summarize(pairs.map((pair) => pair[1]));
  const ratio = summarize(ratiosOf(pairs, formula));
  return { subject, ...(operation && { operation }), control, value, ratio, ...(goal && { goal }) };
}
