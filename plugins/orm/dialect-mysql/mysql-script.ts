import type { ScriptStatement } from '../dialect/index.js';

const COMMENT = String.raw`--(?=\s|$)[^\n]*|#[^\n]*|/\*(?!M?!)[\s\S]*?\*/`;
// A comment that begins with an exclamation mark is executed (https://dev.mysql.com/doc/refman/8.0/en/comments.html).
const QUOTED = String.raw`'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|\`[^\`]*\`|/\*[\s\S]*?\*/`;
// A command of the mysql client, at the beginning of a line (https://dev.mysql.com/doc/refman/8.0/en/mysql-commands.html).
const DELIMITER = String.raw`^[^\S\n]*delimiter[^\S\n]+(\S+)[^\n]*`;
const COMMENTS = new RegExp(COMMENT, 'gm');
// What may hold statements itself. One too many does no harm.
const COMPOUND =
  /^(?:(?:create|alter)\b[^(]*?\b(?:trigger|procedure|function|event|package)\b|begin\s+not\s+atomic\b|(?:if|case|loop|repeat|while|for)\b)/i;

// What neither commits nor begins a transaction (https://dev.mysql.com/doc/refman/8.0/en/implicit-commit.html).
const UNDOABLE = /^\(*\s*(?:insert|update|delete|replace|select|with|values|do|set(?!\s+statement))\b/i;

/** The portions of an SQL text, with what the runner of migrations has to know of each. */
export const scriptStatements = (sql: string): readonly ScriptStatement[] =>
  portionsOf(sql).map(({ text, several }) => {
    const begin = withoutComments(text);
    return {
      sql: text,
      several,
      transaction: !several && UNDOABLE.test(begin) ? 'shared' : 'own',
      ofSession: /^set(?!\s+statement)\b/i.test(begin),
    };
  });

/**
 * Takes an SQL text into what is sent to the server at a time: one statement; behind `DELIMITER`, what stands between two of
 * them; and from the first stored program on the rest, because only the server's own parser knows where one ends.
 */
export const scriptPortions = (sql: string): readonly string[] => portionsOf(sql).map(({ text }) => text);

interface Portion {
  readonly text: string;
  /** Whether it may hold several statements. */
  readonly several: boolean;
}

function portionsOf(sql: string): readonly Portion[] {
  const portions: Portion[] = [];
  let delimiter = ';';
  let from = 0;
  let isCompound = false;
  let holdsSemicolon = false;
  const take = (to: number, next: number) => {
    const begin = withoutComments(sql.slice(from, to));
    const several = isCompound || (holdsSemicolon && !COMPOUND.test(begin));
    if (begin !== '') portions.push({ text: sql.slice(from, to).trim(), several });
    from = next;
    isCompound = false;
    holdsSemicolon = false;
  };
  let lexer = lexerOf(delimiter);
  for (let found = lexer.exec(sql); found !== null; found = lexer.exec(sql)) {
    const [text, chosen] = found;
    const next = found.index + text.length;
    if (chosen !== undefined) {
      // In the midst of a statement it is the name of a column.
      if (!isCompound && withoutComments(sql.slice(from, found.index)) !== '') {
        lexer.lastIndex = next - text.trimStart().length + 'delimiter'.length;
        continue;
      }
      take(found.index, next);
      delimiter = chosen;
      lexer = lexerOf(delimiter);
      lexer.lastIndex = next;
    } else if (text === delimiter) {
      isCompound ||= delimiter === ';' && COMPOUND.test(withoutComments(sql.slice(from, found.index)));
      if (!isCompound) take(found.index, next);
    } else if (text === ';') holdsSemicolon = true;
  }
  take(sql.length, sql.length);
  return portions;
}

// Of a text that quotes a comment only the beginning is right, which is what matters here.
const withoutComments = (sql: string): string => sql.replace(COMMENTS, '').trim();

function lexerOf(delimiter: string): RegExp {
  const ending = delimiter.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`${DELIMITER}|${ending}|${COMMENT}|${QUOTED}|;`, 'gim');
}
