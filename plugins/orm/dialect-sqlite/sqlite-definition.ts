import type { IndexDefinition, KeptColumn, KeptDefinition } from '../dialect/index.js';

// Names, texts and comments are taken whole, so that no parenthesis inside them counts.
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|\w+|[(),]/g;

/**
 * Check constraints in the text of CREATE TABLE; SQLite keeps them nowhere else (https://sqlite.org/lang_createtable.html).
 * One without a name has the name ''.
 */
export function checksOfDefinition(definition: string): readonly { readonly name: string; readonly sql: string }[] {
  const tokens = tokensOf(definition);
  const checks: { name: string; sql: string }[] = [];
  for (const [at, token] of tokens.entries()) {
    if (!/^check$/i.test(token[0]) || tokens[at + 1]?.[0] !== '(') continue;
    const named = /^constraint$/i.test(tokens[at - 2]?.[0] ?? '');
    const name = named ? nameIn(tokens[at - 1]) : '';
    const open = tokens[at + 1] as RegExpExecArray;
    checks.push({ name, sql: definition.slice(open.index + 1, closingOf(tokens, at + 1)).trim() });
  }
  return checks;
}

/**
 * What the text of CREATE TABLE says and no pragma tells (https://sqlite.org/lang_createtable.html): the options behind the
 * columns, collations, expressions of generated columns, and what a table that is built anew cannot be given again.
 */
export function keptOfDefinition(definition: string): KeptDefinition {
  const tokens = tokensOf(definition);
  const open = tokens.findIndex(([text]) => text === '(');
  if (open < 0) return { options: '', columns: new Map(), lost: [] };
  const end = closingOf(tokens, open);
  const columns = new Map<string, KeptColumn>();
  const lost = new Set<string>();
  for (const part of partsOf(tokens.slice(open + 1).filter(({ index }) => index < end))) {
    const outer = part.filter(({ depth }) => depth === 0).map(({ token }) => token);
    const word = (at: number) => outer[at]?.[0].toLowerCase();
    if (!/^(?:constraint|primary|unique|check|foreign)$/.test(word(0) ?? ''))
      columns.set(nameIn(outer[0]), columnIn(outer, definition, tokens));
    for (const at of outer.keys()) {
      if (word(at) === 'on' && word(at + 1) === 'conflict') lost.add(`ON CONFLICT ${word(at + 2)?.toUpperCase()}`);
      if (word(at) === 'deferrable' && word(at - 1) !== 'not') lost.add('DEFERRABLE');
    }
  }
  return { options: definition.slice(end + 1).trim(), columns, lost: [...lost] };
}

/** What the text of CREATE INDEX says (https://sqlite.org/lang_createindex.html). */
export function indexOfDefinition(definition: string): IndexDefinition | undefined {
  const tokens = tokensOf(definition);
  const open = tokens.findIndex(([text]) => text === '(');
  const end = open < 0 ? -1 : closingOf(tokens, open);
  if (end < 0) return undefined;
  const parts: string[] = [];
  let from = (tokens[open] as RegExpExecArray).index + 1;
  for (const at of [...commasIn(tokens.slice(open + 1), end), end]) {
    parts.push(definition.slice(from, at).trim());
    from = at + 1;
  }
  const rest = definition.slice(end + 1).trim();
  const where = /^where\b([\s\S]*)$/i.exec(rest)?.[1]?.trim();
  return rest !== '' && where === undefined ? undefined : { parts, where, using: undefined };
}

/** The query in the text of CREATE VIEW (https://sqlite.org/lang_createview.html), its columns under the names that the view gives them. */
export function queryOfDefinition(definition: string): string {
  const tokens = tokensOf(definition);
  const at = tokens.findIndex(([text]) => /^as$/i.test(text));
  const begin = tokens[at];
  if (begin === undefined) return definition;
  const query = definition.slice(begin.index + 2).trim();
  const [open] = tokens;
  const list = tokens.findIndex(([text]) => text === '(');
  if (open === undefined || list < 0 || list > at) return query;
  const from = (tokens[list] as RegExpExecArray).index;
  return `WITH fw_view${definition.slice(from, closingOf(tokens, list) + 1)} AS (${query}) SELECT * FROM fw_view`;
}

