import type { SpawnedChild } from './spawn-child.js';

const DRAIN_MS = 1_000;

/** Waits until all output of an ended child is read, but only a moment if a process that left the group (a daemon) holds the pipes open. */
export async function outputRead({ child, closed }: SpawnedChild): Promise<void> {
  if (!(await settlesWithin(closed, DRAIN_MS))) {
    child.stdout?.destroy();
    child.stderr?.destroy();
    child.stdin?.destroy();
  }
  await closed;
}

function settlesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((done) => {
    // Pipes are read in the poll phase, and after a blocked event loop the timer would fire before it: hence two further turns.
    const timer = setTimeout(() => setImmediate(() => setImmediate(done, false)), ms);
    void work.finally(() => {
      clearTimeout(timer);
      done(true);
    });
  });
}
