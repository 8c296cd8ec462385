import { ts } from 'ts-morph';
import { FRAMEWORK_FOLDER, ORM_FILE, type ProjectTypes } from '../program/index.js';

type Value = string | number;

/**
 * Follows what declarations are made of: every name in them to what it is declared as, through imports and barrels, as far as it goes.
 * From that follow the files that have a say in a model, and the order in which the values of a column are written.
 */
export class DeclarationWalk {
  /** Absolute paths of the files that were seen. */
  readonly files = new Set<string>();
  /** Literals that were seen, in the order of the text. */
  readonly values: Value[] = [];
  /** Whether it came to a name that the program did not follow. */
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
    // A relation's target counts by its name and its file: what its own columns are is not this model's business.
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

  /** Notes the files that lead from names to their declarations, and not what the declarations are made of. */
  #trace(node: ts.Node): void {
    if (ts.isIdentifier(node)) this.#declarationsOf(node);
    ts.forEachChild(node, (child) => this.#trace(child));
  }

  /** Notes a file, and what it hands on from others. */
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

  // What a file imports has one meaning in all of it, or nearly: a declaration that hides an import is walked by itself.
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

  // `export *` leaves no trace on a symbol: the modules on the way are asked themselves.
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

/** Whether a name is that of the declaration it stands in, which leads nowhere else. */
function isOwnName(node: ts.Identifier): boolean {
  const { parent } = node;
  const isOwned = ts.isPropertyDeclaration(parent) || ts.isClassDeclaration(parent) || ts.isEnumDeclaration(parent);
  return isOwned && parent.name === node;
}

/** `1` of `-1`, which is no value of its own. */
const isNegated = (node: ts.Node): node is ts.NumericLiteral =>
  ts.isNumericLiteral(node) &&
  ts.isPrefixUnaryExpression(node.parent) &&
  node.parent.operator === ts.SyntaxKind.MinusToken;

/** The value of a literal, in a type or in an expression. */
function literalOf(node: ts.Node): Value | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isPrefixUnaryExpression(node) && isNegated(node.operand)) return -Number(node.operand.text);
  // `keyof` makes values of names.
  const named = ts.isPropertyAssignment(node) || ts.isPropertySignature(node) ? node.name : undefined;
  if (named && ts.isIdentifier(named)) return named.text;
  return ts.isNumericLiteral(node) ? Number(node.text) : undefined;
}

/**
 * Puts values into the order in which their declaration names them. The checker has none that would be the same in every run;
 * what no declaration names comes last, numbers by size and texts by their letters.
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
