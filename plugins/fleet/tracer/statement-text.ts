/** Texts that are remembered: an application has few, and runs each of them often. */
const MEMORY = 1_000;
/** Longer texts are cut before they are looked at, in characters. */
const MAX_TEXT = 4_096;

/**
 * Comments, texts and numbers of SQL. Quoted names are matched too, so that what stands in them is no literal. Numbers belong to no name
 * and to no placeholder: `t1`, `$1`, `@p1` and `:1` stay.
 */
const LITERALS =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|\b[A-Za-z]?'(?:[^']|'')*(?:'|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`[^`]*`|\[[A-Za-z_]\w*\]|(?<![\w$@:.])(?:0x[0-9a-f]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)\b/gi;

// The same text may be sent to a database that takes `"` for names, and to one that does not.
const known = { names: new Map<string, string>(), texts: new Map<string, string>() };

/**
 * A statement as spans show it: its literals replaced by `?`, its comments gone. Arguments never stand in it.
 *
 * @param hasDoubleQuotedTexts - whether `"` quotes texts, as MySQL and MariaDB do, and not names
 */
export function statementText(sql: string, hasDoubleQuotedTexts: boolean): string {
  const memory = hasDoubleQuotedTexts ? known.texts : known.names;
  const found = memory.get(sql);
  if (found !== undefined) return found;
  const text = withoutLiterals(sql.slice(0, MAX_TEXT), hasDoubleQuotedTexts);
  if (memory.size >= MEMORY) memory.clear();
  memory.set(sql, text);
  return text;
}

function withoutLiterals(sql: string, hasDoubleQuotedTexts: boolean): string {
  // Whether a backslash escapes a quote is a setting of the server: behind such a text nobody can say what is a literal.
  const quote = sql.search(/['"]/);
  if (quote !== -1 && sql.includes('\\')) return `${withoutLiterals(sql.slice(0, quote), hasDoubleQuotedTexts)}?`;
  return sql.replace(LITERALS, (literal) => {
    const [first] = literal;
    if (first === '-' || first === '/') return ' ';
    const isName = first === '`' || first === '[' || (first === '"' && !hasDoubleQuotedTexts);
    return isName ? literal : '?';
  });
}
