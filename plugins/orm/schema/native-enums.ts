import { identifier, type ColumnInfo, type Dialect, type EnumTypes, type ModelInfo } from '../core/index.js';
import type { ActualColumn, ActualTable } from './introspect.js';
import { cutName, namedBy, schemaOf } from './names.js';

/** Enums that are named types. */
export type NamedEnums = Extract<EnumTypes, { are: 'named' }>;

const MOST_LETTERS = 60;

/** Whether a column has a database enum as its type: its tag asks for it, and the database has such types. */
export function isNativeEnum({ definition }: ColumnInfo, { schema }: Dialect): boolean {
  return definition.enumAs === 'native' && schema.enums !== undefined;
}

/** Type of a column, without constraints, as DDL writes it. */
export function columnTypeOf(column: ColumnInfo, dialect: Dialect): string {
  const { enums } = dialect.schema;
  const isArray = column.kind === 'array';
  if (enums === undefined || !isNativeEnum(column, dialect)) return dialect.schema.columnType(column);
  if (enums.are === 'named')
    return `${dialect.compiler.quote(enumTypeName(column.model.table, column.name))}${isArray ? '[]' : ''}`;
  // Without array types, lists are stored as JSON.
  return isArray ? dialect.schema.columnType(column) : enums.type(labelsOf(column));
}

/** Name of the type that a column gets: `orders_state_enum`, in the schema of its table. */
function enumTypeName(table: string, column: string): string {
  const schema = schemaOf(table);
  const name = cutName(namedBy(table, [column, 'enum']), MOST_LETTERS);
  return identifier(schema === '' ? name : `${schema}.${name}`);
}

/** Values of a column's type, as texts. */
export const labelsOf = ({ definition }: ColumnInfo): readonly string[] => [...new Set(definition.values)].map(String);

/** Types with names that a new table needs, by name. */
export function typesOf(
  model: ModelInfo,
  dialect: Dialect,
): readonly (readonly [name: string, labels: readonly string[]])[] {
  if (namedEnums(dialect) === undefined) return [];
  return model.columns
    .filter((column) => isNativeEnum(column, dialect))
    .map((column) => [dialect.compiler.quote(enumTypeName(model.table, column.name)), labelsOf(column)] as const);
}

/** The enums of the database, if they are named types. */
export function namedEnums({ schema: { enums } }: Dialect): NamedEnums | undefined {
  return enums?.are === 'named' ? enums : undefined;
}

/**
 * Change of the enum type of a kept column: values are added, another type replaces it, or, if other columns share the type, this column
 * gets its own type. If the type is part of the column definition, the column changes.
 */
export interface EnumChange {
  readonly column: ColumnInfo;
  readonly actual: ActualColumn;
  readonly is: 'extended' | 'replaced' | 'parted' | 'inline';
  /** Name of the type in the database. */
  readonly type: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/**
 * The change of a column's enum type; undefined when it stays, or is not an enum.
 *
 * @param tables - all existing tables
 */
export function enumChange(
  column: ColumnInfo,
  actual: ActualColumn,
  tables: readonly ActualTable[],
  dialect: Dialect,
): EnumChange | undefined {
  const { labels } = actual;
  if (labels === undefined || !isKeptEnum(column, actual, dialect)) return undefined;
  const { shownAs = (text: string) => text } = dialect.schema.introspection;
  const wanted = labelsOf(column);
  const has = (all: readonly string[], label: string) =>
    all.some((each) => each === label || shownAs(each) === shownAs(label));
  const added = wanted.filter((label) => !has(labels, label));
  const removed = labels.filter((label) => !has(wanted, label));
  if (added.length + removed.length === 0) return undefined;
  const type = elementType(actual.type);
  const after = [...labels.filter((label) => has(wanted, label)), ...added];
  const { default: fallback } = column.definition;
  // A value cannot be used in the transaction that adds it (https://www.postgresql.org/docs/current/sql-altertype.html).
  const isUsed = fallback !== undefined && added.includes(fallback);
  const change = { column, actual, type, before: labels, after, added, removed };
  if (namedEnums(dialect) === undefined) return { ...change, is: 'inline' };
  if (isShared(actual, tables, dialect)) return { ...change, is: 'parted' };
  return { ...change, is: removed.length > 0 || isUsed ? 'replaced' : 'extended' };
}

/** Whether a column that has an enum as its type keeps one. */
export function isKeptEnum(column: ColumnInfo, { type, labels }: ActualColumn, dialect: Dialect): boolean {
  return labels !== undefined && isNativeEnum(column, dialect) && type.endsWith('[]') === (column.kind === 'array');
}

/** The wanted type of an existing enum column. */
export function keptEnumType({ type }: ActualColumn, change: EnumChange | undefined, dialect: Dialect): string {
  const { enums } = dialect.schema;
  if (change === undefined) return type;
  if (enums?.are === 'inline') return enums.type(change.after);
  return change.is === 'parted' ? `${partedType(change, dialect)}${type.endsWith('[]') ? '[]' : ''}` : type;
}

/** The new own type of a column that shared its type. */
export function partedType({ column, type }: EnumChange, { compiler }: Dialect): string {
  const own = enumTypeName(column.model.table, column.name);
  // A type that several columns share may have the name of this column.
  return compiler.quote(unqualified(type) === unqualified(own) ? own.replace(/_enum$/, '_own_enum') : own);
}

/** An enum type whose last column goes, as SQL names it, with its values. */
type LooseType = readonly [name: string, labels: readonly string[]];

/**
 * The enum type to drop with a column: no other column has it, and migrations made it, judged by its name.
 *
 * @param tables - the remaining tables, possibly without this column
 */
export function looseType(
  column: ActualColumn,
  tables: readonly ActualTable[],
  dialect: Dialect,
): LooseType | undefined {
  if (column.labels === undefined || namedEnums(dialect) === undefined) return undefined;
  const type = elementType(column.type);
  const isOurs = /_enum"?$/.test(type) && usersOf(type, tables).every((each) => each === column);
  return isOurs ? [type, column.labels] : undefined;
}

/** Whether several columns have the enum type of a column. */
export function isShared({ type }: ActualColumn, tables: readonly ActualTable[], dialect: Dialect): boolean {
  return namedEnums(dialect) !== undefined && usersOf(elementType(type), tables).length > 1;
}

const usersOf = (type: string, tables: readonly ActualTable[]): readonly ActualColumn[] =>
  tables.flatMap(({ columns }) => columns.filter((each) => elementType(each.type) === type));

const elementType = (type: string): string => type.replace(/\[\]$/, '');

/** The name of a type from SQL or a catalog, without schema and quotes. */
export const unqualified = (type: string): string =>
  (/(?:"(?:[^"]|"")*"|\w+)$/.exec(type)?.[0] ?? type).replace(/^"|"$/g, '').replaceAll('""', '"');
