import { ts } from 'ts-morph';
import { FunctionValue, returnedBy } from '../evaluator/index.js';
import type { ProjectTypes } from '../program/index.js';
import { classChain } from './class-chain.js';
import type { ClassFacts, PropertyFacts } from './class-facts.js';
import { type ColumnType, ColumnTypes, type Refusal } from './column-type.js';
import { DeclarationWalk, inOrder } from './declaration-walk.js';
import { exportNameOf } from './export-name.js';
import type { LibraryReader } from './library-reader.js';
import type { Mark, Report } from './marks.js';

/** Facts about classes from the type checker, wherever and however they are declared. */
export class CheckedFacts implements ClassFacts {
  readonly #columnTypes: ColumnTypes;
  readonly #walk: DeclarationWalk;

  constructor(
    readonly types: ProjectTypes,
    readonly libraries: LibraryReader,
  ) {
    this.#columnTypes = new ColumnTypes(types.checker, types.program);
    this.#walk = new DeclarationWalk(types);
  }

  get files(): ReadonlySet<string> {
    return this.#walk.files;
  }

  get isCut(): boolean {
    return this.#walk.isCut;
  }

  note(node: ts.SourceFile | ts.ClassLikeDeclaration): void {
    if (ts.isSourceFile(node)) this.#walk.visitFile(node);
    else this.#walk.visit(node);
  }

  chainOf(declaration: ts.ClassLikeDeclaration, report: Report): readonly ts.ClassLikeDeclaration[] {
    return classChain(declaration, { types: this.types, libraries: this.libraries, report });
  }

  exportNameOf(declaration: ts.ClassLikeDeclaration): string | undefined {
    return exportNameOf(declaration, this.types.checker);
  }

  needsArguments(declaration: ts.ClassLikeDeclaration): boolean {
    const { checker } = this.types;
    const symbol = checker.getSymbolAtLocation(declaration.name ?? declaration);
    const made = symbol ? checker.getTypeOfSymbolAtLocation(symbol, declaration).getConstructSignatures() : [];
    return made.length > 0 && made.every((signature) => signature.parameters.some((each) => !isOptional(each)));
  }

  propertyOf(model: ts.ClassLikeDeclaration, name: string, node: ts.PropertyDeclaration): PropertyFacts {
    const { checker } = this.types;
    const symbol = checker.getPropertyOfType(checker.getTypeAtLocation(model), name);
    const type = symbol ? checker.getTypeOfSymbolAtLocation(symbol, model) : checker.getTypeAtLocation(node);
    return {
      optional: symbol ? (symbol.flags & ts.SymbolFlags.Optional) !== 0 : node.questionToken !== undefined,
      isNarrowed: symbol !== undefined && !(symbol.declarations ?? [node]).includes(node),
      isNullable: type.isUnion() && type.types.some(({ flags }) => (flags & ts.TypeFlags.Null) !== 0),
      columnType: () => this.#columnType(model, type, node),
      relationKind: () => this.#columnTypes.relationKind(type),
    };
  }

  #columnType(model: ts.ClassLikeDeclaration, type: ts.Type, node: ts.PropertyDeclaration): ColumnType | Refusal {
    const found = this.#columnTypes.columnType(type);
    if ('refusal' in found) return { refusal: this.#cause(node, found.refusal) };
    return found.values ? { ...found, values: inOrder(found.values, this.#valuesNamedIn(model, node)) } : found;
  }

  // The values of a type parameter are written where the base class is extended.
  #valuesNamedIn(
    { heritageClauses = [] as never }: ts.ClassLikeDeclaration,
    { type, initializer }: ts.PropertyDeclaration,
  ): readonly (string | number)[] {
    const walk = new DeclarationWalk(this.types);
    const written = type ?? initializer;
    if (written) walk.visit(written);
    for (const clause of heritageClauses) walk.visit(clause);
    return walk.values;
  }

  // For an unknown type, the message names the name that cannot be resolved.
  #cause({ type, initializer }: ts.PropertyDeclaration, refusal: string): string {
    if (type === undefined && initializer === undefined) return 'has no written type';
    const name = type && this.#lostNameIn(type);
    return name === undefined
      ? refusal
      : `has the type ${type?.getText().slice(0, 60)}, in which ${name} is not known: it is not declared, or its module was not found`;
  }

  #lostNameIn(node: ts.Node): string | undefined {
    const { checker } = this.types;
    if (ts.isIdentifier(node)) {
      const symbol = checker.getSymbolAtLocation(node);
      const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      if ((target?.declarations ?? []).length === 0) return node.text;
    }
    return ts.forEachChild(node, (child) => this.#lostNameIn(child));
  }

  targetOf({ args: [given] }: Mark, node: ts.PropertyDeclaration): ts.ClassLikeDeclaration | undefined {
    // The checker resolves the returned expression to its class, however it is imported.
    const returned = given instanceof FunctionValue ? returnedBy(given.node) : undefined;
    const type = returned && this.types.checker.getTypeAtLocation(returned);
    return type?.getSymbol()?.declarations?.find(ts.isClassLike) ?? this.#writtenTarget(node);
  }

  // A declaration file has no decorator with its function; the type argument of `HasMany<Song>` is the same class.
  #writtenTarget({ type }: ts.PropertyDeclaration): ts.ClassLikeDeclaration | undefined {
    if (!type?.getSourceFile().isDeclarationFile) return undefined;
    const parts = ts.isUnionTypeNode(type) ? type.types : [type];
    const [given] = parts.flatMap((part) => (ts.isTypeReferenceNode(part) ? (part.typeArguments ?? []) : []));
    const declarations = given && this.types.checker.getTypeFromTypeNode(given).getSymbol()?.declarations;
    return declarations?.find(ts.isClassLike);
  }

  lostTargetOf({ args: [given] }: Mark): string | undefined {
    const returned = given instanceof FunctionValue ? returnedBy(given.node) : undefined;
    if (!returned || !ts.isIdentifier(returned)) return undefined;
    return this.types.checker.getTypeAtLocation(returned).flags & ts.TypeFlags.Any ? returned.text : undefined;
  }
}

function isOptional(parameter: ts.Symbol): boolean {
  const [declaration] = parameter.declarations ?? [];
  if (declaration === undefined || !ts.isParameter(declaration)) return true;
  return (
    declaration.questionToken !== undefined ||
    declaration.initializer !== undefined ||
    declaration.dotDotDotToken !== undefined
  );
}
