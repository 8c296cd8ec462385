import { runRounds } from './rounds.mjs';

/** @typedef {import('./types.js').Round} Round */
/** @typedef {import('./types.js').SlicedSubject} SlicedSubject */
/** @typedef {import('./types.js').Subject} Subject */
/** @typedef {(Subject | SlicedSubject) & { readonly stop: () => Promise<void> }} Started */

/** Processes of each subject, one after the other: two of one program differ, all the time that they run. */
const PROCESSES = 3;

/**
 * Rounds of subjects that are processes; every third of the rounds has new ones.
 *
 * @param {object} plan
 * @param {readonly string[]} plan.names - with their controls
 * @param {(name: string) => Promise<Started>} plan.start
 * @param {number} plan.rounds - most rounds, of all processes together
 * @param {number} plan.budgetSeconds
 * @param {(line: string) => void} plan.log
 * @returns {Promise<Round[]>}
 */
export async function roundsOfProcesses({ names, start, rounds, budgetSeconds, log }) {
  /** @type {Round[]} */
  const measured = [];
  for (let process = 0; process < PROCESSES; process++) {
    /** @type {Started[]} */
    const subjects = [];
    try {
      for (const name of names) subjects.push(await start(name));
      const effort = { rounds: Math.ceil(rounds / PROCESSES), budgetSeconds: budgetSeconds / PROCESSES, log };
      measured.push(...(await runRounds({ subjects, ...effort })));
    } finally {
      await Promise.all(subjects.map((subject) => subject.stop()));
    }
  }
  return measured;
}
