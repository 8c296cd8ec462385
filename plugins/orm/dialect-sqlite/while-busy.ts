import { assertWanted } from '../dialect/index.js';
import { isBusy } from './sqlite-errors.js';

const LONGEST_PAUSE = 50;

/**
 * Retries work that another process's lock prevents, without blocking this process, until it succeeds or the patience ends.
 *
 * @param patience - milliseconds
 * @param givenUp - fires when nobody waits for it any more
 * @returns what `work` gives; its last error is thrown as it is
 */
export async function whileBusy<Result>(patience: number, work: () => Result, givenUp?: AbortSignal): Promise<Result> {
  const until = performance.now() + patience;
  // Loaded with the first wait, as for the retries of transactions.
  const { setTimeout: delay } = await import('node:timers/promises');
  for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    await delay(pause, undefined, { signal: givenUp }).catch(() => undefined);
    // Not retried after the caller has given up.
    assertWanted(givenUp);
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error;
    }
  }
}
