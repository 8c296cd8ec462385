import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const WINDOWS = process.platform === 'win32';
const FIRST_LOOK_MS = 5;
const LONGEST_PAUSE_MS = 100;

/**
 * Sends a signal to every process of a group.
 * @param pid - of the process that leads the group
 * @returns false when no process is left to receive it
 */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(WINDOWS ? pid : -pid, signal);
    return true;
  } catch {
    // ESRCH: no process is left. EPERM: those left run as another user (setuid) and cannot be signalled.
    return false;
  }
}

/**
 * Ends every process of a group: SIGTERM, and SIGKILL for those still there after the grace time. Resolves when no process is left or
 * SIGKILL was sent; at once for an empty group.
 */
export async function endGroup(pid: number, graceMs: number): Promise<void> {
  if (WINDOWS) return endTreeOnWindows(pid);
  if (!signalGroup(pid, 'SIGTERM')) return;
  // A stopped process handles SIGTERM only after SIGCONT.
  signalGroup(pid, 'SIGCONT');
  if (await isGoneWithin(pid, graceMs)) return;
  signalGroup(pid, 'SIGKILL');
}

async function isGoneWithin(pid: number, graceMs: number): Promise<boolean> {
  const deadline = performance.now() + graceMs;
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    if (!(await hasLivingMember(pid))) return true;
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await delay(Math.min(pause, left));
  }
}

async function hasLivingMember(pid: number): Promise<boolean> {
  if (!signalGroup(pid, 0)) return false;
  if (process.platform !== 'linux') return true;
  // Without /proc it is only known that the group has a process.
  const processes = await readdir('/proc').catch(() => undefined);
  if (!processes) return true;
  const members = await Promise.all(processes.filter(isNumber).map((each) => isLivingMember(each, pid)));
  return members.includes(true);
}

const isNumber = (name: string): boolean => /^\d+$/.test(name);

// Orphans that ended stay as zombies, and answer signals, where process 1 does not reap them (a container whose process 1
// is the application). proc(5): "pid (name) state ppid pgrp ..."; the name may contain blanks and parentheses.
async function isLivingMember(id: string, group: number): Promise<boolean> {
  const text = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
  const [state, , pgrp] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return Number(pgrp) === group && state !== 'Z' && state !== 'X';
}

// Windows has neither groups nor SIGTERM: the tree below the process is ended by the system's own tool.
async function endTreeOnWindows(pid: number): Promise<void> {
  const { spawn } = await import('node:child_process');
  return new Promise((done) => {
    const killer = spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    killer.once('error', () => {
      signalGroup(pid, 'SIGKILL');
      done();
    });
    killer.once('exit', () => done());
  });
}
