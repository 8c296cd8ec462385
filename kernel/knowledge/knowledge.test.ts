import path from 'node:path';
import { rooms } from '#rooms';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/o200k_base';
import { publicExports } from '../e2e/reference/exports/public-exports.js';
import { answerOf, gistOf, MOST_OF_AN_ANSWER } from './answer.js';
import { frameworkPages, frameworkSections } from './framework-pages.js';
import { Knowledge } from './knowledge.js';
import { OTHER_WORDS, otherWordsOf } from './other-words.js';
import type { Section } from './section.js';
import { QUESTIONS } from './testing/questions.js';
import { tokensOf } from './tokens.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const pages = frameworkPages(ROOT);
let knowledge: Knowledge;
beforeAll(() => {
  knowledge = Knowledge.of(pages);
});

const isWanted = ({ title, place }: Section, wanted: string) => title === wanted || place === `docs/guides/${wanted}`;
const titlesFor = (query: string) => knowledge.search(query).map(({ section }) => section.title);

describe('the documentation', () => {
  test('has an entry for every name that users import', () => {
    const there = new Set(
      knowledge.sections.flatMap(({ kind, title, trail }) => (kind === 'export' ? `${trail[0]} ${title}` : [])),
    );
    const missing = publicExports(ROOT).filter(({ module, name }) => !there.has(`${module} ${name}`));
    expect(missing.map(({ module, name }) => `${module} ${name}`)).toEqual([]);
  });

  test('says of each of them what it is, beside its declaration', () => {
    const exports = knowledge.sections.filter(({ kind }) => kind === 'export');
    const nameOf = ({ trail, title }: Section) => `${trail[0]} ${title}`;
    // A long declaration is in portions of its own.
    const said = new Set(exports.filter((each) => gistOf(each) !== '').map(nameOf));
    expect([...new Set(exports.map(nameOf))].filter((name) => !said.has(name))).toEqual([]);
  });

  test('says where things are that others call otherwise: every link of that page leads somewhere', () => {
    const page = pages.find(({ file }) => file === OTHER_WORDS);
    const rows = otherWordsOf(page as NonNullable<typeof page>);
    expect(rows.length).toBeGreaterThan(90);
    const nowhere = rows.flatMap(({ links }) =>
      links.filter(
        ({ label, place }) => !knowledge.sections.some((each) => each.place === place && each.title === label),
      ),
    );
    expect(nowhere).toEqual([]);
  });

  test('is estimated at no fewer tokens than a model counts, and at not many more', () => {
    const tokenizer = new Tiktoken(ranks);
    const counted = knowledge.sections.map(({ text }) => [tokensOf(text), tokenizer.encode(text).length] as const);
    // A section of a few words may be off by one or two.
    expect(counted.filter(([estimated, real]) => estimated < real - 2)).toEqual([]);
    const sums = counted.reduce(([a, b], [estimated, real]) => [a + estimated, b + real] as const, [0, 0] as const);
    expect(sums[0] / sums[1]).toBeLessThan(1.3);
  });
});

