import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { globSync } from 'tinyglobby';

/** Declarations behind an exported name: overloads are several. */
export type Declaration =
  | ts.FunctionDeclaration
  | ts.ClassDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration
  | ts.EnumDeclaration
  | ts.VariableStatement;

/** A name that users import. */
export interface PublicExport {
  readonly name: string;
  /** `fw/orm`. */
  readonly module: string;
  /** Further modules that export the same thing. */
  readonly also: readonly string[];
  /** Empty for a re-export from a package. */
  readonly declarations: readonly Declaration[];
  /** Package that it is re-exported from. */
  readonly origin?: string;
}

interface Found {
  readonly declarations: readonly Declaration[];
  readonly origin?: string;
}

/**
 * Every name that a subpath of package.json exports, values and types, each once: a name that several subpaths export is listed with the
 * shortest. Read from syntax alone.
 */
export function publicExports(root: string): readonly PublicExport[] {
  const sources = new Sources();
  const found = new Map<string, { first: PublicExport; also: string[] }>();
  for (const { module, file } of publicModules(root)) {
    for (const name of sources.namesOf(file)) {
      if (name === 'default') continue;
      const target = sources.find(file, name);
      assert.ok(target, `${file}: no declaration of ${name} was found`);
      const key = `${target.origin ?? target.declarations[0]?.getSourceFile().fileName}#${name}`;
      const known = found.get(key);
      if (known) known.also.push(module);
      else found.set(key, { first: { name, module, also: [], ...target }, also: [] });
    }
  }
  return [...found.values()].map(({ first, also }) => ({ ...first, also }));
}

/** The modules that users import, with their sources; the shortest first. */
function publicModules(root: string): readonly { readonly module: string; readonly file: string }[] {
  const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { 'fw-source': string }>;
  };
  const modules = Object.entries(exports).flatMap(([subpath, target]) => {
    if (typeof target === 'string') return [];
    const source = target['fw-source'].slice(2);
    const [before = '', after = ''] = source.split('*');
    return globSync(source, { cwd: root }).map((file) => {
      const word = file.slice(before.length, file.length - after.length);
      return { module: `fw${subpath.slice(1).replace('*', word)}`, file: path.join(root, file) };
    });
  });
  return modules.sort((a, b) => a.module.length - b.module.length || (a.module < b.module ? -1 : 1));
}

/** Parsed modules; names are followed through re-exports and imports. */
class Sources {
  readonly #files = new Map<string, ts.SourceFile>();

  namesOf(file: string): readonly string[] {
    const names = this.#parsed(file).statements.flatMap((statement) => {
      if (!ts.isExportDeclaration(statement)) return isExported(statement) ? namesIn(statement) : [];
      const { exportClause } = statement;
      if (!exportClause) return this.namesOf(this.#fileOf(file, statement) as string);
      return ts.isNamedExports(exportClause)
        ? exportClause.elements.map((element) => element.name.text)
        : [exportClause.name.text];
    });
    return [...new Set(names)];
  }

  find(file: string, name: string): Found | undefined {
    return this.#declared(file, name) ?? this.#handedOn(file, name);
  }

  #declared(file: string, name: string): Found | undefined {
    const declarations = this.#parsed(file).statements.filter(
      (statement): statement is Declaration => isDeclaration(statement) && namesIn(statement).includes(name),
    );
    return declarations.length > 0 ? { declarations } : undefined;
  }

  #handedOn(file: string, name: string): Found | undefined {
    for (const statement of this.#parsed(file).statements) {
      const local = ts.isImportDeclaration(statement)
        ? importedName(statement, name)
        : ts.isExportDeclaration(statement)
          ? exportedName(statement, name)
          : undefined;
      if (local === undefined) continue;
      const { moduleSpecifier } = statement as ts.ImportDeclaration | ts.ExportDeclaration;
      const from = this.#fileOf(file, statement as ts.ExportDeclaration);
      if (moduleSpecifier && from === undefined)
        return { declarations: [], origin: (moduleSpecifier as ts.StringLiteral).text };
      const found = from === undefined ? this.#declaredOrImported(file, local) : this.find(from, local);
      if (found) return found;
    }
    return undefined;
  }

  #declaredOrImported(file: string, local: string): Found | undefined {
    const declared = this.#declared(file, local);
    if (declared) return declared;
    for (const statement of this.#parsed(file).statements.filter(ts.isImportDeclaration)) {
      const name = importedName(statement, local);
      if (name === undefined) continue;
      const from = this.#fileOf(file, statement);
      return from === undefined
        ? { declarations: [], origin: (statement.moduleSpecifier as ts.StringLiteral).text }
        : this.find(from, name);
    }
    return undefined;
  }

  #fileOf(file: string, { moduleSpecifier }: ts.ImportDeclaration | ts.ExportDeclaration): string | undefined {
    if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier) || !moduleSpecifier.text.startsWith('.'))
      return undefined;
    const base = path.join(path.dirname(file), moduleSpecifier.text.replace(/\.js$/, ''));
    return [`${base}.ts`, `${base}.d.ts`, `${base}.d.mts`].find((each) => existsSync(each));
  }

  #parsed(file: string): ts.SourceFile {
    let source = this.#files.get(file);
    if (!source) {
      source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ESNext, true);
      this.#files.set(file, source);
    }
    return source;
  }
}

function isDeclaration(statement: ts.Statement): statement is Declaration {
  return (
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement) ||
    ts.isVariableStatement(statement)
  );
}

function namesIn(statement: ts.Statement): readonly string[] {
  if (!isDeclaration(statement)) return [];
  if (!ts.isVariableStatement(statement)) return statement.name ? [statement.name.text] : [];
  return statement.declarationList.declarations.flatMap(({ name }) =>
    ts.isIdentifier(name)
      ? [name.text]
      : name.elements.flatMap((element) =>
          ts.isBindingElement(element) && ts.isIdentifier(element.name) ? [element.name.text] : [],
        ),
  );
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

function importedName({ importClause }: ts.ImportDeclaration, local: string): string | undefined {
  if (importClause?.name?.text === local) return 'default';
  const bindings = importClause?.namedBindings;
  if (!bindings || !ts.isNamedImports(bindings)) return undefined;
  const element = bindings.elements.find(({ name }) => name.text === local);
  return element && (element.propertyName ?? element.name).text;
}

function exportedName({ exportClause }: ts.ExportDeclaration, name: string): string | undefined {
  if (!exportClause) return name;
  if (!ts.isNamedExports(exportClause)) return exportClause.name.text === name ? name : undefined;
  const element = exportClause.elements.find((each) => each.name.text === name);
  return element && (element.propertyName ?? element.name).text;
}
