import { assertWanted } from '../dialect/index.js';
import { isBusy } from './sqlite-errors.js';

const LONGEST_PAUSE = 50;

/**
 * Does again what another process has kept from being done, without blocking this one, until it is done or patience ends.
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
    // It must not be done behind the caller's back.
    assertWanted(givenUp);
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error;
    }
  }
}
