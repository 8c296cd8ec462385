import { blocksOf } from './markdown-page.js';
import type { Found } from './search-index.js';
import type { Section, SectionKind } from './section.js';
import { tokensOf } from './tokens.js';

/** Most tokens of an answer to an agent. */
export const MOST_OF_AN_ANSWER = 600;

/** The part of these that is left for the text around the results: a path, the places searched, a sentence. */
const AROUND = 80;

/** One result of an answer. */
export interface Result {
  readonly heading: string;
  readonly kind: SectionKind;
  readonly place: string;
  /** The text of the first result; for the others a one-line summary. */
  readonly excerpt: string;
}

/** Answer to a question. */
export interface Answer {
  /** Best first. */
  readonly results: readonly Result[];
  /** The same as Markdown: the first result whole, the others in a line each. */
  readonly text: string;
  /** How many sections matched, shown or not. */
  readonly count: number;
}

/** Bounds of an answer. */
interface AnswerOptions {
  /** Most results. */
  readonly limit: number;
  /** Most tokens of the text, and of the results as JSON. */
  readonly tokens?: number;
}

/** Makes an answer of the found sections. If there is not enough room, the last results are dropped first. */
export function answerOf(
  found: readonly Found[],
  { limit, tokens = MOST_OF_AN_ANSWER - AROUND }: AnswerOptions,
): Answer {
  const sections = found.slice(0, Math.max(limit, 1)).map(({ section }) => section);
  const [first, ...others] = sections;
  if (!first) return { results: [], text: '', count: 0 };
  const whole = resultOf(first, first.text);
  const lines = others.map((section) => resultOf(section, gistOf(section)));
  const few = lines.slice(0, 2);
  // The first result is shortened rather than the next two dropped.
  const head = fitting([whole, ...few], tokens) ? whole : shortened(first, few, tokens);
  const results = [head];
  for (const line of lines) {
    if (!fitting([...results, line], tokens)) break;
    results.push(line);
  }
  return { results, text: rendered(results), count: found.length };
}

const resultOf = ({ title, kind, place }: Section, excerpt: string): Result => ({
  heading: title,
  kind,
  place,
  excerpt,
});

function fitting(results: readonly Result[], tokens: number): boolean {
  return tokensOf(rendered(results)) <= tokens && tokensOf(JSON.stringify(results)) <= tokens;
}

function shortened(section: Section, others: readonly Result[], tokens: number): Result {
  const kept: string[] = [];
  const rest = `… (the rest: ask for ${section.place})`;
  const of = (texts: readonly string[]) => resultOf(section, [...texts, rest].join('\n\n'));
  for (const { text, kind } of blocksOf(section.text)) {
    const fits = (part: string) => fitting([of([...kept, part]), ...others], tokens);
    if (!fits(text)) {
      const beginning = kind === 'code' || kept.length === 0 ? beginningOf(text, fits) : '';
      if (beginning !== '') kept.push(beginning);
      break;
    }
    kept.push(text);
  }
  return of(kept);
}

const LONGEST_LINE = 160;

/** The first lines of a block that is longer than there is room, as many as fit, with a closing fence; a line or two say nothing. */
function beginningOf(text: string, fits: (part: string) => boolean): string {
  const lines = text.split('\n').map((line) => line.slice(0, LONGEST_LINE));
  const first = (count: number) => closed(lines.slice(0, count)).join('\n');
  const most = lines.findIndex((_, n) => !fits(first(n + 1)));
  return most < 3 ? '' : first(most);
}

const closed = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => line.startsWith('```')).length % 2 === 1 ? [...lines, '```'] : lines;

function rendered([first, ...others]: readonly Result[]): string {
  if (!first) return '';
  const head = `## ${first.heading}\n(${first.kind}, ${first.place})\n\n${first.excerpt}`;
  if (others.length === 0) return head;
  return [
    head,
    '',
    'See also:',
    ...others.map(({ heading, place, excerpt }) => `- ${heading} (${place}): ${excerpt}`),
  ].join('\n');
}

const MOST_OF_A_GIST = 100;

/** Summary of a section: its first sentence outside of code. */
export function gistOf({ text }: Section): string {
  const [block] = blocksOf(text).filter(({ kind }) => kind !== 'code');
  const line = (block?.text ?? '').replace(/^[>\-*|\s]+/, '').replace(/\s+/g, ' ');
  const sentence = /^.*?[.:;](?=\s|$)/.exec(line)?.[0] ?? line;
  return sentence.length <= MOST_OF_A_GIST ? sentence : `${sentence.slice(0, MOST_OF_A_GIST - 1).trimEnd()}…`;
}
