import { ts } from 'ts-morph';

const RELATIONS = /^(HasMany|HasOne|BelongsTo|ManyToMany)$/;
const known = new WeakMap<ts.SourceFile, ReadonlySet<string>>();

/**
 * Specifiers of a file whose names it uses for relations only: in functions that a decorator is given, and between the brackets of
 * `HasMany<...>` and its kin. Such names do not affect the types of columns.
 */
export function relationImports(file: ts.SourceFile): ReadonlySet<string> {
  const found = known.get(file) ?? find(file);
  known.set(file, found);
  return found;
}

function find(file: ts.SourceFile): ReadonlySet<string> {
  const used = new Set<string>();
  for (const statement of file.statements) if (!ts.isImportDeclaration(statement)) collect(statement, used);
  const found = new Set<string>();
  const kept = new Set<string>();
  for (const statement of file.statements) {
    const specifier = (statement as Partial<ts.ImportDeclaration>).moduleSpecifier;
    if (!specifier || !ts.isStringLiteral(specifier)) continue;
    const names = ts.isImportDeclaration(statement) ? namesOf(statement) : [];
    const isSpared = names.length > 0 && names.every((name) => !used.has(name));
    (isSpared ? found : kept).add(specifier.text);
  }
  return new Set([...found].filter((specifier) => !kept.has(specifier)));
}

function namesOf({ importClause }: ts.ImportDeclaration): readonly string[] {
  const bindings = importClause?.namedBindings;
  if (importClause === undefined || importClause.name || !bindings || ts.isNamespaceImport(bindings)) return [];
  return bindings.elements.map(({ name }) => name.text);
}

// Collects every name outside of these two places.
function collect(node: ts.Node, used: Set<string>): void {
  if (ts.isIdentifier(node)) used.add(node.text);
  if (ts.isTypeReferenceNode(node) && RELATIONS.test(lastName(node.typeName))) collect(node.typeName, used);
  else if (ts.isDecorator(node)) collectDecorator(node, used);
  else ts.forEachChild(node, (child) => collect(child, used));
}

function collectDecorator({ expression }: ts.Decorator, used: Set<string>): void {
  if (!ts.isCallExpression(expression)) {
    collect(expression, used);
    return;
  }
  collect(expression.expression, used);
  for (const argument of expression.arguments) if (!ts.isArrowFunction(argument)) collect(argument, used);
}

const lastName = (name: ts.EntityName): string => (ts.isIdentifier(name) ? name.text : name.right.text);
