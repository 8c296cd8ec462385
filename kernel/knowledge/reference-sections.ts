import { chunksOf } from './chunks.js';
import { type PagePart, partsOf } from './markdown-page.js';
import type { Section, SectionKind } from './section.js';
import { tokensOf } from './tokens.js';

/** A page of the documentation. */
export interface Page {
  /** `docs/guides/orm.md` */
  readonly file: string;
  readonly text: string;
}

type Reader = (part: PagePart, page: Page) => readonly Section[];

const READERS: readonly (readonly [file: RegExp, read: Reader])[] = [
  [/^docs\/guides\//, (part, page) => chunked('guide', part, page)],
  [/^docs\/reference\/exports\//, exportSections],
  [/^docs\/reference\/errors\.md$/, ofLevel(3, 'error')],
  [/^docs\/reference\/tools\.md$/, ofLevel(3, 'tool')],
  [/^docs\/reference\/commands\.md$/, ofLevel(2, 'command')],
  [/^docs\/reference\/options\.md$/, optionSections],
  [/^docs\/reference\/dialects\.md$/, (part, page) => chunked('sql', part, page)],
  [/^docs\/reference\/spec-map\.md$/, (part, page) => chunked('mapping', part, page)],
];

/** Pages that are not indexed, because they concern only contributors to fw. */
const LEFT_OUT = /^docs\/reference\/code-generation\.md$|\/README\.md$/;

/** The sections of a page of the documentation. */
export function sectionsOf(page: Page): readonly Section[] {
  if (LEFT_OUT.test(page.file)) return [];
  const reader = READERS.find(([file]) => file.test(page.file))?.[1];
  return reader ? partsOf(page.text).flatMap((part) => reader(part, page)) : [];
}

const placeOf = ({ level, anchor }: PagePart, { file }: Page): string => (level === 1 ? file : `${file}#${anchor}`);

/** The sections of any text with headings. */
function chunked(kind: SectionKind, part: PagePart, page: Page): readonly Section[] {
  const { title, trail } = part;
  return chunksOf(part.body).map((text) => ({ kind, title, place: placeOf(part, page), trail, text }));
}

// Reads pages whose entries are looked up by name: each heading of the level is one section, never split.
function ofLevel(level: number, kind: SectionKind): Reader {
  return (part, page) => {
    if (part.level !== level) return [];
    return chunked(kind, part, page).map((section) => ({ ...section, names: [part.title] }));
  };
}

function optionSections(part: PagePart, page: Page): readonly Section[] {
  if (part.level !== 2) return [];
  const place = placeOf(part, page);
  const plugin = part.title;
  const lines = part.body.split('\n');
  const words = lines.filter((line) => !line.startsWith('|')).join('\n');
  const rows = lines.filter((line) => line.startsWith('| `')).map(cellsOf);
  const names = rows.map(([name = '']) => name);
  const listed = names.length > 0 ? `\n\nOptions: ${names.join(', ')}.` : '';
  const whole: Section = { kind: 'option', title: plugin, place, trail: [], text: `${words.trim()}${listed}` };
  return [whole, ...rows.map((cells) => optionSection(plugin, place, cells))];
}

function optionSection(
  plugin: string,
  place: string,
  [name = '', type = '', given = '', meaning = '']: string[],
): Section {
  const bare = name.replaceAll('`', '');
  const facts = [type, given === 'required' ? given : given && `default ${given}`].filter(Boolean).join(', ');
  const text = `${name} of the plugin \`${plugin}\` (${facts}): ${meaning}`;
  return {
    kind: 'option',
    title: `${plugin}: ${bare}`,
    place,
    trail: [plugin],
    text,
    names: [bare, `${plugin}.${bare}`],
  };
}

// Splits at bars that are not escaped.
const cellsOf = (row: string): string[] =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

const MOST_OF_A_SIGNATURE = 200;

function exportSections(part: PagePart, page: Page): readonly Section[] {
  if (part.level !== 2) return [];
  const place = placeOf(part, page);
  const module = part.trail[0]?.replace('Exports of ', '') ?? page.file;
  const [, code = '', described = ''] = /^```ts\n([\s\S]*?)\n```\n*([\s\S]*)$/.exec(part.body) ?? [];
  const { words, examples } = memberExamplesIn(described);
  const members = membersIn(part.title, code);
  const shown = tokensOf(code) <= MOST_OF_A_SIGNATURE ? code : shortened(code, members);
  const names = [part.title];
  const texts = chunksOf(`\`\`\`ts\n${shown}\n\`\`\`\n\n${words}`);
  const whole = texts.map((text): Section => ({
    kind: 'export',
    title: part.title,
    place,
    trail: [module],
    text,
    names,
  }));
  return [...whole, ...members.map((member) => memberSection(member, module, place, examples))];
}

// The words about a class end with examples of its members: "Example of `Query.preload`:" and a block of code.
function memberExamplesIn(described: string): {
  readonly words: string;
  readonly examples: ReadonlyMap<string, string>;
} {
  const examples = new Map<string, string>();
  const words = described.replace(
    /^Example of `([\w$.]+)`:\n\n(```ts\n[\s\S]*?\n```)\n*/gm,
    (_, member: string, code: string) => {
      examples.set(member, code);
      return '';
    },
  );
  return { words, examples };
}

interface Member {
  readonly owner: string;
  readonly name: string;
  readonly signatures: readonly string[];
  readonly words: string;
}

// Documented members have the form ` name(...): type; // words`; their overloads follow without words.
function membersIn(owner: string, code: string): readonly Member[] {
  const lines = code.split('\n').filter((line) => line.startsWith('  '));
  const members: { owner: string; name: string; signatures: string[]; words: string }[] = [];
  for (const line of lines) {
    const [, signature = '', words = ''] = /^ {2}(.*?)(?: \/\/ (.*))?$/.exec(line) ?? [];
    const [, name] = /^(?:(?:static|readonly|get) )*([\w$]+)/.exec(signature) ?? [];
    if (name === undefined || name === 'constructor') continue;
    const last = members.at(-1);
    if (last?.name === name) last.signatures.push(signature);
    else members.push({ owner, name, signatures: [signature], words });
  }
  return members.filter(({ words }) => words !== '');
}

function memberSection(
  { owner, name, signatures, words }: Member,
  module: string,
  place: string,
  examples: ReadonlyMap<string, string>,
): Section {
  const title = `${owner}.${name}`;
  const example = examples.has(title) ? `\n\n${examples.get(title)}` : '';
  const text = `\`\`\`ts\n// ${owner} of ${module}\n${signatures.join('\n')}\n\`\`\`\n\n${words}${example}`;
  return { kind: 'member', title, place, trail: [module], text, names: [title, name] };
}

// The names of members in place of their signatures; each has a section of its own.
function shortened(code: string, members: readonly Member[]): string {
  if (members.length === 0) return code;
  const outside = code.split('\n').filter((line) => !line.startsWith('  ') && line !== '}');
  return [...outside, `  // ${members.map(({ name }) => name).join(', ')}`, '}'].join('\n');
}
