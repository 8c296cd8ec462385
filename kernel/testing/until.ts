import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS } from './patience.js';

/** First and longest pause between two calls, in milliseconds; the pause grows in between. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [2, 100];

/**
 * Calls `look` until it finds something.
 *
 * @param look - called repeatedly; a truthy result ends the wait
 * @param what - for the error, e.g. `violation`
 * @param limitMs - longest time to wait, in milliseconds
 * @returns what `look` found
 * @throws Error when it found nothing in that time; what `look` throws
 */
export async function until<Found>(
  look: () => Found | Promise<Found>,
  what: string,
  limitMs = PATIENCE_MS,
): Promise<NonNullable<Exclude<Found, false>>> {
  const end = performance.now() + limitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5)) {
    const found = await look();
    if (found) return found as NonNullable<Exclude<Found, false>>;
    if (performance.now() > end) throw new Error(`There was no ${what} within ${limitMs} ms.`);
    // Of Node itself: it passes also where a test holds the timers of what it tests.
    await delay(pauseMs);
  }
}
