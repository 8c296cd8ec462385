import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { checkRequirements } from './check-requirements.js';
import { REQUIREMENTS } from './index.js';
import { GROUPING_SECTIONS, SPEC_SECTIONS } from './sections.js';
import { readTestFiles } from './test-files.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');

test('the manifest and the tests of the repository agree, both ways', () => {
  expect(checkRequirements(REQUIREMENTS, readTestFiles(ROOT))).toEqual([]);
});

test('the search for test files finds this one', () => {
  const paths = readTestFiles(ROOT).map(({ path }) => path);
  expect(paths).toContain('kernel/e2e/requirements/requirements.test.ts');
});

test('every section of the specification that states something has rows', () => {
  const used = new Set(REQUIREMENTS.map(({ section }) => section));
  expect(SPEC_SECTIONS.filter((section) => !used.has(section))).toEqual(GROUPING_SECTIONS);
});
