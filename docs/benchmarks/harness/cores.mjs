import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';

/** The core that a measured process has to itself, with all of its threads, and the one for what drives it. */
const [MEASURED, DRIVING] = [0, 1];
/** Part of util-linux, which every distribution has. */
const TASKSET = '/usr/bin/taskset';

const canPin = os.platform() === 'linux' && os.cpus().length > DRIVING && existsSync(TASKSET);

/**
 * Moves this process, and all that it starts from now on, off the core of what is measured. Where that cannot be done (one core,
 * or no `taskset`), the scheduler decides.
 */
export function leaveMeasuredCore() {
  if (!canPin) return;
  const { status, stderr } = spawnSync(TASKSET, ['-acp', String(DRIVING), String(process.pid)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The benchmark could not be kept on core ${DRIVING}: ${stderr}`);
}

/**
 * Moves threads of other programs off the core of what is measured: those of a database, which would share it in one run and not
 * in the next. Where that is not allowed, or they run on another machine, the scheduler decides.
 *
 * @param {readonly number[]} threads - as the operating system counts them
 */
export function keepOffMeasuredCore(threads) {
  if (!canPin) return;
  for (const thread of threads) spawnSync(TASKSET, ['-cp', String(DRIVING), String(thread)]);
}

/**
 * Options of `fork` that start a process on the measured core.
 *
 * @param {readonly string[]} [flags] - of Node
 * @returns {{ readonly execPath: string, readonly execArgv: string[] }}
 */
export function onMeasuredCore(flags = []) {
  if (!canPin) return { execPath: process.execPath, execArgv: [...flags] };
  return { execPath: TASKSET, execArgv: ['-c', String(MEASURED), process.execPath, ...flags] };
}

/** What the pages say of it. */
export const CORES = canPin
  ? 'What is measured has a core of its own, with all of its threads; what drives it runs on another.'
  : 'The scheduler decides which core does what.';
