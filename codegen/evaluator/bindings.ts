import { ts } from 'ts-morph';

/** What a name refers to. */
export type Binding =
  | { readonly kind: 'const'; readonly initializer: ts.Expression; readonly pick: readonly string[] }
  | { readonly kind: 'variable'; readonly node: ts.Node }
  | { readonly kind: 'parameter'; readonly node: ts.ParameterDeclaration }
  | { readonly kind: 'function'; readonly node: ts.FunctionDeclaration }
  | { readonly kind: 'class'; readonly node: ts.ClassDeclaration }
  | { readonly kind: 'enum'; readonly node: ts.EnumDeclaration }
  | { readonly kind: 'namespace'; readonly node: ts.ModuleDeclaration }
  | { readonly kind: 'enum member'; readonly node: ts.EnumMember }
  | { readonly kind: 'import'; readonly specifier: string; readonly name: string };

/** Name of the import binding that stands for a whole module: `import * as x`. */
export const WHOLE_MODULE = '*';

/** The declaration that a name refers to, searched outwards from a node; undefined for globals and unknown names. */
export function bindingOf(name: string, from: ts.Node): Binding | undefined {
  for (let at: ts.Node | undefined = from.parent; at !== undefined; at = at.parent) {
    const found = boundIn(at, name);
    if (found) return found;
  }
  return undefined;
}

function boundIn(scope: ts.Node, name: string): Binding | undefined {
  if (ts.isSourceFile(scope) || ts.isBlock(scope) || ts.isModuleBlock(scope) || ts.isCaseOrDefaultClause(scope)) {
    return statementBinding(scope.statements, name);
  }
  if (ts.isEnumDeclaration(scope)) {
    const node = scope.members.find((member) => !ts.isComputedPropertyName(member.name) && member.name.text === name);
    return node && { kind: 'enum member', node };
  }
  if (ts.isFunctionLike(scope)) return parameterBinding(scope.parameters, name);
  if ((ts.isForStatement(scope) || ts.isForOfStatement(scope) || ts.isForInStatement(scope)) && scope.initializer) {
    return loopBinding(scope.initializer, name);
  }
  if (ts.isCatchClause(scope) && scope.variableDeclaration && declares(scope.variableDeclaration.name, name)) {
    return { kind: 'variable', node: scope.variableDeclaration };
  }
  return undefined;
}

/** The declaration of a name among statements; used for a module's top level, too. */
export function statementBinding(statements: readonly ts.Statement[], name: string): Binding | undefined {
  for (const statement of statements) {
    const found = ts.isVariableStatement(statement)
      ? variableBinding(statement.declarationList, name)
      : ts.isImportDeclaration(statement)
        ? importBinding(statement, name)
        : namedBinding(statement, name);
    if (found) return found;
  }
  return undefined;
}

function namedBinding(statement: ts.Statement, name: string): Binding | undefined {
  if (ts.isFunctionDeclaration(statement) && statement.name?.text === name && statement.body) {
    return { kind: 'function', node: statement };
  }
  if (ts.isClassDeclaration(statement) && statement.name?.text === name) return { kind: 'class', node: statement };
  if (ts.isEnumDeclaration(statement) && statement.name.text === name) return { kind: 'enum', node: statement };
  if (ts.isModuleDeclaration(statement) && statement.name.text === name) return { kind: 'namespace', node: statement };
  return undefined;
}

function variableBinding(list: ts.VariableDeclarationList, name: string): Binding | undefined {
  const isConst = (list.flags & ts.NodeFlags.Const) !== 0;
  for (const declaration of list.declarations) {
    const pick = pickOf(declaration.name, name);
    if (pick === undefined) {
      if (declares(declaration.name, name)) return { kind: 'variable', node: declaration };
    } else if (isConst && declaration.initializer) {
      return { kind: 'const', initializer: declaration.initializer, pick };
    } else {
      return { kind: 'variable', node: declaration };
    }
  }
  return undefined;
}

// The members to read for `const name = x` (none) and `const { member: name } = x`; patterns beyond that are not followed.
function pickOf(pattern: ts.BindingName, name: string): readonly string[] | undefined {
  if (ts.isIdentifier(pattern)) return pattern.text === name ? [] : undefined;
  if (!ts.isObjectBindingPattern(pattern)) return undefined;
  for (const { name: bound, propertyName, dotDotDotToken, initializer } of pattern.elements) {
    if (!ts.isIdentifier(bound) || bound.text !== name || dotDotDotToken || initializer) continue;
    const member = propertyName ?? bound;
    return ts.isIdentifier(member) || ts.isStringLiteral(member) ? [member.text] : undefined;
  }
  return undefined;
}

function parameterBinding(parameters: readonly ts.ParameterDeclaration[], name: string): Binding | undefined {
  const node = parameters.find((parameter) => declares(parameter.name, name));
  return node && { kind: 'parameter', node };
}

function loopBinding(initializer: ts.ForInitializer, name: string): Binding | undefined {
  if (!ts.isVariableDeclarationList(initializer)) return undefined;
  const node = initializer.declarations.find((declaration) => declares(declaration.name, name));
  return node && { kind: 'variable', node };
}

function declares(pattern: ts.BindingName, name: string): boolean {
  if (ts.isIdentifier(pattern)) return pattern.text === name;
  return pattern.elements.some((element) => !ts.isOmittedExpression(element) && declares(element.name, name));
}

function importBinding(statement: ts.ImportDeclaration, name: string): Binding | undefined {
  const { importClause, moduleSpecifier } = statement;
  if (!importClause || !ts.isStringLiteral(moduleSpecifier)) return undefined;
  const specifier = moduleSpecifier.text;
  if (importClause.name?.text === name) return { kind: 'import', specifier, name: 'default' };
  const bindings = importClause.namedBindings;
  if (!bindings) return undefined;
  if (ts.isNamespaceImport(bindings)) {
    return bindings.name.text === name ? { kind: 'import', specifier, name: WHOLE_MODULE } : undefined;
  }
  const element = bindings.elements.find((each) => each.name.text === name);
  return element && { kind: 'import', specifier, name: (element.propertyName ?? element.name).text };
}
