import { exactNumber, timeOfText, type ColumnKind, type MomentWords } from '../core/index.js';
import { isObject } from '../../../kernel/values/index.js';

/** Meaning of the text of a column's default, independent of the database's spelling. */
export type DefaultMeaning =
  | { readonly is: 'none' }
  | { readonly is: 'now' }
  | { readonly is: 'today' }
  | { readonly is: 'literal'; readonly text: string }
  | { readonly is: 'expression'; readonly text: string };

/** The facts of a dialect that reading its defaults needs. */
type Words = { readonly momentWords?: MomentWords };

const NOW = /^(?:now\(\)|(?:current_timestamp|localtimestamp)(?:\(\d*\))?)$/i;
const TODAY = /^current_date(?:\(\))?$/i;
const EXACT: ReadonlySet<ColumnKind> = new Set(['int', 'bigint', 'decimal']);

/** Reads the text of a default from DDL or a catalog. */
export function defaultMeaning(text: string | null, { momentWords: { now, today } = {} }: Words): DefaultMeaning {
  const isToday = (word: string) => TODAY.test(word) || today?.test(word);
  if (text !== null && isToday(enclosed(text.trim()))) return { is: 'today' };
  const bare = text === null ? 'NULL' : bareText(text);
  if (/^null$/i.test(bare)) return { is: 'none' };
  if (NOW.test(bare) || now?.test(bare)) return { is: 'now' };
  const quoted = /^(?:[NE]|_\w+ ?)?'((?:[^']|'')*)'$/i.exec(bare)?.[1];
  if (quoted !== undefined) return { is: 'literal', text: quoted.replaceAll("''", "'") };
  if (/^(?:true|false)$/i.test(bare) || exactNumber(bare) !== undefined)
    return { is: 'literal', text: bare.toLowerCase() };
  return { is: 'expression', text: bare };
}

/** Whether two texts give a column of a kind the same default. */
export function sameDefault(one: string | null, other: string | null, kind: ColumnKind, words: Words): boolean {
  const [a, b] = [one, other].map((text) => defaultMeaning(text, words)) as [DefaultMeaning, DefaultMeaning];
  if (a.is !== b.is) return false;
  return spelling(a, kind) === spelling(b, kind);
}

function spelling(meaning: DefaultMeaning, kind: ColumnKind): string {
  if (meaning.is === 'none' || meaning.is === 'now' || meaning.is === 'today') return '';
  if (meaning.is === 'expression') return meaning.text.toLowerCase().replace(/\s+/g, '');
  const { text } = meaning;
  if (kind === 'boolean') return /^(?:true|t|1)$/i.test(text) ? '1' : '0';
  // One time has many spellings.
  if (kind === 'date') return String(timeOfText(text)?.getTime() ?? text);
  // Different texts may mean the same double.
  if (kind === 'float') return String(Number(text));
  if (kind === 'json') return jsonSpelling(text);
  // A catalog quotes the elements that need it, and no others.
  if (kind === 'array' && text.startsWith('{')) return text.replace(/"(?!null")([\w.:+-]+)"/gi, '$1');
  return EXACT.has(kind) ? (exactNumber(text) ?? text) : text;
}

// The type jsonb keeps neither blanks nor the order of keys.
function jsonSpelling(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text, (_key, value: unknown) => sorted(value)));
  } catch {
    return text;
  }
}

function sorted(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

// `::"Mood"`, `::audit."Mood"[]`, `::character varying(10)`, `::timestamp(3) without time zone`.
const TYPE_NAME = '(?:"(?:[^"]|"")+"|[a-z_][\\w ]*)';
const CAST = new RegExp(`::${TYPE_NAME}(?:\\.${TYPE_NAME})*(?:\\([\\d, ]+\\)[\\w ]*)?(?:\\[\\])*$`, 'i');

// Catalogs add casts and parentheses.
function bareText(text: string): string {
  const next = enclosed(text.trim().replace(CAST, ''));
  return next === text ? text : bareText(next);
}

function enclosed(text: string): string {
  if (!text.startsWith('(') || !text.endsWith(')')) return text;
  let depth = 0;
  for (const [at, letter] of [...text.replace(/'(?:[^']|'')*'/g, (quoted) => '_'.repeat(quoted.length))].entries()) {
    if (letter === '(') depth++;
    if (letter === ')' && --depth === 0 && at < text.length - 1) return text;
  }
  return text.slice(1, -1).trim();
}
