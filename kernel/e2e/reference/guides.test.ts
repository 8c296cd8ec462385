import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

test('the list of guides names every guide once', () => {
  const listed = [...readFileSync('docs/guides/README.md', 'utf8').matchAll(/\]\(([\w-]+\.md)\)/g)].map(
    ([, file]) => file,
  );
  const there = readdirSync('docs/guides').filter((file) => file.endsWith('.md') && file !== 'README.md');
  expect(listed.toSorted()).toEqual(there.sort());
});
