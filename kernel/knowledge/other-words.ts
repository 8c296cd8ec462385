import type { Page } from './reference-sections.js';
import type { Section } from './section.js';

/** The page that maps names of other frameworks to our sections. */
export const OTHER_WORDS = 'docs/guides/other-words.md';

/** A row of that page: names, and the sections that they mean. */
interface OtherWords {
  readonly words: readonly string[];
  readonly links: readonly { readonly label: string; readonly place: string }[];
}

/** The rows of the page: `| words | [label](place), [label](place) |`. */
export function otherWordsOf({ text }: Page): readonly OtherWords[] {
  return text.split('\n').flatMap((line) => {
    const [, words, ours] = /^\| (.+?) \| (.+) \|$/.exec(line) ?? [];
    if (words === undefined || ours === undefined) return [];
    const links = [...ours.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, label = '', target = '']) => ({
      label: label.replaceAll('`', ''),
      place: placeOf(target),
    }));
    return links.length > 0 ? [{ words: words.split(', '), links }] : [];
  });
}

// Links are relative to the folder of the page.
const placeOf = (target: string): string =>
  target.startsWith('../') ? `docs/${target.slice(3)}` : `docs/guides/${target}`;

/**
 * Whether a link of the page means a section: the place must be equal, and if several sections have it, the title must be the label of the
 * link.
 */
function isMeant({ place, title }: Section, label: string, among: readonly Section[]): boolean {
  return among.some((each) => each.place === place && each.title === label) ? title === label : true;
}

/** Adds the names of other frameworks to the sections. */
export function withOtherWords(sections: readonly Section[], rows: readonly OtherWords[]): readonly Section[] {
  const aliases = new Map<Section, string[]>();
  for (const { words, links } of rows) {
    for (const { label, place } of links) {
      const there = sections.filter((each) => each.place === place);
      for (const section of there.filter((each) => isMeant(each, label, there))) {
        aliases.set(section, [...(aliases.get(section) ?? []), ...words]);
      }
    }
  }
  return sections.map((section) => {
    const words = aliases.get(section);
    return words ? { ...section, aliases: words } : section;
  });
}
