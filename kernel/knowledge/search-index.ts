import MiniSearch, { type Options, type SearchResult } from 'minisearch';
import type { Section, SectionKind } from './section.js';
import { termOf, termsOf, wordsOf } from './words.js';

// An indexed text: a section, or one of its names in other frameworks.
interface Entry {
  readonly id: number;
  /** Index of its section. */
  readonly at: number;
  readonly title: string;
  readonly name: string;
  readonly trail: string;
  readonly text: string;
  readonly alias: string;
}

const OPTIONS: Options<Entry> = {
  fields: ['title', 'name', 'alias', 'trail', 'text'],
  storeFields: ['at', 'alias'],
  tokenize: wordsOf,
  processTerm: termOf,
};

/** Weights of the fields. Headings and the names that guides show say best what a section is about; other names consist of common words. */
const FIELDS = { title: 3, name: 1.5, alias: 4, trail: 1.5, text: 1 };

/** Weights of the kinds: a guide is wanted more often than one of many members. */
const KINDS: Readonly<Record<SectionKind, number>> = {
  guide: 1.3,
  project: 1.1,
  command: 1.2,
  export: 1,
  option: 1,
  member: 0.8,
  error: 0.5,
  tool: 0.6,
  sql: 0.4,
  mapping: 0.3,
};

/** Weight of sections that no guide shows: these are mostly looked for by their exact name. */
const NOT_SHOWN = 0.4;

/** A section with how well it fits. */
export interface Found {
  readonly section: Section;
  readonly score: number;
}

/** An index as JSON. */
export interface WrittenIndex {
  readonly sections: readonly Section[];
  readonly index: unknown;
  readonly entries: number;
}

/** Sections with the index over their words. */
export class SearchIndex {
  private constructor(
    readonly sections: readonly Section[],
    private readonly index: MiniSearch<Entry>,
    private readonly entries: number,
  ) {}

  /** Makes the index, which takes a while for a whole documentation. */
  static over(sections: readonly Section[]): SearchIndex {
    const index = new MiniSearch<Entry>(OPTIONS);
    const entries = entriesOf(sections, 0, 0);
    index.addAll(entries);
    return new SearchIndex(sections, index, entries.length);
  }

  /** Sections and index as data, for {@link SearchIndex.read}. */
  toJSON(): WrittenIndex {
    return { sections: this.sections, index: this.index, entries: this.entries };
  }

  static read({ sections, index, entries }: WrittenIndex): SearchIndex {
    return new SearchIndex(sections, MiniSearch.loadJS<Entry>(index as never, OPTIONS), entries);
  }

  /**
   * The sections that match a question, best first; of several portions of one section only the best.
   *
   * @param further - sections that are searched and ranked together with those of the index
   */
  search(query: string, further: readonly Section[] = []): readonly Found[] {
    const sections = further.length > 0 ? [...this.sections, ...further] : this.sections;
    // A question of only stop words may still be a name, such as `or`.
    if (termsOf(query).size === 0) return namedLike(query, sections);
    const more = entriesOf(further, this.sections.length, this.entries);
    this.index.addAll(more);
    try {
      const results = this.index.search(query, {
        boost: FIELDS,
        prefix: (term) => term.length > 3,
        fuzzy: (term) => (term.length > 5 ? 0.2 : false),
        weights: { prefix: 0.2, fuzzy: 0.15 },
      });
      return oncePerPlace(beginningsOf(query, ranked(query, results, sections), sections));
    } finally {
      this.index.removeAll(more);
    }
  }
}

function entriesOf(sections: readonly Section[], fromSection: number, fromEntry: number): readonly Entry[] {
  const none = { title: '', name: '', trail: '', text: '', alias: '' };
  const entries = sections.flatMap((section, n) => {
    const { title, trail, text, names = [], aliases = [] } = section;
    const at = fromSection + n;
    const isHeading = names.length === 0 || section.isShown === true;
    const own = { ...none, at, ...(isHeading ? { title } : { name: title }), trail: trail.join(' '), text };
    return [own, ...aliases.map((alias) => ({ ...none, at, alias }))];
  });
  return entries.map((entry, n) => ({ ...entry, id: fromEntry + n }));
}

