import { ts } from 'ts-morph';
import { FRAMEWORK_FOLDER, ORM_FILE, type ProjectTypes } from '../program/index.js';

type Value = string | number;

/**
 * Follows every name in declarations to its own declaration, through imports and barrels. It collects the files that a model depends on,
 * and the values of a column in the order of the source.
 */
export class DeclarationWalk {
  /** Absolute paths of the visited files. */
  readonly files = new Set<string>();
  /** Visited literals, in the order of the source. */
  readonly values: Value[] = [];
  /** Whether it met a name that the program did not follow. */
  isCut = false;
  readonly #seen = new Set<ts.Node>();
  readonly #imported = new Map<ts.SourceFile, Map<string, ts.Symbol>>();
  readonly #followed = new Map<ts.Symbol, readonly ts.Declaration[]>();

  constructor(readonly types: ProjectTypes) {}

  /** Walks a node and everything that it refers to. */
  visit(node: ts.Node): void {
    if (this.#seen.has(node)) return;
    this.#seen.add(node);
    const value = literalOf(node);
    if (value !== undefined) this.values.push(value);
    if (ts.isEnumMember(node)) this.#enumMember(node);
    if ((ts.isIdentifier(node) && !isOwnName(node)) || ts.isImportTypeNode(node)) this.#reference(node);
    const isMethod = ts.isClassElement(node) && !ts.isPropertyDeclaration(node) && ts.isFunctionLike(node);
    // Of a relation's target only the name and the file count: its columns do not affect this model.
    if (ts.isDecorator(node)) this.#decorator(node);
    else if (ts.isTypeReferenceNode(node) && this.#isRelation(node)) this.#trace(node);
    else
      ts.forEachChild(node, (child) => {
        if (!(isMethod && ts.isBlock(child)) && !isNegated(child)) this.visit(child);
      });
  }

  #decorator({ expression }: ts.Decorator): void {
    if (!ts.isCallExpression(expression)) return this.visit(expression);
    this.visit(expression.expression);
    for (const argument of expression.arguments)
      if (ts.isArrowFunction(argument) || ts.isFunctionExpression(argument)) this.#trace(argument);
      else this.visit(argument);
  }

  #isRelation(node: ts.TypeReferenceNode): boolean {
    const declarations = this.#declarationsOf(ts.isQualifiedName(node.typeName) ? node.typeName.right : node.typeName);
    return declarations.some((each) => each.getSourceFile().fileName === ORM_FILE && RELATIONS.has(nameOf(each)));
  }

  /** Records the files on the way from names to their declarations, without visiting the declarations. */
  #trace(node: ts.Node): void {
    if (ts.isIdentifier(node)) this.#declarationsOf(node);
    ts.forEachChild(node, (child) => this.#trace(child));
  }

  /** Records a file and the files that it re-exports. */
  visitFile(file: ts.SourceFile): void {
    if (this.files.has(file.fileName) || file.fileName.startsWith(FRAMEWORK_FOLDER)) return;
    if (this.types.program.isSourceFileDefaultLibrary(file)) return;
    this.files.add(file.fileName);
    for (const statement of file.statements)
      if (ts.isExportDeclaration(statement) && statement.moduleSpecifier) this.#module(statement.moduleSpecifier);
  }

