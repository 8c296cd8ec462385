import type { ColumnKind } from '../core/index.js';

/** What the text of a column's default says, whichever way a database writes it. */
export type DefaultMeaning =
  | { readonly is: 'none' }
  | { readonly is: 'now' }
  | { readonly is: 'literal'; readonly text: string }
  | { readonly is: 'expression'; readonly text: string };

const NOW =
  /^(?:now\(\)|(?:current_timestamp|localtimestamp)(?:\(\d*\))?|sysutcdatetime\(\)|getdate\(\)|strftime\('%Y-%m-%dT%H:%M:%fZ', ?'now'\))$/i;
const NUMERIC: ReadonlySet<ColumnKind> = new Set(['int', 'bigint', 'float', 'decimal']);

/** Reads the text of a default, as DDL or a catalog has it. */
export function defaultMeaning(text: string | null): DefaultMeaning {
  const bare = text === null ? 'NULL' : bareText(text);
  if (/^null$/i.test(bare)) return { is: 'none' };
  if (NOW.test(bare)) return { is: 'now' };
  const quoted = /^[NE]?'((?:[^']|'')*)'$/i.exec(bare)?.[1];
  if (quoted !== undefined) return { is: 'literal', text: quoted.replaceAll("''", "'") };
  if (/^(?:[-+]?\d[\d.]*(?:e[-+]?\d+)?|true|false)$/i.test(bare)) return { is: 'literal', text: bare.toLowerCase() };
  return { is: 'expression', text: bare };
}

/** Whether two texts give a column of a kind the same default. */
export function sameDefault(one: string | null, other: string | null, kind: ColumnKind): boolean {
  const [a, b] = [one, other].map((text) => defaultMeaning(text)) as [DefaultMeaning, DefaultMeaning];
  if (a.is !== b.is) return false;
  return spelling(a, kind) === spelling(b, kind);
}

function spelling(meaning: DefaultMeaning, kind: ColumnKind): string {
  if (meaning.is === 'none' || meaning.is === 'now') return '';
  if (meaning.is === 'expression') return meaning.text.toLowerCase().replace(/\s+/g, '');
  const { text } = meaning;
  if (kind === 'boolean') return /^(?:true|t|1)$/i.test(text) ? '1' : '0';
  if (kind === 'date') return String(timeOf(text));
  // 0, 0.00 and '0' are one number; a long integer keeps its last digits.
  return NUMERIC.has(kind) && !/^-?\d{16,}$/.test(text) ? String(Number(text)) : text;
}

// One time in many spellings; without an offset it is UTC, as the codecs read it.
function timeOf(text: string): number | string {
  const [, date = '', time = '00:00:00', offset = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d(?::?\d\d)?)?)?$/.exec(text) ?? [];
  const zone = /^[+-]\d\d$/.test(offset) ? `${offset}:00` : offset;
  const parsed = Date.parse(`${date}T${time}${zone}`);
  return Number.isNaN(parsed) ? text : parsed;
}

// PostgreSQL adds casts, SQL Server and SQLite take or add parentheses.
function bareText(text: string): string {
  const next = enclosed(text.trim().replace(/::[a-z][\w ."]*(?:\([\d, ]+\))?(?:\[\])?$/i, ''));
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
