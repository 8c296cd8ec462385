import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const LONGEST_REASON = 300;

/**
 * The failures of a jest run in short, for the end of its output, so that nobody has to search a long log for them.
 *
 * @param results - what jest writes with `--json`
 * @param root - folder that file names are relative to
 * @returns two lines for each failed test, and for each file that failed outside of its tests (it does not load, or its `afterAll` throws):
 *   the place, and the first line of the message
 */
export function failedTests(results, root) {
  return results.testResults.filter(({ status }) => status === 'failed').flatMap((file) => failuresOf(file, root));
}

function failuresOf({ name, message, assertionResults }, root) {
  const file = path.relative(root, name);
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return [`${file}\n    ${reasonOf(message)}`];
  return failed.map(
    ({ ancestorTitles, title, failureMessages }) =>
      `${[file, ...ancestorTitles, title].join(' › ')}\n    ${reasonOf(failureMessages.join('\n'))}`,
  );
}

/**
 * What a machine would need for the tests that were skipped, each need once.
 *
 * @param results - what jest writes with `--json`
 * @returns a line for each need: how many files wait for it, and what to set or install (kernel/testing/required-service.ts)
 */
export function missingNeeds(results) {
  const needs = new Map();
  for (const { name, assertionResults } of results.testResults)
    for (const { status, title } of assertionResults) {
      const need = status === 'pending' ? /^skipped, .*?: (.*)$/.exec(title)?.[1] : undefined;
      if (need !== undefined) needs.set(need, (needs.get(need) ?? new Set()).add(name));
    }
  return [...needs].map(([need, files]) => `${files.size} ${files.size === 1 ? 'file' : 'files'}: ${need}`);
}

/**
 * The slowest test files.
 *
 * @param results - what jest writes with `--json`
 * @param root - folder that file names are relative to
 * @param most - how many files
 * @returns a line for each: the seconds that it took, and its name
 */
export function slowestFiles(results, root, most) {
  return results.testResults
    .map(({ name, startTime, endTime }) => ({ file: path.relative(root, name), seconds: (endTime - startTime) / 1000 }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, most)
    .map(({ file, seconds }) => `${seconds.toFixed(0).padStart(4)} s  ${file}`);
}

// Jest reports the failure of a file like that of a test, below a title of its own.
function reasonOf(message) {
  const lines = stripVTControlCharacters(message).split('\n');
  const first = lines.map((line) => line.trim()).find((line) => line !== '' && !line.startsWith('● ')) ?? '';
  return first.length > LONGEST_REASON ? `${first.slice(0, LONGEST_REASON)}…` : first;
}
