// Names, texts and comments are taken whole, so that no parenthesis inside them counts.
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|\w+|[()]/g;

/**
 * Check constraints in the text of CREATE TABLE; SQLite keeps them nowhere else (https://sqlite.org/lang_createtable.html).
 * One without a name has the name ''.
 */
export function checksOfDefinition(definition: string): readonly { readonly name: string; readonly sql: string }[] {
  const tokens = [...definition.matchAll(TOKEN)].filter(([text]) => !/^(?:--|\/\*)/.test(text));
  const checks: { name: string; sql: string }[] = [];
  for (const [at, token] of tokens.entries()) {
    if (!/^check$/i.test(token[0]) || tokens[at + 1]?.[0] !== '(') continue;
    const named = /^constraint$/i.test(tokens[at - 2]?.[0] ?? '');
    const name = named ? (tokens[at - 1]?.[0] ?? '').replace(/^["`[]|["`\]]$/g, '') : '';
    const open = tokens[at + 1] as RegExpExecArray;
    checks.push({ name, sql: definition.slice(open.index + 1, closingOf(tokens, at + 1)).trim() });
  }
  return checks;
}

function closingOf(tokens: readonly RegExpExecArray[], open: number): number {
  let depth = 0;
  for (const { 0: text, index } of tokens.slice(open)) {
    if (text === '(') depth++;
    if (text === ')' && --depth === 0) return index;
  }
  return -1;
}
