import { readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import ts from 'typescript';

/** What each file loads when it is imported, by file. */
export type LoadGraph = ReadonlyMap<string, readonly string[]>;

/** The files below a folder and what they load of each other; imports of types alone are gone when the code runs. */
export function loadGraph(root: string, folder: string): LoadGraph {
  const files = globSync([`${folder}/**/*.ts`], { cwd: root, ignore: ['**/*.test.ts', '**/*.d.ts'] });
  return new Map(files.map((file) => [file, loadedBy(root, file).filter((each) => files.includes(each))]));
}

function loadedBy(root: string, file: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    const specifier = loadedSpecifier(statement);
    return specifier === undefined ? [] : [besides(file, specifier)];
  });
}

function loadedSpecifier(statement: ts.Statement): string | undefined {
  const erased = ts.isImportDeclaration(statement)
    ? statement.importClause?.isTypeOnly === true
    : !ts.isExportDeclaration(statement) || statement.isTypeOnly;
  if (erased) return undefined;
  const { moduleSpecifier } = statement as ts.ImportDeclaration | ts.ExportDeclaration;
  return moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : undefined;
}

const besides = (file: string, specifier: string): string => {
  return path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, '.ts');
};

/** Files of a graph that load themselves through others, each with the way back; one way of each cycle. */
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