function ranked(query: string, results: readonly SearchResult[], sections: readonly Section[]): readonly Found[] {
  const terms = termsOf(query).size;
  const named = namesIn(query);
  const own = new Map<number, number>();
  const called = new Map<number, number>();
  const asked = new Map<number, Set<string>>();
  for (const { at, alias, score, queryTerms, terms: matched } of results as readonly (SearchResult & Entry)[]) {
    asked.set(at, new Set([...(asked.get(at) ?? []), ...queryTerms]));
    if (alias === '') own.set(at, score);
    else {
      // A phrase has to match as a whole: "join table" is not what "join two tables" asks for.
      const meant = new Set(matched).size / Math.max(termsOf(alias).size, 1);
      called.set(at, Math.max(called.get(at) ?? 0, score * Math.min(meant, 1) ** 2));
    }
  }
  const found = [...new Set([...own.keys(), ...called.keys()])].map((at) => {
    const section = sections[at] as Section;
    const kind = KINDS[section.kind] * (section.isShown === false ? NOT_SHOWN : 1);
    // A section with all words of a question, in its text or its other names, ranks before one with some of them often.
    const covered = 0.3 + (0.7 * (asked.get(at)?.size ?? 0)) / Math.max(terms, 1);
    const words = (own.get(at) ?? 0) * kind + (called.get(at) ?? 0);
    const score = words * covered * (isWritten(section, named) ? WRITTEN : 1);
    return { section, score, named: nearnessOf(section, named) };
  });
  return found.sort((a, b) => b.named - a.named || b.score - a.score).map(({ section, score }) => ({ section, score }));
}

function namedLike(query: string, sections: readonly Section[]): readonly Found[] {
  const named = namesIn(query);
  return sections
    .map((section) => ({ section, score: nearnessOf(section, named) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}

interface Names {
  /** The whole question as a name, for a reader who types an exact name. */
  readonly whole: string;
  /** Words of it that look like code. */
  readonly code: ReadonlySet<string>;
}

function namesIn(query: string): Names {
  const words = query.split(/[\s,;:?!()'"]+/).map((word) => word.replace(/\.$/, ''));
  const code = words.filter((word) => /_|^[a-z]+[A-Z]|\w\.\w|^`.*`$/.test(word));
  return { whole: bare(query.trim()), code: new Set(code.map((word) => bare(word).toLowerCase())) };
}

const bare = (word: string): string => word.replace(/^`|`$/g, '');

/** Factor for a section whose name the question contains as code. */
const WRITTEN = 10;

const isWritten = ({ names = [] }: Section, { code }: Names): boolean =>
  names.some((name) => code.has(name.toLowerCase()));

/** Nearness of a guide that another framework calls as the question does: below a name of its own, above a member that has the name. */
const MEANT = 1.5;

/**
 * How exactly the question is a name of the section, from 0 to letter by letter; of equal names options rank first. A word that means a guide
 * leads there, and not to a member that happens to be called so.
 */
function nearnessOf({ kind, names = [], aliases = [], title }: Section, { whole }: Names): number {
  const lower = whole.toLowerCase();
  if (kind === 'guide' && aliases.some((alias) => alias.toLowerCase() === lower)) return MEANT;
  if (names.length === 0) return 0;
  if (title === whole) return 4;
  if (title.toLowerCase() === lower) return 3;
  if (!names.some((name) => name.toLowerCase() === lower)) return 0;
  return kind === 'option' ? 2 : 1;
}

// Who asks for a name wants its entry from the beginning, not the portion in which the name stands most often. A guide that was found by the
// name of another framework stays as it was found: that name belongs to the portion.
function beginningsOf(query: string, found: readonly Found[], sections: readonly Section[]): readonly Found[] {
  const named = namesIn(query);
  return found.map(({ section, score }) => {
    const nearness = nearnessOf(section, named);
    if (nearness === 0 || nearness === MEANT) return { section, score };
    const isSame = ({ place, title }: Section) => place === section.place && title === section.title;
    return { section: sections.find(isSame) ?? section, score };
  });
}

function oncePerPlace(found: readonly Found[]): readonly Found[] {
  const seen = new Set<string>();
  return found.filter(({ section: { place, title } }) => {
    const key = `${place}\n${title}`;
    return seen.has(key) ? false : seen.add(key);
  });
}
