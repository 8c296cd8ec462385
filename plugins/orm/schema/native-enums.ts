import { identifier, snakeCase, type ColumnInfo, type Dialect, type EnumTypes, type ModelInfo } from '../core/index.js';
import type { ActualColumn, ActualTable } from './introspect.js';
import { cutName, schemaOf } from './names.js';

/** Enums that are types with a name. */
export type NamedEnums = Extract<EnumTypes, { are: 'named' }>;

const MOST_LETTERS = 60;

/** Whether a column has an enum of the database as its type: its tag asks for it, and the database has such types. */
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
  // Where there are no arrays, lists are kept as JSON.
  return isArray ? dialect.schema.columnType(column) : enums.type(labelsOf(column));
}

/** Name of the type that a column gets: `orders_state_enum`, in the schema of its table. */
export function enumTypeName(table: string, column: string): string {
  const schema = schemaOf(table);
  const name = cutName([snakeCase(table.replaceAll('.', '_')), column, 'enum'].join('_'), MOST_LETTERS);
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

/** The database's enums, where they are types with names. */
export function namedEnums({ schema: { enums } }: Dialect): NamedEnums | undefined {
  return enums?.are === 'named' ? enums : undefined;
}

/**
 * What becomes of the enum type of a column that stays: values are added to it, another takes its place, or, where other columns have
 * it too, this one gets a type of its own. Where the type stands at the column, the column changes.
 */
export interface EnumChange {
  readonly column: ColumnInfo;
  readonly actual: ActualColumn;
  readonly is: 'extended' | 'replaced' | 'parted' | 'inline';
  /** The type as it is called in the database. */
  readonly type: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/**
 * How the type of a column changes; undefined when it stays, or is none.
 *
 * @param tables - all that are there
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
  // In the transaction that adds it, a value cannot be used yet (https://www.postgresql.org/docs/current/sql-altertype.html).
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

/** The type that a column which is an enum now is to have. */
export function keptEnumType({ type }: ActualColumn, change: EnumChange | undefined, dialect: Dialect): string {
  const { enums } = dialect.schema;
  if (change === undefined) return type;
  if (enums?.are === 'inline') return enums.type(change.after);
  return change.is === 'parted' ? `${partedType(change, dialect)}${type.endsWith('[]') ? '[]' : ''}` : type;
}

/** The type of its own that a column gets which shared one. */
export function partedType({ column, type }: EnumChange, { compiler }: Dialect): string {
  const own = enumTypeName(column.model.table, column.name);
  // That of several columns may be called after this one.
  return compiler.quote(unqualified(type) === unqualified(own) ? own.replace(/_enum$/, '_own_enum') : own);
}

/** An enum type whose last column goes, as SQL names it, with its values. */
export type LooseType = readonly [name: string, labels: readonly string[]];

/**
 * The type of a column that goes, when it goes too: nobody else has it, and migrations made it, as far as its name tells.
 *
 * @param tables - that stay, maybe without this column
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

/** Whether several columns have the type of one that is an enum. */
export function isShared({ type }: ActualColumn, tables: readonly ActualTable[], dialect: Dialect): boolean {
  return namedEnums(dialect) !== undefined && usersOf(elementType(type), tables).length > 1;
}

const usersOf = (type: string, tables: readonly ActualTable[]): readonly ActualColumn[] =>
  tables.flatMap(({ columns }) => columns.filter((each) => elementType(each.type) === type));

const elementType = (type: string): string => type.replace(/\[\]$/, '');

/** The name of a type without its schema, as SQL or a catalog has it, without quotes. */
export const unqualified = (type: string): string =>
  (/(?:"(?:[^"]|"")*"|\w+)$/.exec(type)?.[0] ?? type).replace(/^"|"$/g, '').replaceAll('""', '"');
