import { ts } from 'ts-morph';
import { isTemporalClass, TEMPORAL_KINDS, type ColumnKind, type TemporalClass } from '../../plugins/orm/core/index.js';
import { FRAMEWORK_FOLDER, ORM_FILE } from '../program/index.js';
import { isFlagEnum } from './flag-enum.js';

type Value = string | number;

/** The type of a column, derived from the TypeScript type of its property. */
export interface ColumnType {
  readonly kind: ColumnKind;
  /** Class of Temporal that its values have. */
  readonly temporal?: TemporalClass;
  readonly nullable: boolean;
  /** Values of a union of literals or an enum, or of an array of them, in arbitrary order. */
  readonly values?: readonly Value[];
  /** Whether the values are bits of an enum, which rows hold several of at a time. */
  readonly isFlags?: boolean;
  /** Whether the type lists values that do not restrict the column. */
  readonly isWidened?: boolean;
  readonly element?: ColumnKind;
  /** How many lists stand in each other, from 2 on. */
  readonly dimensions?: number;
  /** Whether a JSON value needs a type assertion to have the type: a brand, an enum of texts, `Json<T>`. */
  readonly isNominal?: boolean;
}

/** Why a type cannot be a column's, as the end of a sentence that begins with the property. */
export interface Refusal {
  readonly refusal: string;
}

/** Types that a column may have, for error sentences. */
export const KNOWN_TYPES =
  'Int, Float, number, bigint, Decimal, string, Text, Uuid, boolean, Date, PlainDate, PlainTime, Interval, a class of Temporal, Uint8Array, Json<T>, a union of literals, an enum, or an array of these; each may be `| null`';

/** Type of one member of a union. */
export interface Part {
  readonly kind: ColumnKind;
  readonly temporal?: TemporalClass;
  readonly value?: Value;
  readonly element?: ColumnKind;
  readonly dimensions?: number;
  /** Values of an array's elements. */
  readonly values?: readonly Value[];
  readonly isWidened?: boolean;
}

/** Reads types as the checker resolved them, wherever and however they were declared. */
export class ColumnTypes {
  constructor(
    readonly checker: ts.TypeChecker,
    readonly program: ts.Program,
  ) {}

  /** The column type of a TypeScript type, or why it has none. */
  columnType(type: ts.Type): ColumnType | Refusal {
    return this.#columnType(type, 0);
  }

  #columnType(type: ts.Type, depth: number): ColumnType | Refusal {
    if (depth > DEEPEST) return { refusal: `has the type ${this.#shown(type)}, arrays of arrays without an end` };
    const members = type.isUnion() ? type.types : [type];
    const nullable = members.some((member) => (member.flags & ts.TypeFlags.Null) !== 0);
    const present = members.filter((member) => (member.flags & NOTHING) === 0);
    if (present.length === 0) return { refusal: `has the type ${this.#shown(type)}, which holds no value` };
    const parts: Part[] = [];
    for (const member of present) {
      const part = this.#part(member, depth);
      if ('refusal' in part) return part;
      parts.push(part);
    }
    const joined = this.#joined(parts, type);
    if ('refusal' in joined) return joined;
    const isFlags = joined.kind === 'enum' && present.every((member) => this.#isFlag(member));
    const isWidened = present.every(isBigIntLiteral) || parts.some((part) => part.isWidened);
    const isNominal = present.some((member) => this.#isNominal(member));
    return {
      ...joined,
      nullable,
      ...(isFlags && { isFlags }),
      ...(isWidened && { isWidened }),
      ...(isNominal && { isNominal }),
    };
  }

  #isNominal(type: ts.Type): boolean {
    if (type.isUnion()) return type.types.some((member) => this.#isNominal(member));
    if ((type.flags & NOMINAL) !== 0) return true;
    if (type.isStringLiteral()) return (type.flags & ts.TypeFlags.EnumLiteral) !== 0;
    const [element] = this.checker.isArrayType(type) ? this.checker.getTypeArguments(type as ts.TypeReference) : [];
    if (element) return this.#isNominal(element);
    const isJson = this.#mark(type, 'Kind') === 'json';
    const isPart = (each: ts.Type) =>
      (isJson || (each.flags & PRIMITIVE) === 0) && this.#mark(each, 'Kind') === undefined;
    const others = type.isIntersection() ? type.types.filter(isPart) : [];
    if (isJson) return others.length > 0;
    // `string & {}` accepts any text.
    return others.some((each) => each.getProperties().length > 0 || (each.flags & NOMINAL) !== 0);
  }

  // Only values of an enum can be combined as flags, not those of a union of literals.
  #isFlag(type: ts.Type): boolean {
    const declared = (type.getSymbol()?.declarations ?? []).find(ts.isEnumMember)?.parent;
    const symbol = declared && this.checker.getSymbolAtLocation(declared.name);
    const declarations = symbol?.declarations?.filter(ts.isEnumDeclaration) ?? [];
    return isFlagEnum(declarations.flatMap(({ members }) => [...members]), (member) => this.checker.getConstantValue(member)); // prettier-ignore
  }

