// Quoted text and comments are skipped, so that a semicolon inside them separates nothing.
const LEXEME =
  /'(?:[^'\\]|\\.|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|;/g;

/** Statements of an SQL text, for drivers that take one at a time. Statements that hold semicolons themselves, such as bodies of triggers, must come alone. */
export function splitStatements(sql: string): readonly string[] {
  const statements: string[] = [];
  let from = 0;
  for (const match of sql.matchAll(LEXEME)) {
    if (match[0] !== ';') continue;
    statements.push(sql.slice(from, match.index));
    from = match.index + 1;
  }
  return [...statements, sql.slice(from)].map((statement) => statement.trim()).filter((statement) => statement !== '');
}
