import { readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import ts from 'typescript';

/** What each file loads when it is imported or runs, by file. */
export type LoadGraph = ReadonlyMap<string, readonly string[]>;

/** The files below folders and what they load of each other; imports of types alone are gone when the code runs. */
export const loadGraph = (root: string, folders: readonly string[]): LoadGraph => graphOf(root, folders, isLoaded);

/** The files below folders and what they name of each other, types included. */
export const nameGraph = (root: string, folders: readonly string[]): LoadGraph => graphOf(root, folders, () => true);

type Counts = (statement: ts.ImportDeclaration | ts.ExportDeclaration) => boolean;

function graphOf(root: string, folders: readonly string[], counts: Counts): LoadGraph {
  const patterns = folders.map((folder) => `${folder}/**/*.ts`);
  const files = globSync(patterns, { cwd: root, ignore: ['**/*.test.ts', '**/*.d.ts', '**/node_modules/**'] });
  const known = new Set(files);
  return new Map(files.map((file) => [file, namedBy(root, file, counts).filter((each) => known.has(each))]));
}

function namedBy(root: string, file: string, counts: Counts): readonly string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const atOnce = source.statements.flatMap((statement) => specifierOf(statement, counts) ?? []);
  const late = text.includes('import(') ? lateSpecifiers(source) : [];
  return [...atOnce, ...late].map((specifier) => besides(file, specifier));
}

// `import()` and `require` inside functions count too: files of such a cycle cannot be understood, or moved, without each other.
function lateSpecifiers(node: ts.Node): readonly string[] {
  const found: string[] = [];
  const visit = (each: ts.Node): void => {
    const [specifier] =
      ts.isCallExpression(each) && each.expression.kind === ts.SyntaxKind.ImportKeyword ? each.arguments : [];
    if (specifier && ts.isStringLiteral(specifier)) found.push(specifier.text);
    ts.forEachChild(each, visit);
  };
  visit(node);
  return found;
}

function specifierOf(statement: ts.Statement, counts: Counts): string | undefined {
  const names = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
  if (!names || !counts(statement)) return undefined;
  const { moduleSpecifier } = statement;
  return moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : undefined;
}

const isLoaded: Counts = (statement) =>
  ts.isImportDeclaration(statement) ? statement.importClause?.isTypeOnly !== true : !statement.isTypeOnly;

const besides = (file: string, specifier: string): string => {
  return path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, '.ts');
};

/** The cycles of a graph, one path for each. */
export function cyclesOf(graph: LoadGraph): readonly (readonly string[])[] {
  const done = new Set<string>();
  const cycles: string[][] = [];
  const visit = (file: string, way: readonly string[]): void => {
    const from = way.indexOf(file);
    if (from >= 0) return void cycles.push([...way.slice(from), file]);
    if (done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...way, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}

/** Imports that are part of a cycle and lead into another folder. */
export function cyclesAcrossFolders(graph: LoadGraph): readonly string[] {
  const reached = new Map<string, ReadonlySet<string>>();
  const reachedFrom = (file: string): ReadonlySet<string> => {
    const known = reached.get(file);
    if (known) return known;
    const found = new Set([file]);
    for (const each of found) for (const next of graph.get(each) ?? []) found.add(next);
    reached.set(file, found);
    return found;
  };
  return [...graph].flatMap(([file, named]) =>
    named
      .filter((each) => path.dirname(each) !== path.dirname(file) && reachedFrom(each).has(file))
      .map((each) => `${file} -> ${each}`),
  );
}
