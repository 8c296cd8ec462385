import { ts } from 'ts-morph';
import {
  isTemporalClass,
  TEMPORAL_KINDS,
  type ColumnKind,
  type TemporalClass,
} from '../../../plugins/orm/core/index.js';
import { type ColumnType, elementKind, joined, type Part } from '../column-type.js';
import { isFlagEnum } from '../flag-enum.js';
import { inOrder } from '../declaration-walk.js';
import { notPlain } from './not-plain.js';
import type { Found, PlainFiles } from './plain-files.js';

type Value = string | number;

const KINDS: ReadonlyMap<string, ColumnKind> = new Map([
  ['Int', 'int'],
  ['Float', 'float'],
  ['Decimal', 'decimal'],
  ['Uuid', 'uuid'],
  ['PlainDate', 'plainDate'],
  ['PlainTime', 'plainTime'],
  ['Interval', 'interval'],
  ['Text', 'text'],
]);

const RELATIONS: ReadonlyMap<string, string> = new Map([
  ['HasMany', 'hasMany'],
  ['HasOne', 'hasOne'],
  ['BelongsTo', 'belongsTo'],
  ['ManyToMany', 'manyToMany'],
]);

const GLOBALS: ReadonlyMap<string, ColumnKind> = new Map([
  ['Date', 'date'],
  ['Uint8Array', 'bytes'],
  ['Buffer', 'bytes'],
]);

const KEYWORDS: ReadonlyMap<ts.SyntaxKind, ColumnKind> = new Map([
  [ts.SyntaxKind.StringKeyword, 'string'],
  [ts.SyntaxKind.NumberKeyword, 'float'],
  [ts.SyntaxKind.BooleanKeyword, 'boolean'],
  [ts.SyntaxKind.BigIntKeyword, 'bigint'],
]);

/** A part of a union; undefined for types that no row contains. */
interface PlainPart extends Part {
  readonly isFlag?: boolean;
  readonly isNominal?: boolean;
}

/**
 * Reads a column's type from its text: keywords, literals, the types of `fw/orm`, enums, arrays of these, and aliases. The result is the
 * same as the type checker's, or `NotPlain`.
 */
export class PlainTypes {
  /** Absolute paths of the files on the way to names. */
  readonly files = new Set<string>();

  constructor(readonly sources: PlainFiles) {}

  /** @throws NotPlain */
  columnType(node: ts.TypeNode): ColumnType {
    return this.#columnType(node, 0);
  }

  #columnType(node: ts.TypeNode, depth: number): ColumnType {
    const parts: PlainPart[] = [];
    let nullable = false;
    for (const part of this.#partsOf(node, depth))
      if (part === 'null') nullable = true;
      else if (part !== 'undefined') parts.push(part);
    if (parts.length === 0) return notPlain();
    const whole = joined(parts);
    if (typeof whole === 'string') return notPlain();
    const isFlags = whole.kind === 'enum' && parts.every(({ isFlag }) => isFlag === true);
    const named = whole.values && { values: inOrder(whole.values, whole.values) };
    const isNominal = parts.some((part) => part.isNominal);
    // `string | Enum` reduces to `string`.
    if (isNominal && new Set(parts.map(({ kind }) => kind)).size > 1) return notPlain();
    return { ...whole, ...named, nullable, ...(isFlags && { isFlags }), ...(isNominal && { isNominal }) };
  }

  /** The name of a relation's type (`HasMany`) as `hasMany`. @throws NotPlain for any other type */
  relationOf(node: ts.TypeNode): { readonly kind: string; readonly target: ts.ClassDeclaration } {
    const parts = ts.isUnionTypeNode(node) ? node.types : [node];
    const [only, ...others] = parts.filter((each) => !isNothing(each));
    if (only === undefined || others.length > 0 || !ts.isTypeReferenceNode(only)) return notPlain();
    const found = this.#found(only.typeName);
    const kind = found?.is === 'framework' ? RELATIONS.get(found.name) : undefined;
    const [given, ...more] = only.typeArguments ?? [];
    if (kind === undefined || given === undefined || more.length > 0) return notPlain();
    const isName = ts.isTypeReferenceNode(given) && given.typeArguments === undefined;
    const target = isName ? this.#found(given.typeName) : undefined;
    return target?.is === 'class' ? { kind, target: target.node } : notPlain();
  }

