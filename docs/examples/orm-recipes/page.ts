import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** The texts of recipes by their names. */
type Texts = Readonly<Record<string, string>>;

const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8');

/** What stands behind the arrows of an object of functions. */
function textsOf(file: string): Texts {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
  const found: [string, string][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isStringLiteral(node.name) && ts.isArrowFunction(node.initializer))
      found.push([node.name.text, node.initializer.body.getText()]);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return Object.fromEntries(found);
}

/** The recipes in the words of this ORM, and of Kysely, whose text is not run here. */
export const readRecipes = (): { readonly ours: Texts; readonly theirs: Texts } => ({
  ours: textsOf('recipes.ts'),
  theirs: textsOf('kysely.txt'),
});

/** How many tokens the scanner of TypeScript finds; a comma that only ends a list is none, because it comes with the line. */
export function tokensOf(text: string): number {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, text);
  const kinds: ts.SyntaxKind[] = [];
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) kinds.push(kind);
  const ends = [ts.SyntaxKind.CloseParenToken, ts.SyntaxKind.CloseBracketToken, ts.SyntaxKind.CloseBraceToken];
  const isTrailing = (kind: ts.SyntaxKind, at: number) =>
    kind === ts.SyntaxKind.CommaToken && ends.some((end) => end === kinds[at + 1]);
  return kinds.filter((kind, at) => !isTrailing(kind, at)).length;
}

/** `docs/guides/orm-recipes.md`. */
export function recipePage(): string {
  const { ours, theirs } = readRecipes();
  const names = Object.keys(ours);
  const both = (name: string) => [tokensOf(ours[name] ?? ''), tokensOf(theirs[name] ?? '')] as const;
  const longer = names.filter((name) => both(name)[0] > both(name)[1]).length;
  const section = (name: string) => {
    const [own, other] = both(name);
    return `### ${name}\n\n${own} tokens, ${other} in Kysely\n\n${block(ours[name])}\n\n${block(theirs[name])}\n`;
  };
  const raw = Object.entries(textsOf('raw-recipes.ts')).map(([name, text]) => `### ${name}\n\n${block(text)}\n`);
  return `${opening(names.length, longer)}\n${names.map(section).join('\n')}\n${RAW}\n${raw.join('\n')}`;
}

// Lines behind the first stand as deep as in the object.
const block = (text = ''): string =>
  `\`\`\`ts\n${text
    .replace(/\n {4}/g, '\n')
    .replace(/^\{\n/, '{\n')
    .trim()}\n\`\`\``;

const opening = (
  count: number,
  longer: number,
) => `<!-- Generated from docs/examples/orm-recipes by \`npm run docs\`; do not edit. -->

# How to say it: ${count} queries

Each as this ORM says it, and below as Kysely 0.29 does on PostgreSQL. The first of each is compiled and run on SQLite, PostgreSQL and MariaDB by a test,
on the models of [the shop](../examples/shop); the second is text, held against Kysely's types when it was written. The numbers are tokens as TypeScript counts
them, without commas that only end a list: in ${count - longer} of ${count} ours are no more. Joins take more, because a condition of a join is
a condition like any other; [preload](orm.md) follows a relation in one word.

What each function means: [values that the database computes](orm-expressions.md).

## Queries
`;

const RAW = `## With SQL of your own

What is one database's alone is \`raw\`, whose \`:names\` are parameters. These lines are PostgreSQL's, and run there.
`;
