/** Cached statements: an application has few, and runs each of them often. */
const MEMORY = 1_000;
/** Longer statements are cut first, in characters, and not cached: a thousand of them could be gigabytes. */
const MAX_TEXT = 4_096;

/**
 * Comments, texts and numbers of SQL. Quoted names are matched too, so that their content is not taken for literals. Numbers that are part
 * of a name or a placeholder stay: `t1`, `$1`, `@p1` and `:1`.
 */
const LITERALS =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|\b[A-Za-z]?'(?:[^']|'')*(?:'|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`[^`]*`|\[[A-Za-z_]\w*\]|(?<![\w$@:.])(?:0x[0-9a-f]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)\b/gi;

// Two caches, because `"` quotes names in some databases and texts in others.
const known = { names: new Map<string, string>(), texts: new Map<string, string>() };

/**
 * A statement as spans show it: with literals replaced by `?` and without comments. It never contains arguments.
 *
 * @param hasDoubleQuotedTexts - whether `"` quotes texts, as MySQL and MariaDB do, and not names
 */
export function statementText(sql: string, hasDoubleQuotedTexts: boolean): string {
  if (sql.length > MAX_TEXT) return withoutLiterals(sql.slice(0, MAX_TEXT), hasDoubleQuotedTexts);
  const memory = hasDoubleQuotedTexts ? known.texts : known.names;
  const found = memory.get(sql);
  if (found !== undefined) return found;
  const text = withoutLiterals(sql, hasDoubleQuotedTexts);
  if (memory.size >= MEMORY) memory.clear();
  memory.set(sql, text);
  return text;
}

function withoutLiterals(sql: string, hasDoubleQuotedTexts: boolean): string {
  // A server setting decides whether a backslash escapes a quote: after such a text it is unknown what is a literal, so the rest is cut.
  const quote = sql.search(/['"]/);
  if (quote !== -1 && sql.includes('\\')) return `${withoutLiterals(sql.slice(0, quote), hasDoubleQuotedTexts)}?`;
  return sql.replace(LITERALS, (literal) => {
    const [first] = literal;
    if (first === '-' || first === '/') return ' ';
    const isName = first === '`' || first === '[' || (first === '"' && !hasDoubleQuotedTexts);
    return isName ? literal : '?';
  });
}