describe('a search', () => {
  test('finds what users of other frameworks ask for among the first three, whatever they call it', () => {
    expect(QUESTIONS.length).toBeGreaterThanOrEqual(150);
    const missed = QUESTIONS.flatMap(([ask, ...wanted]) => {
      const found = knowledge.search(ask).slice(0, 3);
      const isFound = found.some(({ section }) => wanted.some((each) => isWanted(section, each)));
      return isFound ? [] : [{ ask, wanted, found: found.map(({ section }) => `${section.title} (${section.place})`) }];
    });
    expect(missed).toEqual([]);
  });

  test('is asked for things that are there', () => {
    const nowhere = QUESTIONS.flatMap(([, ...wanted]) =>
      wanted.filter((each) => !knowledge.sections.some((section) => isWanted(section, each))),
    );
    expect(nowhere).toEqual([]);
  });

  test('names the guide before the command or the page that only mentions what is asked', () => {
    const asked = {
      'write migration from models': 'What diff writes',
      'write two models in one transaction in a route': 'Transactions',
    };
    const first = Object.keys(asked).map((ask) => [ask, knowledge.search(ask)[0]?.section.title]);
    expect(Object.fromEntries(first)).toEqual(asked);
  });

  test('answers each within its tokens, the first result with its text', () => {
    const tokenizer = new Tiktoken(ranks);
    for (const [ask] of QUESTIONS) {
      const { text, results } = answerOf(knowledge.search(ask), { limit: 6 });
      expect([ask, tokenizer.encode(text).length <= MOST_OF_AN_ANSWER]).toEqual([ask, true]);
      expect([ask, tokenizer.encode(JSON.stringify(results)).length <= MOST_OF_AN_ANSWER]).toEqual([ask, true]);
      expect(results.length).toBeGreaterThan(1);
    }
  });

  test.each([
    ['FW_ORM_NO_ROWS', 'FW_ORM_NO_ROWS'],
    ['what does FW_HTTP_ROUTE_TWICE mean', 'FW_HTTP_ROUTE_TWICE'],
    ['softDelete', 'softDelete'],
    ['Query.preload', 'Query.preload'],
    ['preload', 'Query.preload'],
    ['trustedProxies', 'http: trustedProxies'],
    ['how do I set bodyLimit', 'http: bodyLimit'],
    ['fw migrate', 'fw migrate'],
    ['fw_new', 'fw_new'],
    ['middleware/cors.allowOrigins', 'middleware/cors: allowOrigins'],
  ])('finds %p by its name', (query, title) => {
    expect(titlesFor(query)[0]).toBe(title);
  });

  test.each([
    ['log in', 'Log in'],
    ['how do people log in', 'Log in'],
    ['fw_generate', 'fw_generate'],
    ['websocket', 'Show what happens, live'],
    ['WebSocket', 'Show what happens, live'],
    ['sse', 'Show what happens, live'],
    ['upload', 'Take uploads'],
  ])('asked for %p begins with %p', (query, title) => {
    expect(titlesFor(query)[0]).toBe(title);
  });

  test('gives what is asked for by its name from the beginning, whichever portion has the words', () => {
    const named = knowledge.sections.filter(({ kind }) => kind === 'tool' || kind === 'export');
    const first = new Map<string, Section>();
    for (const section of named) {
      const key = `${section.place} ${section.title}`;
      if (!first.has(key)) first.set(key, section);
    }
    const long = [...new Set(named.filter((each) => first.get(`${each.place} ${each.title}`) !== each))];
    expect(long.length).toBeGreaterThan(5);
    const begun = long.flatMap(({ title, place }) => {
      const [found] = knowledge
        .search(title)
        .filter(({ section }) => section.place === place && section.title === title);
      return found?.section === first.get(`${place} ${title}`) ? [] : [`${title} (${place})`];
    });
    expect(begun).toEqual([]);
  });

  test('finds an export and an error code first by its name, whichever it is', () => {
    const named = knowledge.sections.filter(({ kind }) => kind === 'export' || kind === 'error');
    const titles = [...new Set(named.map(({ title }) => title))].filter((_, n) => n % 12 === 0);
    expect(titles.length).toBeGreaterThan(100);
    expect(titles.filter((title) => titlesFor(title)[0]?.toLowerCase() !== title.toLowerCase())).toEqual([]);
  });

  test('ranks what a project says of itself with the rest, and forgets it', () => {
    const own: Section = {
      kind: 'project',
      title: 'POST /api/invoices',
      place: 'llms-full.txt:7',
      trail: [],
      text: 'Creates an invoice for a customer.',
    };
    expect(knowledge.search('create an invoice', { further: [own] })[0]?.section).toEqual(own);
    expect(knowledge.search('soft delete', { further: [own] })[0]?.section.place).toBe(
      'docs/guides/orm-plugins.md#soft-delete',
    );
    expect(titlesFor('create an invoice')).not.toContain(own.title);
  });

  test('leaves out what is about other databases than that of the project', () => {
    const [own, ...others] = rooms.flatMap(({ manifest }) => manifest.dialects ?? []) as {
      readonly name: string;
      readonly module: string;
    }[];
    const [first] = knowledge.search('change the database', { dialect: own?.name });
    expect(first?.section.title).toBe('Choose a database');
    expect(first?.section.text).toContain(`import('${own?.module}')`);
    for (const { module } of others) expect(first?.section.text).not.toContain(`import('${module}')`);
  });

  test('finds nothing for what is nowhere', () => {
    expect(knowledge.search('zzyzzx qqwrt')).toEqual([]);
  });
});

test('what a build keeps answers like what it was made of', () => {
  const kept = Knowledge.read(knowledge.written());
  const sectionsFor = (from: Knowledge, ask: string) =>
    from
      .search(ask)
      .slice(0, 10)
      .map(({ section }) => section);
  for (const [ask] of QUESTIONS.slice(0, 20)) expect(sectionsFor(kept, ask)).toEqual(sectionsFor(knowledge, ask));
  expect(kept.pages).toEqual(knowledge.pages);
});

test.each([
  ['docs/guides/orm.md', 'docs/guides/orm.md', undefined],
  ['guides/orm.md#read', 'docs/guides/orm.md', 'read'],
  ['errors.md', 'docs/reference/errors.md', undefined],
])('%p is a page', (named, file, anchor) => {
  expect(knowledge.pageOf(named)).toMatchObject({ page: { file }, anchor });
});

test.each(['orm', 'how do I use orm.md', '', 'nowhere.md'])('%p is none', (named) => {
  expect(knowledge.pageOf(named)).toBeUndefined();
});

test('the pages are those of the package', () => {
  expect(frameworkSections(pages)).toEqual(knowledge.sections);
  expect(knowledge.pages.map(({ file }) => file)).toEqual(
    expect.arrayContaining(['docs/guides/orm.md', 'docs/reference/exports/fw.md']),
  );
});
