import type { SpawnedChild } from './spawn-child.js';

const DRAIN_MS = 1_000;

/**
 * Waits until the output of a child that has ended is read to its end. A process that left the group (a daemon) may hold the pipes for ever:
 * it is not waited for longer than a moment.
 */
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
    // What lies in the pipes is read in the poll phase; after a blocked event loop the timer would come first.
    const timer = setTimeout(() => setImmediate(() => setImmediate(done, false)), ms);
    void work.finally(() => {
      clearTimeout(timer);
      done(true);
    });
  });
}
