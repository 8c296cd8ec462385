import type { ts } from 'ts-morph';
import { isFwError } from '../../kernel/index.js';
import type { Mark, Report } from './marks.js';

/** Reads the text of a tag. */
export type ParseTag<Tag> = (text: string, place: { model: string; field: string }) => Tag;

/** The parsed tag of a mark. @returns undefined for an invalid one, which is reported */
export function tagOf<Tag>(
  { args: [text], node, name }: Mark,
  place: { model: string; field: string },
  parse: ParseTag<Tag>,
  report: Report,
): Tag | undefined {
  if (typeof text === 'string') return orReported(node, () => parse(text, place), report);
  report(node, `@${name} takes one text, got ${text === undefined ? 'nothing' : typeof text}`);
  return undefined;
}

/** The result of a function; undefined if it throws a coded error, which is reported. */
export function orReported<Result>(node: ts.Node, read: () => Result, report: Report): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (!isFwError(error)) throw error;
    report(node, error.message);
    return undefined;
  }
}
