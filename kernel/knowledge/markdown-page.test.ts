import { rooms } from '#rooms';
import { expect, test } from '@jest/globals';
import { chunksOf, MOST_OF_A_SECTION } from './chunks.js';
import { ofDialect } from './dialect-text.js';
import { blocksOf, partsOf, sectionText } from './markdown-page.js';
import { projectSections } from './project-sections.js';
import { forTerminal } from './terminal.js';
import { tokensOf } from './tokens.js';

const PAGE = [
  '# The page of `x`',
  'Intro.',
  '## Read it!',
  'Text.',
  '```md',
  '## no heading',
  '```',
  '### Below',
  'More.',
  '## Read it!',
  'Again.',
].join('\n');

test('a page has parts by its headings, with the anchors of GitHub; fences hide theirs', () => {
  expect(partsOf(PAGE).map(({ title, anchor, line, trail }) => [title, anchor, line, trail])).toEqual([
    ['The page of x', 'the-page-of-x', 1, []],
    ['Read it!', 'read-it', 3, ['The page of x']],
    ['Below', 'below', 8, ['The page of x', 'Read it!']],
    ['Read it!', 'read-it-1', 10, ['The page of x']],
  ]);
  expect(sectionText(PAGE, 'read-it')).toBe('## Read it!\nText.\n```md\n## no heading\n```\n### Below\nMore.\n');
  expect(sectionText(PAGE, 'nowhere')).toBeUndefined();
});

test('blocks are kept verbatim, a longer fence around a shorter one', () => {
  const body =
    'Text\ngoes on.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n  more\n- two\n\n````md\n```ts\n\nx\n```\n````\nBehind.';
  expect(blocksOf(body)).toEqual([
    { kind: 'text', text: 'Text\ngoes on.' },
    { kind: 'table', text: '| a | b |\n|---|---|\n| 1 | 2 |' },
    { kind: 'list', text: '- one\n  more\n- two' },
    { kind: 'code', text: '````md\n```ts\n\nx\n```\n````' },
    { kind: 'text', text: 'Behind.' },
  ]);
});

test('long texts come in portions: a sentence with its code, a table with its heading', () => {
  const prose = 'Many words about one thing and another. '.repeat(20).trim();
  const rows = Array.from({ length: 60 }, (_, n) => `| \`option${n}\` | what the option ${n} does to a request |`);
  const table = ['| Option | Meaning |', '|---|---|', ...rows].join('\n');
  const chunks = chunksOf(`${prose}\n\n${prose}\n\nLike this:\n\n\`\`\`ts\nrun();\n\`\`\`\n\n${table}`);
  expect(chunks.length).toBeGreaterThan(3);
  for (const chunk of chunks) expect(tokensOf(chunk)).toBeLessThanOrEqual(MOST_OF_A_SECTION);
  expect(chunks.filter((chunk) => chunk.includes('Like this:\n\n```ts\nrun();\n```'))).toHaveLength(1);
  const parts = chunks.filter((chunk) => chunk.includes('| `option'));
  for (const part of parts) expect(part).toContain('| Option | Meaning |\n|---|---|\n');
  expect(parts.join('\n').match(/`option\d+`/g)).toHaveLength(60);
});

test('of what is said for each database, that of the project is left', () => {
  const dialects = rooms.flatMap(({ manifest }) => manifest.dialects ?? []) as { name: string; title: string }[];
  for (const { name, title } of dialects) {
    const rows = dialects.map((each) => `| ${each.title} | ${each.name} |`);
    const table = (lines: readonly string[]) =>
      ['| Database | Way |', '|---|---|', ...lines, '| elsewhere | d |'].join('\n');
    expect(ofDialect(table(rows), name)).toBe(table([`| ${title} | ${name} |`]));
    // Each of several names of one database.
    const list = dialects.map((each) => `- **${each.title.split(', ').at(-1)}**: \`${each.name}\``);
    expect(ofDialect(list.join('\n'), name)).toBe(list.find((line) => line.includes(`\`${name}\``)));
    expect(ofDialect('- **Other**: `x`', name)).toBe('- **Other**: `x`');
  }
});

test('sections of a project say at which line they stand', () => {
  expect(projectSections('llms-full.txt', '# Shop\n\n## Endpoints\n\n### `GET /orders`\nLists orders.')).toEqual([
    {
      kind: 'project',
      title: 'GET /orders',
      place: 'llms-full.txt:5',
      trail: ['Shop', 'Endpoints'],
      text: 'Lists orders.',
    },
  ]);
});

test('a terminal shows headings bold, code verbatim, and tables as paragraphs', () => {
  const shown = forTerminal(
    '## Head\n\nSome [link](to.md) text.\n\n```ts\nif (a   < b) {}\n```\n\n| Name | Means |\n|---|---|\n| `a` | first |',
    40,
  );
  expect(shown).toBe(
    '\x1b[1mHead\x1b[0m\n\nSome link (to.md) text.\n\n\x1b[2m    if (a   < b) {}\x1b[0m\n\n  `a`\n      first\n',
  );
  expect(forTerminal('word '.repeat(20), 30, false)).toBe(
    'word word word word word word\nword word word word word word\nword word word word word word\nword word\n',
  );
});
