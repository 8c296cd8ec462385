import { BoundedMap } from '../../../../kernel/bounded/index.js';
import { fwError } from '../../../../kernel/index.js';
import { typeInWords } from '../model/kinds.js';
import { ORM_ERRORS } from '../errors.js';

/** A raw SQL fragment, cut at its parameters: text, name, text, name, ..., text. */
export interface RawText {
  readonly source: string;
  readonly texts: readonly string[];
  /** Names in order of appearance; the same name may appear again. */
  readonly names: readonly string[];
}

// Quoted strings, quoted identifiers, comments, dollar quotes and casts are skipped, so that `:name` inside them stays text.
const LEXEME =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|::|:([A-Za-z_]\w*)|;/g;

const cache = new BoundedMap<string, RawText>(1000);

/**
 * Cuts a raw fragment at its `:name` parameters.
 *
 * @throws FwError `FW_ORM_RAW` when the fragment is empty or holds a statement separator
 */
export const rawText = (source: string): RawText => cache.use(source, () => cutAtParameters(source));

function cutAtParameters(source: string): RawText {
  if (typeof source !== 'string') throw refused(source, 'it is no text');
  if (source.trim() === '') throw refused(source, 'it is empty');
  const texts: string[] = [];
  const names: string[] = [];
  let from = 0;
  for (const match of source.matchAll(LEXEME)) {
    if (match[0] === ';') throw refused(source, 'raw SQL fragment must not contain a statement separator (;)');
    if (match[2] === undefined) continue;
    texts.push(source.slice(from, match.index));
    names.push(match[2]);
    from = match.index + match[0].length;
  }
  return { source, texts: [...texts, source.slice(from)], names };
}

/**
 * Values of a fragment's parameters in order of appearance.
 *
 * @param pairs - name, value, name, value, ... or one object
 * @throws FwError `FW_ORM_RAW` for a missing, unused or unpaired name
 */
export function rawValues(raw: RawText, pairs: readonly unknown[]): unknown[] {
  const given = namedValues(raw, pairs);
  for (const name of given.keys()) {
    if (!raw.names.includes(name)) throw refused(raw.source, `it has no parameter :${name}`);
  }
  return raw.names.map((name) => {
    if (!given.has(name)) throw refused(raw.source, `the parameter :${name} has no value`);
    const value = given.get(name);
    if (Array.isArray(value) && value.length === 0) throw refused(raw.source, `the list :${name} is empty`);
    return value;
  });
}

function namedValues(raw: RawText, pairs: readonly unknown[]): Map<string, unknown> {
  const [only] = pairs;
  if (pairs.length === 1 && typeof only === 'object' && only !== null) return new Map(Object.entries(only));
  const named = new Map<string, unknown>();
  for (let at = 0; at < pairs.length; at += 2) {
    const name = pairs[at];
    if (typeof name !== 'string' || at + 1 >= pairs.length)
      throw refused(raw.source, 'values come as name, value pairs');
    named.set(name, pairs[at + 1]);
  }
  return named;
}

function refused(sql: unknown, problem: string) {
  const text = typeof sql === 'string' ? sql.slice(0, 120) : typeInWords(sql);
  return fwError(ORM_ERRORS.FW_ORM_RAW, { sql: text, problem });
}
