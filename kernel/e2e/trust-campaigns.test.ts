import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { globSync } from 'tinyglobby';

const ROOT = path.resolve(import.meta.dirname, '../..');

interface Campaign {
  readonly rows: readonly { readonly what: string; readonly tests: readonly string[] }[];
}
const campaigns = JSON.parse(readFileSync(path.join(ROOT, 'docs/trust/campaigns.json'), 'utf8')) as Record<
  string,
  Campaign
>;
const rows = Object.values(campaigns).flatMap((campaign) => campaign.rows);
const patterns = rows.flatMap(({ tests }) => tests);
const named = new Set(globSync(patterns, { cwd: ROOT }));

test('the campaigns of `npm run trust` name tests that are there', () => {
  const isThere = (pattern: string) => globSync([pattern], { cwd: ROOT }).length > 0;
  // Not every dialect of SQL has each test.
  expect(patterns.filter((pattern) => !pattern.includes('*') && !isThere(pattern))).toEqual([]);
  expect(rows.filter(({ tests }) => !tests.some(isThere))).toEqual([]);
  for (const { rows: own } of Object.values(campaigns))
    expect(new Set(own.map(({ what }) => what)).size).toBe(own.length);
});

test('each test file with a property is part of a campaign', () => {
  const files = globSync(['{kernel,plugins,codegen,docs/examples}/**/*.test.ts'], {
    cwd: ROOT,
    ignore: ['**/node_modules/**'],
  });
  const withProperty = files.filter((file) => /^import fc from /m.test(readFileSync(path.join(ROOT, file), 'utf8')));
  expect(withProperty.length).toBeGreaterThan(40);
  expect(withProperty.filter((file) => !named.has(file))).toEqual([]);
});
