import { chunksOf } from './chunks.js';
import { ofDialect } from './dialect-text.js';
import type { Knowledge } from './knowledge.js';
import { sectionText } from './markdown-page.js';
import { tokensOf } from './tokens.js';

/** Most tokens of a part: with the text around it an answer stays below 1,500. */
const MOST_OF_A_PART = 1_300;

/** A section that somebody asked for by its place, in portions of the size of an answer. */
export interface WholeSection {
  /** `docs/guides/recipes.md#log-in` */
  readonly place: string;
  /** Markdown with its headings; never empty. */
  readonly parts: readonly string[];
}

/** What stands at a place that a result has named, with its subheadings; undefined where the words are no place of the documentation. */
export async function wholeSectionOf(
  knowledge: Knowledge,
  named: string,
  dialect?: string,
): Promise<WholeSection | undefined> {
  const found = knowledge.pageOf(named.trim());
  if (found === undefined) return undefined;
  const { page, anchor } = found;
  const whole = await knowledge.textOf(page);
  const text = anchor === undefined ? whole : sectionText(whole, anchor);
  if (text === undefined) return undefined;
  return {
    place: anchor === undefined ? page.file : `${page.file}#${anchor}`,
    parts: partsOfText(dialect === undefined ? text : ofDialect(text, dialect)),
  };
}

/** A Markdown text in portions; blocks stay whole unless one alone is too long. */
export function partsOfText(text: string, most = MOST_OF_A_PART): readonly string[] {
  return chunksOf(text, most).flatMap((chunk) => (tokensOf(chunk) <= most ? [chunk] : inLines(chunk, most)));
}

// Code that goes on in the next portion is fenced in both.
function inLines(chunk: string, most: number): readonly string[] {
  const parts: string[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  const end = () => parts.push([...lines, ...(fence === undefined ? [] : ['```'])].join('\n'));
  for (const line of chunk.split('\n')) {
    if (lines.length > 1 && tokensOf([...lines, line, '```'].join('\n')) > most) {
      end();
      lines = fence === undefined ? [] : [fence];
    }
    lines.push(line);
    if (line.startsWith('```')) fence = fence === undefined ? line : undefined;
  }
  end();
  return parts;
}
