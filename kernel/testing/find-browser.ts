import { findCommand } from '../process/index.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** A Chromium of this machine; undefined when there is none. `FW_TEST_CHROMIUM` names one in an unusual place. */
export async function findBrowser(): Promise<string | undefined> {
  const named = process.env['FW_TEST_CHROMIUM'];
  return (await findCommand(named ? [named] : NAMES))?.path;
}
