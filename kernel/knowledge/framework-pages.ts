import { readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import { frameworkFolder } from '../plugin/index.js';
import { OTHER_WORDS, otherWordsOf, withOtherWords } from './other-words.js';
import { type Page, sectionsOf } from './reference-sections.js';
import type { Section } from './section.js';

/** The pages that travel with the framework: guides, and the generated reference. */
export function frameworkPages(root: string = frameworkFolder()): readonly Page[] {
  const files = globSync(['docs/guides/*.md', 'docs/reference/**/*.md'], { cwd: root }).sort();
  return files.map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
}

/** All sections of the pages, with their names in other frameworks. */
export function frameworkSections(pages: readonly Page[]): readonly Section[] {
  const told = pages.filter(({ file }) => file !== OTHER_WORDS);
  const words = pages.find(({ file }) => file === OTHER_WORDS);
  const shown = shownIn(told.filter(({ file }) => file.startsWith('docs/guides/')));
  const sections = told.flatMap(sectionsOf).map((section) => ({ ...section, ...isShown(section, shown) }));
  return withOtherWords(sections, words ? otherWordsOf(words) : []);
}

/** The words of the code in guides, blocks and names between backticks. */
function shownIn(guides: readonly Page[]): ReadonlySet<string> {
  const code = guides.flatMap(({ text }) => text.match(/^```[\s\S]*?^```|`[^`\n]+`/gm) ?? []);
  return new Set(code.flatMap((text) => text.match(/[\w$]+/g) ?? []));
}

// A member is looked for by its own name, because programs show `Query.preload` as `.preload(`.
function isShown({ kind, title }: Section, shown: ReadonlySet<string>): { isShown?: boolean } {
  if (kind !== 'export' && kind !== 'member') return {};
  const names = title.split('.');
  return { isShown: names.length > 1 ? shown.has(names[1] as string) : shown.has(title) };
}
