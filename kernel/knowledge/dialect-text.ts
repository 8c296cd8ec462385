import { rooms } from '#rooms';

// Names of the databases in texts, taken from the titles of the dialects: `MySQL, MariaDB`.
const NAMES: ReadonlyMap<string, string> = new Map(
  rooms
    .flatMap(
      ({ manifest }) => (manifest.dialects ?? []) as readonly { readonly name: string; readonly title: string }[],
    )
    .flatMap(({ name, title }) => title.split(', ').map((word) => [word, name] as const)),
);

/** Dialects that a line of a table or a list is about; none for any other line. */
function dialectsOf(line: string): readonly string[] {
  const [, subject = ''] = /^(?:\| |- \*\*)(.+?)(?: \||\*\*:)/.exec(line) ?? [];
  const named = subject.split(/, | and /).map((word) => NAMES.get(word));
  return named.every((each) => each !== undefined) ? (named as string[]) : [];
}

/** Leaves out rows and items about other databases, if the given one has a line of its own. */
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
