import { readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import ts from 'typescript';

/** What each file loads when it is imported or runs, by file. */
export type LoadGraph = ReadonlyMap<string, readonly string[]>;

/** The files below folders and what they load of each other; imports of types alone are gone when the code runs. */
export function loadGraph(root: string, folders: readonly string[]): LoadGraph {
  const patterns = folders.map((folder) => `${folder}/**/*.ts`);
  const files = globSync(patterns, { cwd: root, ignore: ['**/*.test.ts', '**/*.d.ts', '**/node_modules/**'] });
  const known = new Set(files);
  return new Map(files.map((file) => [file, loadedBy(root, file).filter((each) => known.has(each))]));
}

function loadedBy(root: string, file: string): readonly string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const atOnce = source.statements.flatMap((statement) => loadedSpecifier(statement) ?? []);
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