  /** The class that a name refers to at the top level of its file. @throws NotPlain */
  classOf(name: ts.Identifier): ts.ClassDeclaration {
    const found = this.#foundAtTop(name);
    return found?.is === 'class' ? found.node : notPlain();
  }

  #partsOf(node: ts.TypeNode, depth: number): readonly (PlainPart | 'null' | 'undefined')[] {
    if (depth > DEEPEST) return notPlain();
    if (ts.isParenthesizedTypeNode(node)) return this.#partsOf(node.type, depth + 1);
    if (ts.isUnionTypeNode(node)) return node.types.flatMap((each) => this.#partsOf(each, depth + 1));
    const kind = KEYWORDS.get(node.kind);
    if (kind) return [{ kind }];
    if (node.kind === ts.SyntaxKind.UndefinedKeyword) return ['undefined'];
    if (ts.isLiteralTypeNode(node)) return [literalPart(node.literal)];
    const element = elementOf(node);
    if (element) return [this.#array(element, depth)];
    return ts.isTypeReferenceNode(node) ? this.#reference(node, depth) : notPlain();
  }

  #reference(
    { typeName, typeArguments = [] as never }: ts.TypeReferenceNode,
    depth: number,
  ): readonly (PlainPart | 'null' | 'undefined')[] {
    const temporal = this.#temporalOf(typeName);
    if (temporal !== undefined && typeArguments.length === 0) return [{ kind: TEMPORAL_KINDS[temporal], temporal }];
    const found = this.#found(typeName);
    const [given, ...others] = typeArguments as readonly ts.TypeNode[];
    if (found === undefined) {
      const name = (typeName as ts.Identifier).text;
      if ((name === 'Array' || name === 'ReadonlyArray') && given && others.length === 0)
        return [this.#array(given, depth)];
      const kind = GLOBALS.get(name);
      return kind && given === undefined ? [{ kind }] : notPlain();
    }
    if (found.is === 'framework' && found.name === 'Json' && given && others.length === 0) {
      return [{ kind: 'json', isNominal: this.#saysMoreThanJson(given, 0) }];
    }
    if (given !== undefined) return notPlain();
    if (found.is === 'framework') return [{ kind: KINDS.get(found.name) ?? notPlain() }];
    if (found.is === 'enum') return enumParts(found.node);
    if (found.is !== 'alias' || found.node.typeParameters) return notPlain();
    return this.#partsOf(found.node.type, depth + 1);
  }

  #array(element: ts.TypeNode, depth: number): PlainPart {
    const inner = this.#columnType(element, depth + 1);
    if (inner.kind === 'array' || inner.temporal) return notPlain();
    const { values, nullable, isFlags = false, isNominal = false } = inner;
    const held = values && !nullable && !isFlags && { values };
    return { kind: 'array', element: elementKind(inner), ...held, isNominal };
  }

  // A `null` in the type argument makes the column nullable, so its absence has to be certain.
  #saysMoreThanJson(node: ts.TypeNode, depth: number): boolean {
    if (depth > DEEPEST) return notPlain();
    if (ts.isParenthesizedTypeNode(node)) return this.#saysMoreThanJson(node.type, depth + 1);
    if (node.kind === ts.SyntaxKind.UnknownKeyword || node.kind === ts.SyntaxKind.AnyKeyword) return false;
    // `{}` accepts everything but null and undefined.
    if (ts.isTypeLiteralNode(node)) return node.members.length > 0 || notPlain();
    if (KEYWORDS.has(node.kind) || elementOf(node) !== undefined) return true;
    if (!ts.isTypeReferenceNode(node)) return notPlain();
    const found = this.#found(node.typeName);
    if (found?.is === 'class' || (found?.is === 'interface' && !found.node.typeParameters)) return true;
    if (found?.is === 'alias' && !found.node.typeParameters) return this.#saysMoreThanJson(found.node.type, depth + 1);
    const isRecord = found === undefined && (node.typeName as ts.Identifier).text === 'Record';
    return isRecord && node.typeArguments?.length === 2 ? true : notPlain();
  }

  /** The declaration of a name; undefined for a global name. */
  #found(name: ts.EntityName): Found | undefined {
    if (ts.isQualifiedName(name)) return this.#memberOf(name);
    return isShadowed(name) ? notPlain() : this.#foundAtTop(name);
  }

