import { mkdir, writeFile } from 'node:fs/promises';
import { environment, loadNow, versionOf } from './environment.mjs';
import { goalInWords, verdictInWords } from './goal.mjs';
import { pageOf } from './page.mjs';
import { finishTable } from './results.mjs';
import { missedGoals } from './runs.mjs';

/** @typedef {import('./types.js').Bench} Bench */
/** @typedef {import('./types.js').PageResults} PageResults */
/** @typedef {import('./types.js').Results} Results */
/** @typedef {import('./types.js').RunSettings} RunSettings */
/** @typedef {import('./types.js').Table} Table */

const FOLDER = new URL('../', import.meta.url);

/**
 * Measures, and turns what was measured into results.
 *
 * @param {Bench} bench
 * @param {RunSettings} settings
 * @returns {Promise<Results>}
 */
export async function runBench(bench, settings) {
  const loadBefore = loadNow();
  const from = performance.now();
  const tables = (await bench.measure(settings)).map(finishTable);
  const packages = [...new Set(bench.peers.flatMap((peer) => peer.packages))];
  return {
    seconds: Math.round((performance.now() - from) / 100) / 10,
    environment: environment(loadBefore),
    versions: Object.fromEntries(packages.map((name) => [name, versionOf(name)])),
    tables,
  };
}

/**
 * Writes `results/<name>.json`, a row a line, and `<name>.md`.
 *
 * @param {Bench} bench
 * @param {PageResults} results
 */
export async function writePage(bench, results) {
  await mkdir(new URL('results/', FOLDER), { recursive: true });
  await writeFile(new URL(`results/${bench.name}.json`, FOLDER), `${rowsOnLines(results)}\n`);
  await writeFile(new URL(`${bench.name}.md`, FOLDER), pageOf(bench, results));
}

/** @param {PageResults} results */
function rowsOnLines(results) {
  /** @type {string[]} */
  const rows = [];
  // Four significant digits are more than any of these numbers deserve.
  const text = JSON.stringify(
    results,
    (key, value) => {
      if (key === 'rows')
        return value.map((/** @type {unknown} */ row) => `row ${rows.push(JSON.stringify(row, rounded)) - 1}`);
      return rounded(key, value);
    },
    2,
  );
  return text.replace(/"row (\d+)"/g, (_, at) => String(rows[at]));
}

/** @type {(key: string, value: unknown) => unknown} */
function rounded(_key, value) {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
}

/**
 * The results as lines for a terminal.
 *
 * @param {Bench} bench
 * @param {Results} results
 * @returns {string}
 */
export function summaryOf(bench, { environment: at, tables }) {
  const unexplained = missedGoals(tables).filter(({ key, close }) => !close && bench.notes?.[key] === undefined);
  return [
    `Node ${at.node} on ${at.cores} cores of ${at.cpu}, commit ${at.commit}, load average ${at.loadBefore} before and ${at.loadAfter} after`,
    ...tables.flatMap(tableLines),
    ...tables
      .filter(hasNoVerdict)
      .map(({ title, baseline }) => `No verdict in "${title}": ${baseline} did not equal itself.`),
    ...unexplained.map(({ key }) => `${key} misses its goal and the bench has no profile note for it.`),
  ].join('\n');
}

/** @param {Table} table */
function hasNoVerdict({ rows }) {
  return rows.some(({ verdict }) => verdict?.verdict === 'none');
}

/** @param {Table} table */
function tableLines({ title, unit, rows }) {
  const width = Math.max(...rows.map(({ subject }) => subject.length));
  const lines = rows.map(({ subject, value, ratio, goal, verdict }) => {
    const of = ratio ? `  x ${ratio.median.toFixed(2)} (${ratio.q1.toFixed(2)}-${ratio.q3.toFixed(2)})` : '';
    const to = goal && verdict ? `  goal ${goalInWords(goal)}: ${verdictInWords(verdict)}` : '';
    return `  ${subject.padEnd(width)}  ${value.median.toFixed(Math.abs(value.median) < 10 ? 2 : 1).padStart(9)} ${unit}${of}${to}`;
  });
  return ['', title, ...lines];
}
