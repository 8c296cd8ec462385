import { median } from 'simple-statistics';
import { judge, NO_VERDICT } from './goal.mjs';
import { controlRow, isStraight } from './results.mjs';
import { summarize } from './statistics.mjs';

/** @typedef {import('./types.js').Results} Results */
/** @typedef {import('./types.js').Row} Row */
/** @typedef {import('./types.js').RowOfRuns} RowOfRuns */
/** @typedef {import('./types.js').Table} Table */
/** @typedef {import('./types.js').TableOfRuns} TableOfRuns */

/** Runs of a page, of each release. Fixed beforehand, and all of them are shown: a run that disappoints cannot be left out. */
export const RUNS = 5;

/** Releases that people run: goals are judged on them. */
export const JUDGED = ['24', '26'];
/** The oldest release that is supported, shown beside them. */
export const BESIDE = ['20'];

/**
 * The tables of several runs of one release as one: a verdict is that of the median over the runs.
 *
 * @param {readonly Results[]} runs
 * @returns {TableOfRuns[]}
 */
export function tablesOfRuns(runs) {
  const [first] = runs;
  if (first === undefined) throw new Error('There is no run to show.');
  return first.tables.map((table) => {
    const same = runs.map(({ tables }) => named(tables, table.id));
    const { rows, ...rest } = table;
    return { ...rest, rows: rows.map((row) => rowOfRuns(row, same)) };
  });
}

/** @type {(tables: readonly Table[], id: string) => Table} */
function named(tables, id) {
  const table = tables.find((each) => each.id === id);
  if (table === undefined) throw new Error(`A run has no table ${id}, so it measured something else than the others.`);
  return table;
}

/** @type {(row: Row, tables: readonly Table[]) => RowOfRuns} */
function rowOfRuns({ subject, operation, control, goal }, tables) {
  const runs = tables.length;
  const rows = tables.map((table) => ({ table, row: rowNamed(table, subject) }));
  const medians = rows.map(({ row }) => (row.ratio ?? row.value).median);
  const crooked = rows.flatMap(({ table, row }, at) =>
    table.baseline === undefined || isStraight(controlRow(table.rows, row)) ? [] : [at],
  );
  const straight = medians.filter((_, at) => !crooked.includes(at));
  return {
    ...{ subject, ...(operation && { operation }), control, medians, crooked },
    median: median(straight.length > 0 ? straight : [...medians]),
    value: median(rows.map(({ row }) => row.value.median)),
    ...(goal && { goal, verdict: straight.length * 2 > runs ? judge(summarize(straight), goal) : NO_VERDICT }),
  };
}

/** @type {(table: Table, subject: string) => Row} */
function rowNamed({ id, rows }, subject) {
  const row = rows.find((each) => each.subject === subject);
  if (row === undefined) throw new Error(`A run has no ${subject} in table ${id}.`);
  return row;
}

/**
 * Rows whose goal is missed: `<table id>/<subject>`, and whether the runs lie on both sides of the goal.
 *
 * @param {readonly (Table | TableOfRuns)[]} tables
 */
export function missedGoals(tables) {
  return tables.flatMap(({ id, rows }) =>
    rows.flatMap(({ subject, verdict }) =>
      verdict?.verdict === 'missed' ? [{ key: `${id}/${subject}`, close: verdict.close }] : [],
    ),
  );
}
