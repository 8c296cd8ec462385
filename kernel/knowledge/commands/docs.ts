import type { CommandAction, CommandOutput } from '../../contracts/command.js';
import { fwError } from '../../errors/index.js';
import { fwCommand } from '../../invocation/index.js';
import { gistOf } from '../answer.js';
import { KNOWLEDGE_BASE_ERRORS } from '../errors.js';
import { frameworkKnowledge, type Knowledge, type ListedPage } from '../knowledge.js';
import { sectionText } from '../markdown-page.js';
import type { Found } from '../search-index.js';
import { forTerminal } from '../terminal.js';

interface DocsOptions {
  readonly list?: boolean;
  readonly json?: boolean;
}

const FURTHER = 7;

/** `fw docs`: reads or searches guides and reference of the installed version, without a network. */
const docs: CommandAction<DocsOptions, [words: string[]]> = async ({ args: [words = []], options, ...output }) => {
  const knowledge = await frameworkKnowledge();
  const query = words.join(' ').trim();
  if (query === '') return listed(knowledge.pages, options, output);
  const page = knowledge.pageOf(query);
  if (page) return shown(knowledge, page, options, output);
  const found = knowledge.search(query);
  if (found.length === 0) throw fwError(KNOWLEDGE_BASE_ERRORS.FW_DOCS_NOTHING, { query });
  return answered(query, found, options, output);
};

function listed(
  pages: readonly ListedPage[],
  { list = false, json = false }: DocsOptions,
  { out }: CommandOutput,
): void {
  const some = list ? pages : pages.filter(({ file }) => file.startsWith('docs/guides/'));
  if (json) return out(`${JSON.stringify({ pages: some }, null, 2)}\n`);
  const width = Math.max(...some.map(({ file }) => shortOf(file).length));
  const lines = some.map(({ file, title }) => `${shortOf(file).padEnd(width)}  ${title}`);
  const docs = fwCommand('docs');
  const hint = list ? '' : `\n${docs} --list lists the reference too.`;
  out(`${lines.join('\n')}\n\n${docs} <page> shows one, ${docs} <words> answers a question.${hint}\n`);
}

const shortOf = (file: string): string => file.replace(/^docs\//, '');

async function shown(
  knowledge: Knowledge,
  { page, anchor }: NonNullable<ReturnType<Knowledge['pageOf']>>,
  { json = false }: DocsOptions,
  { out }: CommandOutput,
): Promise<void> {
  const whole = await knowledge.textOf(page);
  const text = anchor === undefined ? whole : sectionText(whole, anchor);
  if (text === undefined) throw fwError(KNOWLEDGE_BASE_ERRORS.FW_DOCS_NOTHING, { query: `${page.file}#${anchor}` });
  out(
    json
      ? `${JSON.stringify({ place: page.file, ...(anchor !== undefined && { anchor }), text }, null, 2)}\n`
      : inTerminal(text),
  );
}

function answered(query: string, found: readonly Found[], { json = false }: DocsOptions, { out }: CommandOutput): void {
  const [first, ...others] = found.slice(0, 1 + FURTHER).map(({ section }) => section);
  if (!first) return;
  if (json) {
    const results = [first, ...others].map(({ kind, title, place, text }) => ({ kind, title, place, text }));
    return out(`${JSON.stringify({ query, results }, null, 2)}\n`);
  }
  const further = others.map((section) => `- ${section.title} (${shortOf(section.place)}): ${gistOf(section)}`);
  const under = first.trail.length > 0 ? `${first.trail.join(' > ')}\n\n` : '';
  const text = `## ${first.title}\n\n${under}${first.text}\n\n${shortOf(first.place)}\n`;
  out(inTerminal(further.length > 0 ? `${text}\n### See also\n\n${further.join('\n')}\n` : text));
}

const inTerminal = (markdown: string): string =>
  process.stdout.isTTY
    ? forTerminal(markdown, process.stdout.columns, process.env['NO_COLOR'] === undefined)
    : markdown;

export default docs;
