import { type Browser, chromium } from 'playwright-core';
import { PATIENCE_MS } from './patience.js';
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

/** Starts Chromium. Its pages wait for what they are asked for as long as a slow and loaded machine takes, and not Playwright's 30 seconds. */
export async function launchBrowser(executablePath: string): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: PATIENCE_MS });
  const newContext = browser.newContext.bind(browser);
  // A browser has no time limit for all of its pages. Those that it opens by itself are in such a context, too.
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}
