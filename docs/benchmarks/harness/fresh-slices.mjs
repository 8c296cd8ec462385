import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onMeasuredCore } from './cores.mjs';

/** @typedef {import('./paired-slices.mjs').Operation} Operation */
/** @typedef {import('./paired-slices.mjs').SlicePair} SlicePair */

/**
 * What a module of subjects exports.
 *
 * @typedef {object} SliceModule
 * @property {(name: string, role: 'baseline' | 'subject') => Promise<OpenSubject>} open - the two of a pair are opened
 *   apart, even when they have the same name, so that a control does not share connections or caches
 * @property {(operation: string, baseline: unknown, subject: unknown) => unknown} check - throws unless both results are
 *   those of the same work
 */

/**
 * @typedef {object} OpenSubject
 * @property {Readonly<Record<string, Operation>>} operations
 * @property {(operation: string) => unknown} [betweenPairs] - before each pair of slices, not timed
 * @property {(operation: string) => unknown} [reset] - after an operation was measured: drops the rows that it wrote
 * @property {() => unknown} [close]
 */

/**
 * @typedef {object} SliceJob
 * @property {string} module - URL of a {@link SliceModule}
 * @property {string} baseline
 * @property {string} subject
 * @property {readonly string[]} operations - those that one of the two does not have are left out
 * @property {number} [processes] - one after the other, which share the slices: two of one program differ, all the time that
 *   they run. Default 1
 * @property {number} [slices] - default 30
 * @property {number} [sliceMs]
 * @property {number} [warmMs]
 * @property {number} [warmCalls]
 */

const WORKER = fileURLToPath(new URL('slice-worker.mjs', import.meta.url));

/**
 * Paired slices of one subject against the baseline, in fresh processes.
 *
 * @param {SliceJob} job
 * @returns {Promise<Record<string, SlicePair[]>>} by operation
 */
export async function slicesInFreshProcesses({ processes = 1, slices = 30, ...job }) {
  /** @type {Record<string, SlicePair[]>} */
  const all = {};
  for (let started = 0; started < processes; started++) {
    const pairs = await slicesInFreshProcess({ ...job, slices: Math.ceil(slices / processes) });
    for (const [operation, some] of Object.entries(pairs)) (all[operation] ??= []).push(...some);
  }
  return all;
}

/** @type {(job: SliceJob) => Promise<Record<string, SlicePair[]>>} */
async function slicesInFreshProcess(job) {
  const child = fork(WORKER, [], { ...onMeasuredCore(), env: { ...process.env, NODE_ENV: 'production' } });
  child.send(job);
  const answer = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  const [message] = /** @type {[{ pairs?: Record<string, SlicePair[]>, failed?: string } | number | null]} */ (answer);
  if (typeof message === 'object' && message?.pairs) return message.pairs;
  const reason = typeof message === 'object' && message?.failed ? message.failed : `it ended with ${message}`;
  throw new Error(`${job.subject} against ${job.baseline} could not be measured: ${reason}`);
}
