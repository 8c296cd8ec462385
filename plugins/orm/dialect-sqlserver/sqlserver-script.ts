// Texts and names; words that open and close blocks, variables left out; the line that ends a batch.
const LEXEME =
  /'[^']*'|"[^"]*"|\[(?:[^\]]|\]\])*\]|--[^\n]*|\/\*|^[^\S\n]*go[^\S\n]*$|(?<![@#$\w])(?:begin(?!\s+(?:distributed|tran|transaction|dialog|conversation)\b)|case|end(?!\s+conversation\b))(?![$\w])|;/gim;
// Alone in its batch, and as long as that (https://learn.microsoft.com/sql/t-sql/statements/create-trigger-transact-sql).
const MODULE = /^(?:create|alter)\s+(?:or\s+alter\s+)?(?:proc|procedure|function|trigger|view)\b/i;
const COMMENTS = /--[^\n]*|\/\*[\s\S]*?\*\//g;

/**
 * Statements of an SQL text: what stands between semicolons outside of blocks, and between lines of `GO`
 * (https://learn.microsoft.com/sql/t-sql/language-elements/sql-server-utilities-statements-go).
 */
export function scriptStatements(sql: string): readonly string[] {
  const statements: string[] = [];
  const lexer = new RegExp(LEXEME);
  let from = 0;
  let depth = 0;
  const begun = (to: number) => sql.slice(from, to).replace(COMMENTS, '').trim();
  const take = (to: number, next: number) => {
    if (begun(to) !== '') statements.push(sql.slice(from, to).trim());
    from = next;
  };
  for (let found = lexer.exec(sql); found !== null; found = lexer.exec(sql)) {
    const [text] = found;
    const word = text.trim().toLowerCase();
    if (text === '/*') lexer.lastIndex = endOfComment(sql, found.index);
    else if (word === 'begin' || word === 'case') depth++;
    else if (word === 'end') depth--;
    else if (word === 'go') {
      take(found.index, lexer.lastIndex);
      depth = 0;
    } else if (text === ';' && depth === 0 && !MODULE.test(begun(found.index))) take(found.index, lexer.lastIndex);
  }
  take(sql.length, sql.length);
  return statements;
}

// Comments nest (https://learn.microsoft.com/sql/t-sql/language-elements/slash-star-comment-transact-sql).
function endOfComment(sql: string, start: number): number {
  const ends = /\/\*|\*\//g;
  ends.lastIndex = start;
  let depth = 0;
  for (let found = ends.exec(sql); found !== null; found = ends.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return ends.lastIndex;
  }
  return sql.length;
}
