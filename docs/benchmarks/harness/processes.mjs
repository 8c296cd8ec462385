import { runRounds } from './rounds.mjs';

/** @typedef {import('./types.js').Round} Round */
/** @typedef {import('./types.js').SlicedSubject} SlicedSubject */
/** @typedef {import('./types.js').Subject} Subject */
/** @typedef {(Subject | SlicedSubject) & { readonly stop: () => Promise<void> }} Started */

/**
 * Rounds of subjects that are processes. They are replaced by new ones now and then: two of one program differ, all the time
 * that they run.
 *
 * @param {object} plan
 * @param {readonly string[]} plan.names - with their controls
 * @param {(name: string) => Promise<Started>} plan.start
 * @param {number} plan.rounds - most rounds, of all processes together
 * @param {number} [plan.processes] - of each subject, one after the other; default 3
 * @param {number} plan.budgetSeconds
 * @param {(line: string) => void} plan.log
 * @returns {Promise<Round[]>}
 */
export async function roundsOfProcesses({ names, start, rounds, processes = 3, budgetSeconds, log }) {
  /** @type {Round[]} */
  const measured = [];
  for (let process = 0; process < processes; process++) {
    /** @type {Started[]} */
    const subjects = [];
    try {
      for (const name of names) subjects.push(await start(name));
      const effort = { rounds: Math.ceil(rounds / processes), budgetSeconds: budgetSeconds / processes, log };
      measured.push(...(await runRounds({ subjects, ...effort })));
    } finally {
      await Promise.all(subjects.map((subject) => subject.stop()));
    }
  }
  return measured;
}