  #foundAtTop(name: ts.Identifier): Found | undefined {
    const file = name.getSourceFile();
    const [found, files] = this.sources.lookUp(file, name.text) ?? [];
    for (const each of files ?? []) this.files.add(each);
    return found;
  }

  // `Temporal.PlainDate` of the global namespace; one that a file imports is the type checker's.
  #temporalOf(name: ts.EntityName): TemporalClass | undefined {
    if (!ts.isQualifiedName(name) || !ts.isIdentifier(name.left) || name.left.text !== 'Temporal') return undefined;
    const { left, right } = name;
    const isGlobal =
      !isShadowed(left) && this.sources.namesOf(left.getSourceFile()).meaningOf('Temporal') === undefined;
    return isGlobal && isTemporalClass(right.text) ? right.text : undefined;
  }

  // `orm.Int` of `import * as orm from 'fw/orm'`.
  #memberOf({ left, right }: ts.QualifiedName): Found {
    if (!ts.isIdentifier(left) || isShadowed(left)) return notPlain();
    const meaning = this.sources.namesOf(left.getSourceFile()).meaningOf(left.text);
    return meaning?.is === 'module' && meaning.specifier === 'fw/orm'
      ? { is: 'framework', name: right.text }
      : notPlain();
  }
}

const DEEPEST = 20;

const isNothing = (node: ts.TypeNode): boolean =>
  node.kind === ts.SyntaxKind.UndefinedKeyword ||
  (ts.isLiteralTypeNode(node) && node.literal.kind === ts.SyntaxKind.NullKeyword);

function elementOf(node: ts.TypeNode): ts.TypeNode | undefined {
  if (ts.isArrayTypeNode(node)) return node.elementType;
  const isReadonly = ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword;
  return isReadonly && ts.isArrayTypeNode(node.type) ? node.type.elementType : undefined;
}

function literalPart(node: ts.LiteralTypeNode['literal']): PlainPart | 'null' {
  if (node.kind === ts.SyntaxKind.NullKeyword) return 'null';
  if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) return { kind: 'boolean' };
  const value = literalValue(node);
  return value === undefined ? notPlain() : { kind: 'enum', value };
}

function literalValue(node: ts.Node): Value | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  const isNegative = ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken;
  const isNumber = isNegative && ts.isNumericLiteral(node.operand) && Number(node.operand.text) !== 0;
  return isNumber ? -Number((node.operand as ts.NumericLiteral).text) : undefined;
}

// Computed members are not read by syntax: the numbers in their expressions would affect the order of the values.
function enumParts(node: ts.EnumDeclaration): readonly PlainPart[] {
  const values = new Map<ts.EnumMember, Value>();
  let next: Value | undefined = 0;
  for (const member of node.members) {
    const value: Value | undefined = member.initializer ? literalValue(member.initializer) : next;
    if (value === undefined || !ts.isIdentifier(member.name)) return notPlain();
    values.set(member, value);
    next = typeof value === 'number' ? value + 1 : undefined;
  }
  const isDeclared = ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Ambient;
  if (values.size < 2 || isDeclared) return notPlain();
  const isFlag = isFlagEnum([...values.keys()], (member) => values.get(member));
  return [...values.values()].map((value) => ({ kind: 'enum', value, isFlag, isNominal: typeof value === 'string' }));
}

// Only top-level names can be resolved by syntax.
function isShadowed(name: ts.Identifier): boolean {
  for (let at: ts.Node = name; !ts.isSourceFile(at); at = at.parent) {
    const isScope = ts.isFunctionLike(at) || ts.isModuleDeclaration(at) || ts.isBlock(at) || ts.isMappedTypeNode(at);
    const hasParameters = (at as { readonly typeParameters?: unknown }).typeParameters !== undefined;
    if (isScope || hasParameters || ts.isConditionalTypeNode(at)) return true;
  }
  return false;
}
