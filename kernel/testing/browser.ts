import { describeIfThere } from './required-service.js';

export { findBrowser } from './find-browser.js';

const HINT = 'no Chromium on this machine: apt-get install chromium, or set FW_TEST_CHROMIUM to its path';

/**
 * Declares tests that drive a real browser. Without one they are skipped with one line; `FW_TEST_REQUIRE=all` turns the skip
 * into a failure.
 *
 * @example describeWithBrowser(await findBrowser(), 'the page', (executablePath) => { ... });
 */
export function describeWithBrowser(
  executablePath: string | undefined,
  name: string,
  tests: (executablePath: string) => void,
): void {
  describeIfThere(executablePath, HINT, name, tests);
}
