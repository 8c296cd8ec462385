import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';

/** The core that a measured process has to itself, with all of its threads, and the one for what drives it. */
const [MEASURED, DRIVING] = [0, 1];
/** Parts of util-linux, which every distribution has. */
const TASKSET = '/usr/bin/taskset';
const CHRT = '/usr/bin/chrt';

const canPin = os.platform() === 'linux' && os.cpus().length > DRIVING && existsSync(TASKSET);
const canSpin = canPin && existsSync(CHRT);

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

/** Ends with the process that started it, however that ends; asks for that once in some milliseconds. */
const SPIN = `while (process.ppid === ${process.pid}) for (let n = 0; n < 1e7; n++);`;

/**
 * Keeps both cores from halting while what is measured waits for a server: to wake a halted core, a virtual one above all, takes
 * longer than a query, though not each time. A process that spins on each does it; the scheduler runs it only when nothing else
 * wants the core (SCHED_IDLE). Without `chrt` cores halt as they will.
 *
 * @returns {() => void} ends it
 */
export function keepCoresAwake() {
  if (!canSpin) return () => {};
  const spinning = [MEASURED, DRIVING].map((core) =>
    spawn(TASKSET, ['-c', String(core), CHRT, '--idle', '0', process.execPath, '-e', SPIN], { stdio: 'ignore' }),
  );
  return () => spinning.forEach((each) => each.kill('SIGKILL'));
}

/** What the pages say of {@link keepCoresAwake}. */
export const AWAKE = canSpin
  ? 'A process of idle priority spins on each core meanwhile, so that none halts: waking one takes longer than a query.'
  : 'Cores halt while nothing is to be done.';

/** What the pages say of {@link onMeasuredCore} and {@link leaveMeasuredCore}. */
export const CORES = canPin
  ? 'What is measured has a core of its own, with all of its threads; what drives it runs on another.'
  : 'The scheduler decides which core does what.';
