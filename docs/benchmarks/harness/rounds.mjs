import { mean, shuffle } from 'simple-statistics';

/** @typedef {import('./types.js').Formula} Formula */
/** @typedef {import('./types.js').Goal} Goal */
/** @typedef {import('./types.js').Pair} Pair */
/** @typedef {import('./types.js').Round} Round */
/** @typedef {import('./types.js').RowInput} RowInput */
/** @typedef {import('./types.js').Sample} Sample */
/** @typedef {import('./types.js').SlicedSubject} SlicedSubject */
/** @typedef {import('./types.js').Subject} Subject */
/** @typedef {import('./types.js').TableInput} TableInput */

/** Slices of a sliced subject in one round. */
const SLICES = 10;

/** Fewer pairs than this say nothing about quartiles, whatever the budget. */
const FEWEST_ROUNDS = 5;

/**
 * The baseline a second time, under a name of its own: what the two differ by is the noise of the machine.
 *
 * @param {Subject} baseline
 * @returns {Subject}
 */
export function controlOf(baseline) {
  return { ...baseline, name: controlName(baseline.name) };
}

/** @param {string} baseline */
export function controlName(baseline) {
  return `${baseline} (A/A)`;
}

/**
 * Measures subjects side by side: in each round every subject once, in an order that is shuffled anew. A subject that does
 * not do the work is refused before anything is timed; the first round is for the machine's caches and is thrown away. Sliced
 * subjects take turns within a round, so that what drifts on the machine falls on all alike.
 *
 * @param {object} plan
 * @param {readonly (Subject | SlicedSubject)[]} plan.subjects - with their controls
 * @param {number} plan.rounds - most rounds
 * @param {number} [plan.budgetSeconds] - no round begins after it, checks and warm-up included, once there are five
 * @param {number} [plan.warmupRounds] - default 1
 * @param {(line: string) => void} [plan.log]
 * @param {() => number} [plan.random] - for tests
 * @param {() => number} [plan.now] - milliseconds; for tests
 * @returns {Promise<Round[]>}
 */
export async function runRounds(plan) {
  const { subjects, rounds, budgetSeconds = Infinity, warmupRounds = 1, log = () => {} } = plan;
  const { random = Math.random, now = () => performance.now() } = plan;
  const from = now();
  for (const subject of subjects) await checked(subject);
  for (let round = 0; round < warmupRounds; round++) await oneRound(subjects, random);
  /** @type {Round[]} */
  const done = [];
  while (done.length < rounds && (done.length < FEWEST_ROUNDS || now() - from < budgetSeconds * 1000)) {
    done.push(await oneRound(subjects, random));
    log(`round ${done.length} of at most ${rounds}, ${Math.round((now() - from) / 1000)} s`);
  }
  return done;
}

/** @param {Subject | SlicedSubject} subject */
async function checked(subject) {
  try {
    await subject.check();
  } catch (cause) {
    throw new Error(`${subject.name} does not do the work that the others do, so it is not timed.`, { cause });
  }
}

/**
 * @param {readonly (Subject | SlicedSubject)[]} subjects
 * @param {() => number} random
 * @returns {Promise<Round>}
 */
async function oneRound(subjects, random) {
  /** @type {Record<string, Sample>} */
  const round = {};
  const sliced = [];
  for (const subject of shuffle([...subjects], random)) {
    if ('begin' in subject) sliced.push({ name: subject.name, samples: [], slices: await subject.begin() });
    else round[subject.name] = await subject.sample();
  }
  await takeTurns(sliced, random);
  for (const { name, samples } of sliced) round[name] = meansOf(samples);
  return round;
}

/** @typedef {{ readonly samples: Sample[], readonly slices: import('./types.js').Slices }} Sliced */

/** @type {(sliced: readonly Sliced[], random: () => number) => Promise<void>} */
async function takeTurns(sliced, random) {
  for (let turn = 0; turn < SLICES; turn++) {
    for (const { samples, slices } of shuffle([...sliced], random)) samples.push(await slices.sample());
  }
  for (const { slices } of sliced) slices.end();
}

/** @type {(samples: readonly Sample[]) => Sample} */
function meansOf(samples) {
  const metrics = Object.keys(samples[0] ?? {});
  return Object.fromEntries(metrics.map((metric) => [metric, mean(samples.map((sample) => Number(sample[metric])))]));
}

/**
 * A table of one metric over rounds, with the control as its first row.
 *
 * @param {readonly Round[]} rounds
 * @param {object} table
 * @param {string} table.id
 * @param {string} table.title
 * @param {string} table.metric
 * @param {string} table.unit
 * @param {string} table.baseline
 * @param {string} [table.besideMetric] - where each sample measured the baseline itself, right beside the subject: the metric
 *   of that value. Without it the baseline is the sample of that name in the same round
 * @param {Formula} table.formula
 * @param {readonly string[]} table.subjects
 * @param {Readonly<Record<string, Goal>>} [table.goals]
 * @returns {TableInput}
 */
export function tableOfRounds(rounds, table) {
  const { id, title, metric, unit, baseline, besideMetric, formula, subjects, goals = {} } = table;
  /** @type {(round: Round, name: string) => number} */
  const baselineOf = (round, name) => (besideMetric ? read(round, name, besideMetric) : read(round, baseline, metric));
  /** @type {(name: string) => Pair[]} */
  const pairs = (name) => rounds.map((round) => [baselineOf(round, name), read(round, name, metric)]);
  const control = controlName(baseline);
  /** @type {RowInput[]} */
  const rows = [{ subject: control, control: true, pairs: pairs(control) }];
  for (const name of subjects) {
    const goal = goals[name];
    rows.push({ subject: name, pairs: pairs(name), ...(goal && { goal }) });
  }
  return { id, title, unit, baseline, formula, rows };
}

/**
 * @param {Round} round
 * @param {string} subject
 * @param {string} metric
 */
function read(round, subject, metric) {
  const value = round[subject]?.[metric];
  if (value === undefined) throw new Error(`${subject} has no metric ${metric}; its sample has to state it.`);
  return value;
}
