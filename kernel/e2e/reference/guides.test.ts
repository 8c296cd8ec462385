import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { globSync } from 'tinyglobby';

test('the list of guides names every guide once', () => {
  const listed = [...readFileSync('docs/guides/README.md', 'utf8').matchAll(/\]\(([\w-]+\.md)\)/g)].map(
    ([, file]) => file,
  );
  const there = readdirSync('docs/guides').filter((file) => file.endsWith('.md') && file !== 'README.md');
  expect(listed.toSorted()).toEqual(there.sort());
});

test('every link of a page that people wrote leads to a file', () => {
  const pages = globSync(['README.md', 'docs/**/*.md'], { ignore: ['**/node_modules/**', 'docs/reference/**'] });
  const dead = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\(([^()\s#]+)(?:#[^()\s]*)?\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target) && !existsSync(path.join(path.dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  );
  expect(pages.length).toBeGreaterThan(40);
  expect(dead).toEqual([]);
});

test('the architecture page lists every room', () => {
  const rooms = ['kernel', 'codegen', 'plugins'].flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true }).flatMap((each) =>
      each.isDirectory() ? [`${folder}/${each.name}`] : [],
    ),
  );
  const listed = readFileSync('docs/architecture.md', 'utf8').matchAll(/^\| \[[\w-]+\]\(\.\.\/([\w/-]+)\)/gm);
  expect([...listed].map(([, room]) => room).toSorted()).toEqual(rooms.sort());
});
