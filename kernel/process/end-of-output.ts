import { settlesWithin } from '../contracts/settles-within.js';
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
