import { ts } from 'ts-morph';

/** Meaning of a top-level name of a module. */
export type Meaning =
  | { readonly is: 'import'; readonly specifier: string; readonly name: string }
  /** `import * as name` */
  | { readonly is: 'module'; readonly specifier: string }
  | { readonly is: 'class'; readonly node: ts.ClassDeclaration }
  | { readonly is: 'enum'; readonly node: ts.EnumDeclaration }
  | { readonly is: 'alias'; readonly node: ts.TypeAliasDeclaration }
  | { readonly is: 'interface'; readonly node: ts.InterfaceDeclaration }
  /** A declaration that syntax does not explain, or several declarations. */
  | { readonly is: 'other' };

const OTHER: Meaning = { is: 'other' };

/** The top-level names of a module, by its text alone. */
export class PlainNames {
  readonly #declared = new Map<string, Meaning>();
  readonly #exported = new Map<string, Meaning>();
  /** Modules that it re-exports completely. */
  readonly stars: readonly string[];

  constructor(readonly file: ts.SourceFile) {
    for (const statement of file.statements) this.#take(statement);
    for (const statement of file.statements) if (ts.isExportDeclaration(statement)) this.#takeExports(statement);
    this.stars = file.statements.flatMap((each) =>
      ts.isExportDeclaration(each) && each.exportClause === undefined ? textOf(each.moduleSpecifier) : [],
    );
  }

  /** Meaning of a name; undefined for one that the module does not declare. */
  meaningOf(name: string): Meaning | undefined {
    return this.#declared.get(name);
  }

  /** The explicit export of the module with a name. */
  exportedAs(name: string): Meaning | undefined {
    return this.#exported.get(name);
  }

  #take(statement: ts.Statement): void {
    if (ts.isImportDeclaration(statement)) this.#takeImport(statement);
    else if (ts.isClassDeclaration(statement)) this.#declare(statement, { is: 'class', node: statement });
    else if (ts.isEnumDeclaration(statement)) this.#declare(statement, { is: 'enum', node: statement });
    else if (ts.isTypeAliasDeclaration(statement)) this.#declare(statement, { is: 'alias', node: statement });
    else if (ts.isInterfaceDeclaration(statement)) this.#declare(statement, { is: 'interface', node: statement });
    else if (ts.isVariableStatement(statement))
      for (const { name } of statement.declarationList.declarations) this.#takePattern(name);
    else if (ts.isFunctionDeclaration(statement) || ts.isModuleDeclaration(statement)) this.#declare(statement, OTHER);
    else if (ts.isImportEqualsDeclaration(statement)) this.#declare(statement, OTHER);
  }

  #takeImport({ importClause, moduleSpecifier }: ts.ImportDeclaration): void {
    const [specifier] = textOf(moduleSpecifier);
    if (importClause === undefined || specifier === undefined) return;
    const { name, namedBindings: bindings } = importClause;
    if (name) this.#set(name.text, { is: 'import', specifier, name: 'default' });
    if (bindings === undefined) return;
    if (ts.isNamespaceImport(bindings)) this.#set(bindings.name.text, { is: 'module', specifier });
    else
      for (const each of bindings.elements)
        this.#set(each.name.text, { is: 'import', specifier, name: (each.propertyName ?? each.name).text });
  }

  #takePattern(name: ts.BindingName): void {
    if (ts.isIdentifier(name)) this.#set(name.text, OTHER);
    else for (const each of name.elements) if (!ts.isOmittedExpression(each)) this.#takePattern(each.name);
  }

  #declare(statement: ts.DeclarationStatement, meaning: Meaning): void {
    const name = statement.name?.text;
    if (name === undefined) return;
    this.#set(name, meaning);
    const flags = ts.getCombinedModifierFlags(statement);
    if (flags & ts.ModifierFlags.Default) this.#exported.set('default', meaning);
    else if (flags & ts.ModifierFlags.Export) this.#exported.set(name, this.#declared.get(name) ?? meaning);
  }

  #set(name: string, meaning: Meaning): void {
    this.#declared.set(name, this.#declared.has(name) ? OTHER : meaning);
  }

  #takeExports({ exportClause, moduleSpecifier }: ts.ExportDeclaration): void {
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) return;
    const [specifier] = textOf(moduleSpecifier);
    for (const each of exportClause.elements) {
      const local = (each.propertyName ?? each.name).text;
      const meaning: Meaning | undefined =
        specifier === undefined ? this.#declared.get(local) : { is: 'import', specifier, name: local };
      this.#exported.set(each.name.text, meaning ?? OTHER);
    }
  }
}

const textOf = (specifier: ts.Expression | undefined): readonly string[] =>
  specifier && ts.isStringLiteral(specifier) ? [specifier.text] : [];