  /** Kind of a relation's type: `hasMany` for `HasMany`; undefined for other types. */
  relationKind(type: ts.Type): string | undefined {
    const members = type.isUnion() ? type.types : [type];
    return members.map((member) => this.#mark(member, 'Relation')).find((mark) => mark !== undefined);
  }

  #joined(parts: readonly Part[], type: ts.Type): Omit<ColumnType, 'nullable'> | Refusal {
    const found = joined(parts);
    return typeof found === 'string' ? { refusal: `has the type ${this.#shown(type)}, ${found}` } : found;
  }

  #part(type: ts.Type, depth: number): Part | Refusal {
    const { flags } = type;
    const mark = this.#mark(type, 'Kind');
    if (mark !== undefined) return { kind: mark as ColumnKind };
    if (type.isIntersection()) return this.#branded(type, depth);
    if (flags & ts.TypeFlags.Any) return { refusal: `has a type that is not known` };
    if (flags & ts.TypeFlags.Unknown) return { kind: 'any' };
    if (flags & ts.TypeFlags.BooleanLike) return { kind: 'boolean' };
    if (flags & ts.TypeFlags.BigIntLike) return { kind: 'bigint' };
    if (type.isStringLiteral() || type.isNumberLiteral()) return { kind: 'enum', value: type.value };
    if (flags & ts.TypeFlags.EnumLike)
      return { refusal: `has the enum ${this.#shown(type)}, of which a value is only known at run time` };
    if (flags & ts.TypeFlags.StringLike) return { kind: 'string' };
    if (flags & ts.TypeFlags.NumberLike) return { kind: 'float' };
    if (flags & ts.TypeFlags.TypeParameter)
      return {
        refusal: `has the type parameter ${this.#shown(type)} as its type; extend the base class with a type argument`,
      };
    return this.#object(type, depth);
  }

  // A brand is an intersection of a primitive with a type that does not exist at run time.
  #branded(type: ts.IntersectionType, depth: number): Part | Refusal {
    const primitive = type.types.find(
      (each) => (each.flags & PRIMITIVE) !== 0 || this.#mark(each, 'Kind') !== undefined,
    );
    return primitive ? this.#part(primitive, depth) : this.#object(type, depth);
  }

  #object(type: ts.Type, depth: number): Part | Refusal {
    const name = this.#libraryName(type);
    if (name === 'Date') return { kind: 'date' };
    if (name === 'Uint8Array' || name === 'Buffer') return { kind: 'bytes' };
    const temporal = this.#temporalName(type);
    if (temporal !== undefined) return temporalPart(temporal);
    if (!this.checker.isArrayType(type))
      return { refusal: `has the type ${this.#shown(type)}; what is kept as JSON is Json<${this.#shown(type)}>` };
    const [element] = this.checker.getTypeArguments(type as ts.TypeReference);
    const inner = element ? this.#columnType(element, depth + 1) : { refusal: 'has an array of nothing' };
    if ('refusal' in inner) return inner;
    if (inner.temporal)
      return { refusal: `has an array of Temporal.${inner.temporal}, and a column holds one: declare ${IN_ARRAYS[inner.temporal]}[]` }; // prettier-ignore
    const { values, nullable, isFlags = false, isWidened = false } = inner;
    return {
      kind: 'array',
      ...elementsOf(inner),
      ...(values && !nullable && !isFlags && { values }),
      ...(isWidened && { isWidened }),
    };
  }

  // Each of its classes says its name, whoever declares it: TypeScript, or a polyfill that a file imports.
  #temporalName(type: ts.Type): string | undefined {
    const tag = this.checker.getPropertiesOfType(type).find(({ escapedName }) => TAG.test(String(escapedName)));
    const said = tag && this.checker.getTypeOfSymbol(tag);
    return said?.isStringLiteral() ? /^Temporal\.(\w+)$/.exec(said.value)?.[1] : undefined;
  }

  #libraryName(type: ts.Type): string | undefined {
    const symbol = type.getSymbol();
    const [declaration] = symbol?.declarations ?? [];
    const file = declaration?.getSourceFile();
    const isLibrary =
      file !== undefined &&
      (this.program.isSourceFileDefaultLibrary(file) || file.fileName.startsWith(FRAMEWORK_FOLDER));
    return isLibrary ? symbol?.name : undefined;
  }

  /** The type argument of `Kind<'int'>` or `Relation<'hasMany'>`, alone or in an intersection. */
  #mark(type: ts.Type, interfaceName: 'Kind' | 'Relation'): string | undefined {
    for (const each of type.isIntersection() ? type.types : [type]) {
      const symbol = each.getSymbol();
      if (symbol?.name !== interfaceName || symbol.declarations?.[0]?.getSourceFile().fileName !== ORM_FILE) continue;
      const [name] = this.checker.getTypeArguments(each as ts.TypeReference);
      if (name?.isStringLiteral()) return name.value;
    }
    return undefined;
  }

  #shown(type: ts.Type): string {
    const text = this.checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
    return text.length > 60 ? `${text.slice(0, 57)}...` : text;
  }
}

