import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { type ProcessStatus, statusOfPs } from '../process/process-status.js';

/** Identifies a process, distinct from every other one that had or will have the same id. */
export interface ProcessIdentity {
  /** Where its id is valid: this host, this boot, this container. */
  readonly machine: string;
  readonly pid: number;
  /** When it started, as the system says it; `0` where it says nothing (Windows). */
  readonly start: string;
}

// A process id is meaningless after a reboot or in another container, so both are part of the machine's name.
const machine = createHash('sha256')
  .update([hostname(), textOf('/proc/sys/kernel/random/boot_id'), linkOf('/proc/self/ns/pid')].join('\n'))
  .digest('hex')
  .slice(0, 12);

/** Asks the system about the process that has an id now. */
type StatusReader = (pid: number) => ProcessStatus | undefined;

let own: ProcessIdentity | undefined;

/** This process. */
export function ownIdentity(): ProcessIdentity {
  return (own ??= identityOf(process.pid));
}

/** The process that has this id now. */
export function identityOf(pid: number, statusOf: StatusReader = systemStatus): ProcessIdentity {
  return { machine, pid, start: statusOf(pid)?.start ?? '0' };
}

/** Whether a process still runs. `unknown` when its id is in use and the start time is not known, or it runs on another machine. */
export function livenessOf(
  { machine: where, pid, start }: ProcessIdentity,
  statusOf: StatusReader = systemStatus,
): 'alive' | 'dead' | 'unknown' {
  if (where !== machine) return 'unknown';
  if (!isPidTaken(pid)) return 'dead';
  const status = statusOf(pid);
  if (status === undefined || start === '0') return 'unknown';
  return status.start === start && !status.ended ? 'alive' : 'dead';
}

/** Whether this machine has a process of that number, which may be another one than before. */
export function isPidTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

// proc(5): the second field is the name, in parentheses and with anything in it; the state is the third, the start the 22nd.
function statusInProc(pid: number): ProcessStatus | undefined {
  const text = textOf(`/proc/${pid}/stat`);
  const [state = '', ...others] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const start = others[18];
  // A zombie keeps its id until its parent reaps it, which in a container may be never.
  return start === undefined ? undefined : { start, ended: state === 'Z' || state === 'X' };
}

const SYSTEMS: Readonly<Partial<Record<NodeJS.Platform, StatusReader>>> = {
  linux: statusInProc,
  android: statusInProc,
  win32: () => undefined,
};

const systemStatus: StatusReader = (pid) => (SYSTEMS[process.platform] ?? statusOfPs)(pid);

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}
