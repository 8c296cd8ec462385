import type { ScriptStatement } from '../dialect/index.js';

// Texts, names, comments, dollar quotes, words that open and close bodies, ends
// (https://www.postgresql.org/docs/current/sql-syntax-lexical.html).
const LEXEME =
  /(?<![\w$])e'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*|(?<![\w$])\$([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$|(?<![\w$])(?:begin\s+atomic|case|end)(?![\w$])|;/gi;
// What cannot run in a transaction (each page of https://www.postgresql.org/docs/current/sql-commands.html says so).
const ALONE =
  /^(?:create\s+(?:unique\s+)?index\s+concurrently|drop\s+index\s+concurrently|reindex\b[\s\S]*?\bconcurrently|alter\s+table\b[\s\S]*\bdetach\s+partition\b[\s\S]*\bconcurrently|vacuum|(?:create|drop)\s+(?:database|tablespace)|alter\s+system|(?:create|drop|alter)\s+subscription)\b/i;
const SESSION = /^(?:set(?!\s+(?:local|constraints|transaction)\b)|reset)\b/i;

/** The statements of an SQL text, with what the runner of migrations has to know of each. */
export function scriptStatements(sql: string): readonly ScriptStatement[] {
  return textsOf(sql).map((text) => {
    const begin = withoutComments(text);
    const transaction = ALONE.test(begin) ? 'none' : 'shared';
    return { sql: text, several: false, transaction, ofSession: SESSION.test(begin) };
  });
}

function textsOf(sql: string): readonly string[] {
  const texts: string[] = [];
  const lexer = new RegExp(LEXEME);
  let from = 0;
  let depth = 0;
  const take = (to: number) => {
    const text = sql.slice(from, to).trim();
    if (withoutComments(text) !== '') texts.push(text);
    from = lexer.lastIndex;
    depth = 0;
  };
  for (let found = lexer.exec(sql); found !== null; found = lexer.exec(sql)) {
    const [text] = found;
    if (text === '/*') lexer.lastIndex = endOfComment(sql, found.index);
    else if (text.startsWith('$')) lexer.lastIndex = endOf(sql, text, lexer.lastIndex);
    else if (/^begin/i.test(text)) depth++;
    else if (/^case$/i.test(text)) depth += depth > 0 ? 1 : 0;
    else if (/^end$/i.test(text)) depth -= depth > 0 ? 1 : 0;
    else if (text === ';' && depth === 0) take(found.index);
  }
  lexer.lastIndex = sql.length;
  take(sql.length);
  return texts;
}

/** What stands behind the comments that an SQL text begins with. */
export function withoutComments(sql: string): string {
  let at = 0;
  for (;;) {
    at += /^\s*/.exec(sql.slice(at))?.[0].length ?? 0;
    if (sql.startsWith('--', at)) at = endOf(sql, '\n', at);
    else if (sql.startsWith('/*', at)) at = endOfComment(sql, at);
    else return sql.slice(at);
  }
}

const endOf = (sql: string, mark: string, from: number): number => {
  const found = sql.indexOf(mark, from);
  return found < 0 ? sql.length : found + mark.length;
};

// They nest.
function endOfComment(sql: string, start: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let found = marks.exec(sql); found !== null; found = marks.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return sql.length;
}
