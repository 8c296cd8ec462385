import { readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';

const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * What `npm run trust` attacks, from campaigns.json. A row names the test files that try it, as globs where each dialect of
 * SQL has one: each property in them counts its cases, each other test counts as one.
 *
 * @typedef {{ readonly what: string, readonly tests: readonly string[] }} Row
 * @typedef {{ readonly title: string, readonly about: string, readonly rows: readonly Row[] }} Campaign
 * @type {Readonly<Record<string, Campaign>>}
 */
export const CAMPAIGNS = JSON.parse(readFileSync(new URL('campaigns.json', import.meta.url), 'utf8'));

/**
 * The test files of a row. A glob may find none: not every dialect has each test.
 *
 * @param {Row} row
 * @throws Error for a row or a name without a file
 */
export function filesOf({ what, tests }) {
  const found = tests.map((pattern) => ({ pattern, files: globSync([pattern], { cwd: ROOT }).sort() }));
  const missing = found.find(({ pattern, files }) => files.length === 0 && !pattern.includes('*'));
  if (missing !== undefined) throw new Error(`There is no test file ${missing.pattern}, which "${what}" names.`);
  if (found.every(({ files }) => files.length === 0)) throw new Error(`No test file is in "${what}".`);
  return found.flatMap(({ files }) => files);
}
