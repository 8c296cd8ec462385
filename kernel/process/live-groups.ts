import { signalGroup } from './process-group.js';

const live = new Set<number>();

/** Registers a process group that is killed when this process exits. */
export function rememberGroup(pid: number): void {
  if (live.size === 0) process.on('exit', endAll);
  live.add(pid);
}

/** Unregisters a group that has ended; after the last one the exit listener is removed. */
export function forgetGroup(pid: number): void {
  live.delete(pid);
  if (live.size === 0) process.off('exit', endAll);
}

// Asynchronous code does not run on exit, so there is no grace time.
function endAll(): void {
  for (const pid of live) signalGroup(pid, 'SIGKILL');
}