  #enumMember(member: ts.EnumMember): void {
    const value = this.types.checker.getConstantValue(member);
    if (value !== undefined) this.values.push(value);
  }

  #reference(node: ts.Identifier | ts.ImportTypeNode): void {
    for (const declaration of this.#declarationsOf(node)) {
      const file = declaration.getSourceFile();
      if (this.types.program.isSourceFileDefaultLibrary(file) || file.fileName.startsWith(FRAMEWORK_FOLDER)) continue;
      this.visit(declaration);
    }
  }

  #declarationsOf(node: ts.Node): readonly ts.Declaration[] {
    const symbol = this.#symbolOf(node);
    if (symbol === undefined) return [];
    const known = this.#followed.get(symbol) ?? this.#follow(symbol);
    this.#followed.set(symbol, known);
    return known;
  }

  // An imported name is resolved once per file: an inner declaration that shadows it is visited anyway.
  #symbolOf(node: ts.Node): ts.Symbol | undefined {
    const { checker } = this.types;
    if (!ts.isIdentifier(node))
      return checker.getSymbolAtLocation(ts.isImportTypeNode(node) ? (node.qualifier ?? node.argument) : node);
    if (isMemberName(node)) return checker.getSymbolAtLocation(node);
    const file = node.getSourceFile();
    const imported = this.#imported.get(file) ?? new Map<string, ts.Symbol>();
    this.#imported.set(file, imported);
    const symbol = imported.get(node.text) ?? checker.getSymbolAtLocation(node);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) imported.set(node.text, symbol);
    return symbol;
  }

  #follow(first: ts.Symbol): readonly ts.Declaration[] {
    let symbol: ts.Symbol | undefined = first;
    for (let hops = 0; symbol && symbol.flags & ts.SymbolFlags.Alias && hops < MOST_HOPS; hops++) {
      for (const declaration of symbol.declarations ?? []) this.#importing(declaration);
      symbol = this.types.checker.getImmediateAliasedSymbol(symbol);
    }
    const declarations = symbol?.declarations ?? [];
    for (const declaration of declarations) this.visitFile(declaration.getSourceFile());
    return declarations;
  }

  // A symbol does not show `export *` declarations on its way, so the modules are searched for them.
  #importing(declaration: ts.Declaration): void {
    this.visitFile(declaration.getSourceFile());
    const statement = ts.findAncestor(
      declaration,
      (each) => ts.isImportDeclaration(each) || ts.isExportDeclaration(each),
    );
    const specifier = statement && (statement as ts.ImportDeclaration | ts.ExportDeclaration).moduleSpecifier;
    if (specifier) this.#module(specifier);
  }

  #module(specifier: ts.Expression): void {
    const from = specifier.getSourceFile().fileName;
    if (ts.isStringLiteral(specifier) && this.types.isSpared(from, specifier.text)) this.isCut = true;
    const symbol = this.types.checker.getSymbolAtLocation(specifier);
    for (const declaration of symbol?.declarations ?? []) this.visitFile(declaration.getSourceFile());
  }
}

const MOST_HOPS = 50;
const RELATIONS: ReadonlySet<string> = new Set(['HasMany', 'HasOne', 'BelongsTo', 'ManyToMany']);

const nameOf = (node: ts.Declaration): string => ts.getNameOfDeclaration(node)?.getText() ?? '';

/** `b` of `a.b`. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isQualifiedName(parent) && parent.right === node) ||
    ts.isPropertyAssignment(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isExportSpecifier(parent)
  );
}

/** Whether a name is the name of the declaration that contains it. */
function isOwnName(node: ts.Identifier): boolean {
  const { parent } = node;
  const isOwned = ts.isPropertyDeclaration(parent) || ts.isClassDeclaration(parent) || ts.isEnumDeclaration(parent);
  return isOwned && parent.name === node;
}

/** `1` in `-1`, which is no value of its own. */
const isNegated = (node: ts.Node): node is ts.NumericLiteral =>
  ts.isNumericLiteral(node) &&
  ts.isPrefixUnaryExpression(node.parent) &&
  node.parent.operator === ts.SyntaxKind.MinusToken;

/** The value of a literal, in a type or in an expression. */
function literalOf(node: ts.Node): Value | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isPrefixUnaryExpression(node) && isNegated(node.operand)) return -Number(node.operand.text);
  // Property names count too, because `keyof` turns them into values.
  const named = ts.isPropertyAssignment(node) || ts.isPropertySignature(node) ? node.name : undefined;
  if (named && ts.isIdentifier(named)) return named.text;
  return ts.isNumericLiteral(node) ? Number(node.text) : undefined;
}

/**
 * Sorts values by the order of their declaration, because the checker's order differs between runs. Values that no declaration names come
 * last, numbers by size and texts alphabetically.
 */
export function inOrder(values: readonly Value[], named: readonly Value[]): readonly Value[] {
  const rank = new Map<Value, number>();
  for (const value of named) if (!rank.has(value)) rank.set(value, rank.size);
  const last = rank.size;
  return [...new Set(values)].sort((a, b) => (rank.get(a) ?? last) - (rank.get(b) ?? last) || compare(a, b));
}

function compare(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}
