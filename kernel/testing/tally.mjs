// How much a test tried, for `npm run trust`, which names a folder in FW_TRUST_TALLY. Elsewhere nothing is counted.
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@jest/globals';

/**
 * Adds to what the running test is told to have tried.
 *
 * @param {{ readonly tried: number, readonly lost?: number }} counted - cases, and things that were there before a fault and neither
 *   there nor told of after it
 */
export function tally({ tried, lost = 0 }) {
  const folder = process.env['FW_TRUST_TALLY'];
  if (!folder) return;
  const { testPath, currentTestName } = expect.getState();
  const line = JSON.stringify({ file: testPath, test: currentTestName, tried, lost });
  appendFileSync(path.join(folder, `${process.pid}.jsonl`), `${line}\n`);
}
