/** Longest time that {@link until} waits, in milliseconds: shorter than a test may take, so that the test says what was missing. */
const LIMIT_MS = 15_000;

/**
 * Waits until something that happens elsewhere has happened.
 *
 * @param isThere - asked again and again
 * @param what - for the error, e.g. `a violation`
 * @throws Error when it has not happened in 15 seconds
 */
export async function until(isThere: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  while (!(await isThere())) {
    if (performance.now() > end) throw new Error(`There was no ${what} within ${LIMIT_MS} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