// As the checker calls a property whose name is a well-known symbol.
const TAG = /^__@toStringTag\b/;

const IN_ARRAYS: Readonly<Record<TemporalClass, string>> = {
  PlainDate: 'PlainDate',
  PlainTime: 'PlainTime',
  Duration: 'Interval',
  Instant: 'Date',
  PlainDateTime: 'Date',
};

/** Why no column has values of the other classes, and what it has. */
const REFUSED_TEMPORAL: Readonly<Record<string, string>> = {
  ZonedDateTime:
    'a database keeps the moment and no zone beside it: declare Temporal.Instant, and the name of the zone as a string of its own',
  PlainYearMonth: 'a database has no months: declare Temporal.PlainDate, with the first day of the month',
  PlainMonthDay: 'a database has no days without a year: declare two of Int, or a string such as 05-06',
};

function temporalPart(name: string): Part | Refusal {
  if (isTemporalClass(name)) return { kind: TEMPORAL_KINDS[name], temporal: name };
  return { refusal: `has the type Temporal.${name}; ${REFUSED_TEMPORAL[name] ?? 'no column has values of it'}` };
}

// Deeper than any array of a database; ends types that refer to themselves.
const DEEPEST = 20;
const isBigIntLiteral = ({ flags }: ts.Type): boolean => (flags & ts.TypeFlags.BigIntLiteral) !== 0;

const NOTHING = ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Never;
const PRIMITIVE =
  ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike | ts.TypeFlags.BooleanLike;
const NOMINAL = ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping | ts.TypeFlags.BigIntLiteral;
const TEXTS: ReadonlySet<ColumnKind> = new Set<ColumnKind>(['string', 'text']);
const NUMBERS: ReadonlySet<ColumnKind> = new Set<ColumnKind>(['int', 'float']);

/** The common column type of the members of a union (at least one); a text with the reason if there is none. */
export function joined(parts: readonly Part[]): Omit<ColumnType, 'nullable'> | string {
  const kinds = new Set(parts.map(({ kind }) => kind));
  const [first] = parts as [Part];
  if (kinds.size > 1) return mixed(parts);
  if (new Set(parts.map(({ temporal }) => temporal)).size > 1) return MIXED;
  if (first.kind === 'enum') {
    if (new Set(parts.map(({ value }) => typeof value)).size > 1) return mixed(parts);
    return { kind: 'enum', values: parts.map(({ value }) => value as Value) };
  }
  const elements = new Set(parts.map(({ element, dimensions = 1 }) => `${element} ${dimensions}`));
  if (elements.size > 1) return 'arrays of several kinds';
  const values = parts.flatMap((part) => part.values ?? []);
  const isListed = values.length > 0 && parts.every((part) => part.values);
  return {
    kind: first.kind,
    ...(first.temporal && { temporal: first.temporal }),
    ...(first.element && { element: first.element }),
    ...(first.dimensions && { dimensions: first.dimensions }),
    ...(isListed && { values }),
  };
}

// `'a' | (string & {})` is text with suggestions; `number | Int` is a number.
function mixed(parts: readonly Part[]): Omit<ColumnType, 'nullable'> | string {
  const all = (accept: ReadonlySet<ColumnKind>, isValue: (value: Value | undefined) => boolean) =>
    parts.every(({ kind, value }) => accept.has(kind) || (kind === 'enum' && isValue(value)));
  if (all(TEXTS, (value) => typeof value === 'string')) return { kind: 'string' };
  if (all(NUMBERS, (value) => typeof value === 'number')) return { kind: 'float' };
  return MIXED;
}

const MIXED = 'which mixes what a database keeps in different columns';

/** What an array is of; lists in it are further dimensions of it, with the elements of the innermost. */
export function elementsOf(inner: ColumnType): { readonly element: ColumnKind; readonly dimensions?: number } {
  const { kind, element, dimensions = 1 } = inner;
  return kind === 'array' && element ? { element, dimensions: dimensions + 1 } : { element: elementKind(inner) };
}

/** The kind of an array's elements. Numbers and texts cannot be mixed, because numbers would be read back as texts. */
export function elementKind({ kind, values = [] }: Pick<ColumnType, 'kind' | 'values'>): ColumnKind {
  if (kind !== 'enum' || !values.every((value) => typeof value === 'number')) return kind;
  return values.every((value) => Number.isSafeInteger(value)) ? 'int' : 'float';
}
