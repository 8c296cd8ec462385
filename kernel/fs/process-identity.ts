import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Which process did something, told apart from any other one that had or will have its number. */
export interface ProcessIdentity {
  /** Where its number counts: this host, this boot, this container. */
  readonly machine: string;
  readonly pid: number;
  /** When it started, in the system's own ticks; `0` where that cannot be learnt (everywhere but on Linux). */
  readonly start: string;
}

// A number means nothing after a reboot or in another container: both belong to the name of the machine.
const machine = createHash('sha256')
  .update([hostname(), textOf('/proc/sys/kernel/random/boot_id'), linkOf('/proc/self/ns/pid')].join('\n'))
  .digest('hex')
  .slice(0, 12);

/** This process. */
export function ownIdentity(): ProcessIdentity {
  return { machine, pid: process.pid, start: statusOf(process.pid)?.start ?? '0' };
}

/**
 * Whether a process still runs. `unknown` when its number is taken and nobody can say by whom, or it is of another machine.
 */
export function livenessOf({ machine: where, pid, start }: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
  if (where !== machine) return 'unknown';
  if (!isNumberTaken(pid)) return 'dead';
  const status = statusOf(pid);
  if (status === undefined || start === '0') return 'unknown';
  return status.start === start && !status.ended ? 'alive' : 'dead';
}

function isNumberTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

// proc(5): the second field is the name, in parentheses and with anything in it; the state is the third, the start the 22nd.
function statusOf(pid: number): { readonly start: string; readonly ended: boolean } | undefined {
  const text = textOf(`/proc/${pid}/stat`);
  const [state = '', ...others] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const start = others[18];
  // A killed process keeps its number until its parent asks for it, which in a container may be never.
  return start === undefined ? undefined : { start, ended: state === 'Z' || state === 'X' };
}

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
