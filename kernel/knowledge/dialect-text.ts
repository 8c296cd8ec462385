// How texts call the databases, and the names of their dialects.
const NAMES: readonly (readonly [words: RegExp, dialect: string])[] = [
  [/^SQLite$/, 'sqlite'],
  [/^PostgreSQL$/, 'postgres'],
  [/^(MySQL|MariaDB)$/, 'mysql'],
  [/^SQL Server$/, 'sqlserver'],
];

/** Dialects that a line of a table or a list is about; none for any other line. */
function dialectsOf(line: string): readonly string[] {
  const [, subject = ''] = /^(?:\| |- \*\*)(.+?)(?: \||\*\*:)/.exec(line) ?? [];
  const named = subject.split(/, | and /).map((word) => NAMES.find(([words]) => words.test(word))?.[1]);
  return named.every((each) => each !== undefined) ? (named as string[]) : [];
}

/** Leaves out rows and items about other databases than one, where that one has a line of its own. */
export function ofDialect(text: string, dialect: string): string {
  const lines = text.split('\n');
  if (!lines.some((line) => dialectsOf(line).includes(dialect))) return text;
  return lines
    .filter((line) => {
      const dialects = dialectsOf(line);
      return dialects.length === 0 || dialects.includes(dialect);
    })
    .join('\n');
}
