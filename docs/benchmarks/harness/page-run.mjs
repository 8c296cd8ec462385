import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { environmentOf, placeOf } from './releases.mjs';
import { BESIDE, JUDGED, RUNS } from './runs.mjs';

/** @typedef {import('./types.js').Results} Results */

/**
 * All runs of a page. Releases take turns from run to run, so that what changes on the machine within hours falls on all alike;
 * a run that fails ends them, because a page of the runs that went well would be a choice.
 *
 * @param {string} name - of the bench
 * @param {{ readonly args: readonly string[], readonly log: (line: string) => void }} plan - `args`: rounds and budget, the
 *   same for every run
 * @returns {import('./types.js').Release[]}
 */
export function runsOfPage(name, { args, log }) {
  const releases = [...BESIDE, ...JUDGED].map((node) => ({
    node,
    place: placeOf(node, log),
    runs: /** @type {Results[]} */ ([]),
  }));
  for (let run = 1; run <= RUNS; run++) {
    for (const { node, place, runs } of releases) {
      log(`${name} on Node ${node}: run ${run} of ${RUNS}`);
      // The first run builds; what the others measure is the same.
      runs.push(runIn(place, name, [...args, ...(run === 1 ? [] : ['--no-build'])]));
    }
  }
  return releases.map(({ node, runs }) => ({ node, runs }));
}

/**
 * One run in the place of a release.
 *
 * @type {(place: import('./releases.mjs').Place, name: string, args: readonly string[]) => Results}
 */
export function runIn({ node, folder }, name, args) {
  const results = mkdtempSync(path.join(tmpdir(), 'fw-bench-'));
  const file = path.join(results, 'results.json');
  try {
    const bench = path.join(folder, 'docs/benchmarks/run.mjs');
    const { status } = spawnSync(node, [bench, name, ...args, '--results', file], {
      cwd: folder,
      env: environmentOf(node),
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error(`A run of ${name} ended with ${status}, so there is no page; see above.`);
    return JSON.parse(readFileSync(file, 'utf8'));
  } finally {
    rmSync(results, { recursive: true });
  }
}
