import { Node, type TypeNode } from 'ts-morph';
import type { ColumnKind } from '../../plugins/orm/core/index.js';

/** What the TypeScript type of a property means for its column. */
export interface ColumnType {
  readonly kind: ColumnKind;
  readonly nullable: boolean;
  readonly values?: readonly (string | number)[];
  readonly element?: ColumnKind;
}

const BY_NAME: Readonly<Record<string, ColumnKind>> = {
  Int: 'int',
  Float: 'float',
  Decimal: 'decimal',
  Uuid: 'uuid',
  Text: 'text',
  Json: 'json',
  Date: 'date',
  Uint8Array: 'bytes',
  Buffer: 'bytes',
  number: 'float',
  string: 'string',
  boolean: 'boolean',
  bigint: 'bigint',
  unknown: 'any',
};

/** Types that a column may have, for error sentences. */
export const KNOWN_TYPES =
  'Int, Float, number, bigint, Decimal, string, Text, Uuid, boolean, Date, Uint8Array, Json<T>, a union of literals, or an array of these; each may be `| null`';

/**
 * Reads a type node by its syntax alone.
 *
 * @param lookup - finds a type alias or enum by name
 * @returns undefined for a type that no column can have
 */
export function columnType(node: TypeNode, lookup: (name: string) => Node | undefined): ColumnType | undefined {
  const members = flattened(node, lookup, 0);
  if (members === undefined) return undefined;
  const present = members.filter((member) => !isNull(member) && member.getText() !== 'undefined');
  const nullable = members.some(isNull);
  const [only] = present;
  if (only !== undefined && present.length === 1 && !Node.isLiteralTypeNode(only)) {
    const single = singleType(only, lookup);
    return single && { ...single, nullable };
  }
  const values = present.map(literalValue);
  if (values.length === 0 || values.includes(undefined)) return undefined;
  if (values.every((value) => typeof value === 'boolean')) return { kind: 'boolean', nullable };
  return { kind: 'enum', nullable, values: values as (string | number)[] };
}

const DEEPEST_ALIAS = 8;

function flattened(node: Node, lookup: (name: string) => Node | undefined, depth: number): Node[] | undefined {
  if (depth > DEEPEST_ALIAS) return undefined;
  if (Node.isParenthesizedTypeNode(node)) return flattened(node.getTypeNode(), lookup, depth);
  if (Node.isUnionTypeNode(node)) {
    const parts = node.getTypeNodes().map((part) => flattened(part, lookup, depth));
    return parts.includes(undefined) ? undefined : (parts.flat() as Node[]);
  }
  const alias = aliasOf(node, lookup);
  return alias ? flattened(alias, lookup, depth + 1) : [node];
}

function aliasOf(node: Node, lookup: (name: string) => Node | undefined): Node | undefined {
  if (!Node.isTypeReference(node) || node.getTypeName().getText() in BY_NAME) return undefined;
  const found = lookup(node.getTypeName().getText());
  return found && Node.isTypeAliasDeclaration(found) ? found.getTypeNode() : undefined;
}

function singleType(node: Node, lookup: (name: string) => Node | undefined): Omit<ColumnType, 'nullable'> | undefined {
  const element = elementOf(node);
  if (element) {
    const inner = columnType(element as TypeNode, lookup);
    return inner && { kind: 'array', element: elementKind(inner) };
  }
  const name = Node.isTypeReference(node) ? node.getTypeName().getText() : node.getText();
  const kind = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
  if (kind !== undefined) return { kind };
  const found = lookup(name);
  return found && Node.isEnumDeclaration(found) ? enumType(found) : undefined;
}

// What holds texts would give back numbers as texts.
function elementKind({ kind, values = [] }: Pick<ColumnType, 'kind' | 'values'>): ColumnKind {
  if (kind !== 'enum' || !values.every((value) => typeof value === 'number')) return kind;
  return values.every((value) => Number.isSafeInteger(value)) ? 'int' : 'float';
}

function enumType(declaration: Node): Omit<ColumnType, 'nullable'> | undefined {
  if (!Node.isEnumDeclaration(declaration)) return undefined;
  const values = declaration.getMembers().map((member, index) => {
    const written = member.getInitializer();
    return written === undefined ? index : literalOf(written);
  });
  return values.includes(undefined) ? undefined : { kind: 'enum', values: values as (string | number)[] };
}

function elementOf(node: Node): Node | undefined {
  if (Node.isArrayTypeNode(node)) return node.getElementTypeNode();
  if (Node.isTypeOperatorTypeNode(node)) return elementOf(node.getTypeNode());
  const isArray = Node.isTypeReference(node) && /^(Readonly)?Array$/.test(node.getTypeName().getText());
  return isArray ? node.getTypeArguments()[0] : undefined;
}

const isNull = (node: Node): boolean => node.getText() === 'null';

function literalValue(node: Node): string | number | boolean | undefined {
  return Node.isLiteralTypeNode(node) ? literalOf(node.getLiteral()) : undefined;
}

function literalOf(node: Node): string | number | boolean | undefined {
  if (Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node)) return node.getLiteralText();
  if (Node.isNumericLiteral(node)) return Number(node.getLiteralText());
  if (Node.isTrueLiteral(node)) return true;
  return Node.isFalseLiteral(node) ? false : undefined;
}
