import type { ts as TypeScript } from 'ts-morph';
import type { Sources } from './sources.js';

/** The import behind an identifier. */
interface ImportedName {
  /** `node:fs`, `fw/docs`. */
  readonly module: string;
  /** Name in that module; `*` for the module as a whole, `default` for its default export. */
  readonly name: string;
}

/** Resolves names with the rules of the language, so that aliases and shadowed names are handled correctly. */
export class Names {
  readonly #ts;
  readonly #checker;

  constructor({ ts, checker }: Sources) {
    this.#ts = ts;
    this.#checker = checker;
  }

  /** The import behind a name or a member of a namespace import; undefined if it was not imported. */
  imported(node: TypeScript.Node): ImportedName | undefined {
    const ts = this.#ts;
    if (ts.isPropertyAccessExpression(node)) {
      const of = this.imported(node.expression);
      return of && (of.name === '*' || of.name === 'default') ? { module: of.module, name: node.name.text } : undefined;
    }
    const [declaration] = this.#checker.getSymbolAtLocation(node)?.declarations ?? [];
    if (!declaration) return undefined;
    if (ts.isImportSpecifier(declaration))
      return this.#of(declaration.parent.parent.parent, (declaration.propertyName ?? declaration.name).text);
    if (ts.isNamespaceImport(declaration)) return this.#of(declaration.parent.parent, '*');
    if (ts.isImportClause(declaration)) return this.#of(declaration.parent, 'default');
    return undefined;
  }

  /** Whether a name is a global, that is, not declared in the project. */
  isGlobal(node: TypeScript.Identifier): boolean {
    return this.#checker.getSymbolAtLocation(node) === undefined;
  }

  /** The node that declares a name, in any file of the project. */
  declarationOf(node: TypeScript.Node): TypeScript.Node | undefined {
    const ts = this.#ts;
    let symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? this.#checker.getShorthandAssignmentValueSymbol(node.parent)
      : this.#checker.getSymbolAtLocation(node);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = this.#checker.getAliasedSymbol(symbol);
    return symbol?.valueDeclaration ?? symbol?.declarations?.[0];
  }

  #of(declaration: TypeScript.ImportDeclaration | TypeScript.JSDocImportTag, name: string): ImportedName | undefined {
    const { moduleSpecifier } = declaration;
    if (!this.#ts.isStringLiteral(moduleSpecifier)) return undefined;
    return { module: moduleSpecifier.text, name };
  }
}
