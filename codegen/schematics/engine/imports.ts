import { ts } from 'ts-morph';

/** A name that a file imports. */
export interface Import {
  readonly module: string;
  /** Local name. */
  readonly name: string;
  /** Text in the import: `type HasMany`, `Order as Sale`. */
  readonly text: string;
}

/** Text to insert at a place of another. */
interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** A text with others inserted. */
export function inserted(text: string, insertions: readonly Insertion[]): string {
  // From the end backwards, so that positions stay valid.
  return [...insertions]
    .sort((a, b) => b.at - a.at)
    .reduce((edited, { at, text: more }) => edited.slice(0, at) + more + edited.slice(at), text);
}

/** Adds missing imports to the text of a file, which keeps its layout and comments. */
export function withImports(text: string, imports: readonly Import[]): string {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  return inserted(text, missingImports(source, imports));
}

/** Import statements for the names that a file does not have. @param own - names that it declares itself */
export function missingImports(
  source: ts.SourceFile,
  imports: readonly Import[],
  own: readonly string[] = [],
): readonly Insertion[] {
  const have = new Set([...own, ...importsOf(source).map(({ name }) => name)]);
  const missing = imports.filter(({ name }) => !have.has(name));
  return [...new Set(missing.map((each) => each.module))].map((module) => {
    const names = missing.filter((each) => each.module === module).map((each) => each.text);
    const last = namesFrom(source, module).at(-1);
    if (last) return { at: last.getEnd(), text: `, ${names.join(', ')}` };
    return placedImport(source, module, `import { ${names.join(', ')} } from '${module}';`);
  });
}

// Packages come first, and the files of the project behind them.
function placedImport(source: ts.SourceFile, module: string, line: string): Insertion {
  const all = importDeclarations(source);
  const alike = all.findLast((each) => isRelative(moduleOf(each)) === isRelative(module));
  const [first] = all;
  if (first !== undefined && alike === undefined && !isRelative(module))
    return { at: first.getStart(source), text: `${line}\n` };
  return { at: (alike ?? all.at(-1))?.getEnd() ?? 0, text: `\n${line}` };
}

const isRelative = (module: string): boolean => module.startsWith('.');

const importDeclarations = (source: ts.SourceFile): readonly ts.ImportDeclaration[] =>
  source.statements.filter((each) => ts.isImportDeclaration(each));

const moduleOf = ({ moduleSpecifier }: ts.ImportDeclaration): string => (moduleSpecifier as ts.StringLiteral).text;

function namesOfImport({ importClause }: ts.ImportDeclaration): readonly ts.ImportSpecifier[] {
  const named = importClause?.namedBindings;
  return named && ts.isNamedImports(named) ? named.elements : [];
}

function namesFrom(source: ts.SourceFile, module: string): readonly ts.ImportSpecifier[] {
  // An `import type` list cannot take a value.
  return importDeclarations(source)
    .filter((each) => moduleOf(each) === module && each.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword)
    .flatMap(namesOfImport);
}

/** Names that a file imports. */
export function importsOf(source: ts.SourceFile): readonly Import[] {
  return importDeclarations(source).flatMap((declaration) => {
    const typeOnly = declaration.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return namesOfImport(declaration).map((element) => ({
      module: moduleOf(declaration),
      name: element.name.text,
      text: `${typeOnly ? 'type ' : ''}${element.getText()}`,
    }));
  });
}