// Where the commas between parts stand.
function commasIn(tokens: readonly RegExpExecArray[], end: number): readonly number[] {
  let depth = 0;
  return tokens.flatMap(({ 0: text, index }) => {
    if (index >= end) return [];
    if (text === '(') depth++;
    if (text === ')') depth--;
    return text === ',' && depth === 0 ? [index] : [];
  });
}

function columnIn(
  outer: readonly RegExpExecArray[],
  definition: string,
  tokens: readonly RegExpExecArray[],
): KeptColumn {
  const after = (word: RegExp) => outer.findIndex(([text], at) => at > 0 && word.test(text)) + 1;
  const [collate, as] = [after(/^collate$/i), after(/^as$/i)];
  const open = outer[as];
  const closing = open === undefined ? 0 : closingOf(tokens, tokens.indexOf(open));
  const stored = outer.some(([text]) => /^stored$/i.test(text)) ? ' STORED' : '';
  return {
    ...(collate > 0 && { collation: outer[collate]?.[0] ?? '' }),
    ...(as > 0 && open && { computed: `GENERATED ALWAYS AS ${definition.slice(open.index, closing + 1)}${stored}` }),
  };
}

// What stands between the commas, each token with how deep it is in parentheses; those have the depth around them.
function partsOf(tokens: readonly RegExpExecArray[]): readonly (readonly DeepToken[])[] {
  const parts: DeepToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token[0] === ')') depth--;
    if (token[0] === ',' && depth === 0) parts.push([]);
    else parts.at(-1)?.push({ token, depth });
    if (token[0] === '(') depth++;
  }
  return parts.filter(({ length }) => length > 0);
}

interface DeepToken {
  readonly token: RegExpExecArray;
  readonly depth: number;
}

const tokensOf = (definition: string): readonly RegExpExecArray[] =>
  [...definition.matchAll(TOKEN)].filter(([text]) => !/^(?:--|\/\*)/.test(text));

// A quote within a name is doubled; brackets have no way to say theirs (https://sqlite.org/lang_keywords.html).
function nameIn(token: RegExpExecArray | undefined): string {
  const text = token?.[0] ?? '';
  const [quote = ''] = text;
  if (quote === '[') return text.slice(1, -1);
  return /["'`]/.test(quote) ? text.slice(1, -1).replaceAll(quote + quote, quote) : text;
}

function closingOf(tokens: readonly RegExpExecArray[], open: number): number {
  let depth = 0;
  for (const { 0: text, index } of tokens.slice(open)) {
    if (text === '(') depth++;
    if (text === ')' && --depth === 0) return index;
  }
  return -1;
}

/**
 * The text of CREATE TRIGGER with new names of columns of its table, where it means no other: behind NEW and OLD, and in UPDATE OF
 * (https://sqlite.org/lang_createtrigger.html).
 */
export function renamedTrigger(definition: string, names: ReadonlyMap<string, string>): string {
  const tokens = tokensOf(definition);
  let [isList, isDone, isColumn] = [false, false, false];
  let made = '';
  let from = 0;
  for (const [at, token] of tokens.entries()) {
    const word = token[0].toLowerCase();
    if (!isDone && word === 'of' && tokens[at - 1]?.[0].toLowerCase() === 'update') isList = true;
    else if (isList && word === 'on') [isList, isDone] = [false, true];
    const fresh = isColumn || isList ? freshName(nameIn(token), names) : undefined;
    const behind = definition.slice(token.index + token[0].length);
    isColumn = /^"?(?:new|old)"?$/i.test(token[0]) && /^\s*\./.test(behind);
    if (fresh === undefined) continue;
    made += `${definition.slice(from, token.index)}"${fresh.replaceAll('"', '""')}"`;
    from = token.index + token[0].length;
  }
  return made + definition.slice(from);
}

// Names of columns are the same in letters of either case.
const freshName = (name: string, names: ReadonlyMap<string, string>): string | undefined =>
  [...names].find(([former]) => former.toLowerCase() === name.toLowerCase())?.[1];
