import { mkdir, writeFile } from 'node:fs/promises';
import { environment, loadNow, versionOf } from './environment.mjs';
import { goalInWords, verdictInWords } from './goal.mjs';
import { pageOf } from './page.mjs';
import { finishTable, missedGoals } from './results.mjs';

/** @typedef {import('./types.js').Bench} Bench */
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
    name: bench.name,
    title: bench.title,
    seconds: Math.round((performance.now() - from) / 100) / 10,
    environment: environment(loadBefore),
    versions: Object.fromEntries(packages.map((name) => [name, versionOf(name)])),
    tables,
  };
}

/**
 * Writes `results/<name>.json` and `<name>.md`.
 *
 * @param {Bench} bench
 * @param {Results} results
 */
export async function writeResults(bench, results) {
  await mkdir(new URL('results/', FOLDER), { recursive: true });
  await writeFile(new URL(`results/${bench.name}.json`, FOLDER), `${JSON.stringify(results, rounded, 2)}\n`);
  await writeFile(new URL(`${bench.name}.md`, FOLDER), pageOf(bench, results));
}

/**
 * Four significant digits are more than any of these numbers deserve.
 *
 * @param {string} _key
 * @param {unknown} value
 */
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
export function summaryOf(bench, { tables }) {
  const unexplained = missedGoals(tables).filter(({ key, close }) => !close && bench.notes?.[key] === undefined);
  return [
    ...tables.flatMap(tableLines),
    ...unexplained.map(({ key }) => `${key} misses its goal and the bench has no profile note for it.`),
  ].join('\n');
}

/** @param {Table} table */
function tableLines({ title, unit, rows }) {
  const width = Math.max(...rows.map(({ subject }) => subject.length));
  const lines = rows.map(({ subject, value, ratio, goal, verdict }) => {
    const of = ratio ? `  x ${ratio.median.toFixed(2)} (${ratio.q1.toFixed(2)}-${ratio.q3.toFixed(2)})` : '';
    const to = goal && verdict ? `  goal ${goalInWords(goal)}: ${verdictInWords(verdict)}` : '';
    return `  ${subject.padEnd(width)}  ${value.median.toFixed(1).padStart(9)} ${unit}${of}${to}`;
  });
  return ['', title, ...lines];
}
