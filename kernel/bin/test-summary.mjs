import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const LONGEST_REASON = 300;

/**
 * What a run of jest failed at, short enough to stand at its end: who reads the log of a long run need not look for it.
 *
 * @param results - what jest writes with `--json`
 * @param root - folder that the files are told from
 * @returns two lines for each test that failed, and for each file that failed beside its tests (it does not load, or its
 *   `afterAll` throws): where, and the first line of why
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

// Jest tells of a file what it tells of a test, below a title of its own.
function reasonOf(message) {
  const lines = stripVTControlCharacters(message).split('\n');
  const first = lines.map((line) => line.trim()).find((line) => line !== '' && !line.startsWith('● ')) ?? '';
  return first.length > LONGEST_REASON ? `${first.slice(0, LONGEST_REASON)}…` : first;
}
