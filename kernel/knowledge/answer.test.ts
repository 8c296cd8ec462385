import { describe, expect, test } from '@jest/globals';
import { answerOf, gistOf } from './answer.js';
import type { Found } from './search-index.js';
import type { Section } from './section.js';
import { tokensOf } from './tokens.js';

const section = (title: string, text: string): Section => ({
  kind: 'guide',
  title,
  place: `docs/${title}.md`,
  trail: [],
  text,
});
const found = (...sections: Section[]): readonly Found[] => sections.map((each) => ({ section: each, score: 1 }));
const PROSE = 'Rows are hidden. '.repeat(20).trim();

describe('an answer', () => {
  test('has the first result whole and the others in a line each', () => {
    const { results, text, count } = answerOf(
      found(
        section('first', `${PROSE}\n\n\`\`\`ts\nhide();\n\`\`\``),
        section('second', '```ts\nx\n```\n\nShows rows. Much more.'),
      ),
      { limit: 5 },
    );
    expect(count).toBe(2);
    expect(results[0]?.excerpt).toBe(`${PROSE}\n\n\`\`\`ts\nhide();\n\`\`\``);
    expect(text).toContain('## first\n(guide, docs/first.md)');
    expect(text.endsWith('See also:\n- second (docs/second.md): Shows rows.')).toBe(true);
  });

  test('stays within its tokens: further results go first, then the end of the first one, never half of a block', () => {
    const blocks = Array.from({ length: 30 }, (_, n) => `Block ${n} says this and that about rows.`);
    const many = Array.from({ length: 40 }, (_, n) => section(`other${n}`, 'A sentence about it.'));
    const { results, text } = answerOf(found(section('long', blocks.join('\n\n')), ...many), {
      limit: 50,
      tokens: 300,
    });
    expect(tokensOf(text)).toBeLessThanOrEqual(300);
    expect(tokensOf(JSON.stringify(results))).toBeLessThanOrEqual(300);
    expect(results.length).toBeGreaterThanOrEqual(3);
    expect(results[0]?.excerpt).toMatch(
      /^Block 0 says this and that about rows\.\n\n[\s\S]*\n\n… \(the rest: ask for docs\/long\.md\)$/,
    );
  });

  test('shows the beginning of code that is longer than an answer, and closes its fence', () => {
    const code = ['```ts', ...Array.from({ length: 400 }, (_, n) => `call(${n});`), '```'].join('\n');
    const { results, text } = answerOf(found(section('code', code)), { limit: 5 });
    expect(tokensOf(text)).toBeLessThanOrEqual(600);
    expect(results[0]?.excerpt.match(/^```/gm)).toHaveLength(2);
  });

  test('shows as much of a snippet as there is room for behind the words above it, and says what to ask for', () => {
    const code = ['```ts', ...Array.from({ length: 400 }, (_, n) => `call(${n});`), '```'].join('\n');
    const { results, text } = answerOf(found(section('code', `Call them all:\n\n${code}`), section('b', 'Other.')), {
      limit: 5,
    });
    expect(results[0]?.excerpt).toMatch(
      /^Call them all:\n\n```ts\ncall\(0\);[\s\S]*call\(20\);[\s\S]*\n```\n\n… \(the rest: ask for docs\/code\.md\)$/,
    );
    expect(tokensOf(text)).toBeLessThanOrEqual(600);
    expect(results).toHaveLength(2);
  });

  test('is empty where nothing was found', () => {
    expect(answerOf([], { limit: 5 })).toEqual({ results: [], text: '', count: 0 });
  });
});

test.each([
  ['First sentence. Second one.', 'First sentence.'],
  ['> Quoted: and more', 'Quoted:'],
  [`${'word '.repeat(60)}.`, expect.stringMatching(/^word .{80,98}…$/)],
  ['```ts\nonly code\n```', ''],
])('the gist of %p', (text, expected) => {
  expect(gistOf(section('x', text))).toEqual(expected);
});
