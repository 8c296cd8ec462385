import type { ts as TypeScript } from 'ts-morph';
import type { Sources } from './sources.js';

/** What an identifier stands for when it was imported from a package. */
export interface ImportedName {
  /** `node:fs`, `fw/docs`. */
  readonly module: string;
  /** Name in that module; `*` for the module as a whole, `default` for its default export. */
  readonly name: string;
}

/** Looks names up the way the language does, so that an alias or a shadowed name is not mistaken. */
export class Names {
  readonly #ts;
  readonly #checker;

  constructor({ ts, checker }: Sources) {
    this.#ts = ts;
    this.#checker = checker;
  }

  /** What a name or a member of a namespace import was imported as; undefined when it was not imported. */
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

  /** Whether a name is a global: nothing in the project declares it. */
  isGlobal(node: TypeScript.Identifier): boolean {
    return this.#checker.getSymbolAtLocation(node) === undefined;
  }

  /** The node that declares a name, in whatever file of the project. */
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
