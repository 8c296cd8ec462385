import { signalGroup } from './process-group.js';

const live = new Set<number>();

/** Remembers a group, so that it ends with this process should this process exit first. */
export function rememberGroup(pid: number): void {
  if (live.size === 0) process.on('exit', endAll);
  live.add(pid);
}

/** Forgets a group that has ended; the last one takes the listener with it. */
export function forgetGroup(pid: number): void {
  live.delete(pid);
  if (live.size === 0) process.off('exit', endAll);
}

// Nothing asynchronous runs any more on exit, so there is no grace time.
function endAll(): void {
  for (const pid of live) signalGroup(pid, 'SIGKILL');
}
