import path from 'node:path';
import { filesOf } from './campaigns.mjs';

/**
 * @typedef {{ readonly file: string, readonly test: string, readonly tried: number, readonly lost: number }} Tally
 * @typedef {{ readonly name: string, readonly status: string, readonly assertionResults: readonly { readonly fullName: string, readonly status: string }[] }} FileResult
 * @typedef {{ readonly what: string, readonly tests: readonly string[], readonly tried: number, readonly failures: number, readonly lost: number, readonly notRun: number, readonly plain?: number }} MeasuredRow
 */

/**
 * What each row tried: the cases that its tests counted, and one for each test that counts none.
 *
 * @param {readonly import('./campaigns.mjs').Row[]} rows
 * @param {{ readonly testResults: readonly FileResult[] }} results - what jest writes with `--json`
 * @param {readonly Tally[]} tallies
 * @param {string} root - folder that the files of rows are told from
 * @returns {MeasuredRow[]}
 */
export function rowsOf(rows, { testResults }, tallies, root) {
  return rows.map((row) => {
    const { what, tests } = row;
    const files = new Set(filesOf(row).map((file) => path.join(root, file)));
    const ran = testResults.filter(({ name }) => files.has(name));
    if (ran.length !== files.size) throw new Error(`Not every test file of "${what}" was run.`);
    const counted = tallies.filter(({ file }) => files.has(file));
    const counting = new Set(counted.map(({ file, test }) => `${file} ${test}`));
    const plain = ran.flatMap(({ name, assertionResults }) =>
      assertionResults.filter(({ fullName }) => !counting.has(`${name} ${fullName}`)),
    );
    const isFailed = (/** @type {{ readonly status: string }} */ { status }) => status === 'failed';
    const unloaded = ran.filter((file) => isFailed(file) && !file.assertionResults.some(isFailed));
    const sum = (/** @type {'tried' | 'lost'} */ count) => counted.reduce((all, each) => all + each[count], 0);
    const ranPlain = plain.filter(({ status }) => status !== 'pending').length;
    return {
      ...{ what, tests },
      tried: sum('tried') + ranPlain,
      // Of these, so many are tests that count no cases: they try the same in each run.
      plain: ranPlain,
      failures: ran.flatMap(({ assertionResults }) => assertionResults.filter(isFailed)).length + unloaded.length,
      lost: sum('lost'),
      notRun: plain.filter(({ status }) => status === 'pending').length,
    };
  });
}
