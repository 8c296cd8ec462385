import { ts } from 'ts-morph';
import { type Binding, statementBinding, WHOLE_MODULE } from './bindings.js';

/** Where an exported name of a module leads: to an expression, a declaration of the module, or another module. */
export type Export =
  | { readonly kind: 'expression'; readonly node: ts.Expression }
  | { readonly kind: 'binding'; readonly binding: Binding }
  | { readonly kind: 'elsewhere'; readonly specifier: string; readonly name: string };

/** The export of a module with a name; undefined if the syntax shows none. */
export function exportOf(module: ts.SourceFile, name: string): Export | undefined {
  for (const statement of module.statements) {
    const found = ts.isExportAssignment(statement)
      ? assignmentExport(statement, name)
      : ts.isExportDeclaration(statement)
        ? listExport(module, statement, name)
        : declarationExport(statement, name);
    if (found) return found;
  }
  return undefined;
}

/** Modules that a module re-exports completely: `export * from`. */
export function starExportsOf(module: ts.SourceFile): readonly string[] {
  return module.statements.flatMap((statement) =>
    ts.isExportDeclaration(statement) && !statement.exportClause && specifierOf(statement)
      ? [specifierOf(statement) as string]
      : [],
  );
}

function assignmentExport(statement: ts.ExportAssignment, name: string): Export | undefined {
  if (name !== 'default' || statement.isExportEquals) return undefined;
  return { kind: 'expression', node: statement.expression };
}

function listExport(module: ts.SourceFile, statement: ts.ExportDeclaration, name: string): Export | undefined {
  const clause = statement.exportClause;
  if (!clause) return undefined;
  const specifier = specifierOf(statement);
  if (ts.isNamespaceExport(clause)) {
    return specifier !== undefined && clause.name.text === name
      ? { kind: 'elsewhere', specifier, name: WHOLE_MODULE }
      : undefined;
  }
  const element = clause.elements.find((each) => each.name.text === name);
  if (!element) return undefined;
  const local = (element.propertyName ?? element.name).text;
  if (specifier !== undefined) return { kind: 'elsewhere', specifier, name: local };
  const binding = statementBinding(module.statements, local);
  return binding && { kind: 'binding', binding };
}

function declarationExport(statement: ts.Statement, name: string): Export | undefined {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  const has = (kind: ts.SyntaxKind) => modifiers.some((modifier) => modifier.kind === kind);
  if (!has(ts.SyntaxKind.ExportKeyword)) return undefined;
  const isDefault = has(ts.SyntaxKind.DefaultKeyword);
  if (isDefault !== (name === 'default')) return undefined;
  const binding = isDefault ? defaultDeclaration(statement) : statementBinding([statement], name);
  return binding && { kind: 'binding', binding };
}

function defaultDeclaration(statement: ts.Statement): Binding | undefined {
  if (ts.isFunctionDeclaration(statement)) return { kind: 'function', node: statement };
  return ts.isClassDeclaration(statement) ? { kind: 'class', node: statement } : undefined;
}

function specifierOf({ moduleSpecifier }: ts.ExportDeclaration): string | undefined {
  return moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : undefined;
}
