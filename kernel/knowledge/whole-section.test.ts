import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { frameworkPages } from './framework-pages.js';
import { Knowledge } from './knowledge.js';
import { sectionText } from './markdown-page.js';
import { tokensOf } from './tokens.js';
import { partsOfText, wholeSectionOf } from './whole-section.js';

const pages = frameworkPages(path.resolve(import.meta.dirname, '../..'));
let knowledge: Knowledge;
beforeAll(() => {
  knowledge = Knowledge.of(pages);
});

const withoutBlankLines = (text: string) => text.split('\n').filter((line) => line.trim() !== '');

describe('a section that is asked for by its place', () => {
  test.each(['docs/guides/recipes.md#log-in', 'guides/recipes.md#log-in', 'fw://docs/guides/recipes.md#log-in'])(
    'is given whole: %s',
    async (named) => {
      const section = await wholeSectionOf(knowledge, named);
      const page = pages.find(({ file }) => file === 'docs/guides/recipes.md');
      expect(section?.place).toBe('docs/guides/recipes.md#log-in');
      expect(section?.parts.length).toBeGreaterThan(1);
      const together = section?.parts.join('\n') ?? '';
      expect(withoutBlankLines(together)).toEqual(withoutBlankLines(sectionText(page?.text ?? '', 'log-in') ?? ''));
      expect(together).toContain("router.post(\n    '/api/login',");
    },
  );

  test('is given whole wherever an answer sends to', async () => {
    const places = [...new Set(knowledge.sections.map(({ place }) => place))].filter((_, n) => n % 10 === 0);
    const missing: string[] = [];
    for (const place of places) if ((await wholeSectionOf(knowledge, place)) === undefined) missing.push(place);
    expect(missing).toEqual([]);
    expect(places.length).toBeGreaterThan(50);
  });

  test.each(['log in', 'docs/guides/nowhere.md', 'docs/guides/orm.md#nowhere', 'how do I read orm.md'])(
    'is none for %p',
    async (named) => {
      expect(await wholeSectionOf(knowledge, named)).toBeUndefined();
    },
  );

  test('leaves out what is about other databases', async () => {
    const of = async (dialect?: string) =>
      (await wholeSectionOf(knowledge, 'docs/guides/orm.md#choose-a-database', dialect))?.parts.join('\n') ?? '';
    expect((await of('sqlite')).length).toBeLessThan((await of()).length);
  });
});

describe('parts of a text', () => {
  test('are within their tokens, with every fence closed, and leave nothing out', () => {
    for (const { file, text } of pages.filter(({ file }) => file.startsWith('docs/guides/'))) {
      const parts = partsOfText(text, 400);
      // A paragraph alone may be longer.
      const long = parts.filter((part) => tokensOf(part) > 400 && part.split('\n').length > 1 && part.includes('```'));
      expect([file, long]).toEqual([file, []]);
      const open = parts.filter((part) => (part.match(/^ {0,3}```/gm)?.length ?? 0) % 2 === 1);
      expect([file, open]).toEqual([file, []]);
      const lines = new Set(parts.flatMap((part) => part.split('\n')));
      expect([file, withoutBlankLines(text).filter((line) => !lines.has(line))]).toEqual([file, []]);
    }
  });
});
