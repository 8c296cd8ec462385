import { findCommand } from '../process/index.js';

// First the one without windows, which takes half of the processor time for the same page (https://developer.chrome.com/blog/chrome-headless-shell).
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** A Chromium of this machine; undefined when there is none. `FW_TEST_CHROMIUM` names one in an unusual place. */
export async function findBrowser(): Promise<string | undefined> {
  const named = process.env['FW_TEST_CHROMIUM'];
  return (await findCommand(named ? [named] : NAMES))?.path;
}
