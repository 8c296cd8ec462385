import { identifier, type ColumnInfo, type ColumnState, type Dialect, type ModelInfo } from '../core/index.js';
import { checkClause, checksOf, foreignKeyClause, foreignKeysOf } from './constraints.js';
import { computedText } from './computed-text.js';
import { createIndex, freelyNamed, wantedIndexes } from './indexes.js';
import { columnTypeOf, isNativeEnum, namedEnums, typesOf } from './native-enums.js';
import { namedBy, TakenNames } from './names.js';
import { valueChecksOf, type WantedValueCheck } from './value-checks.js';

/**
 * Statements that create a model's table with its types, keys, defaults, checks and indexes. Foreign keys are among them where they
 * cannot be added later; elsewhere {@link addForeignKey} follows, once every table is there.
 *
 * @param names - names that indexes and checks of other tables have
 */
export function createTable(model: ModelInfo, dialect: Dialect, names = new TakenNames()): readonly string[] {
  const valueChecks = valueChecksOf(model, dialect).map((check) => ({ ...check, name: names.take(check.name) }));
  const types = typesOf(model, dialect).flatMap(([name, labels]) => {
    const enums = namedEnums(dialect);
    return enums ? [enums.create(name, labels)] : [];
  });
  return [
    ...types,
    bareTable(model, dialect, model.table, { valueChecks }),
    ...freelyNamed(wantedIndexes(model), names).map((index) => createIndex(model.table, index, dialect)),
  ];
}

/** Parts of CREATE TABLE that do not come from the model. */
interface TableExtras {
  readonly further?: readonly string[];
  readonly lineOf?: (column: ColumnInfo) => string;
  readonly options?: string;
  readonly valueChecks?: readonly WantedValueCheck[];
}

/** The CREATE TABLE statement of a model, with a given name. */
export function bareTable(model: ModelInfo, dialect: Dialect, name: string, extras: TableExtras = {}): string {
  const {
    further = [],
    lineOf = (column) => columnLine(column, dialect),
    options = dialect.schema.tableOptions,
    valueChecks = valueChecksOf(model, dialect),
  } = extras;
  const quote = (name: string) => dialect.compiler.quote(name);
  const lines = model.columns.map((column) => `  ${lineOf(column)}`);
  if (model.primaryKey.length > 0 && !model.primaryKey.some((column) => isNumberedKey(column, dialect))) {
    lines.push(`  PRIMARY KEY (${model.primaryKey.map(({ name }) => quote(name)).join(', ')})`);
  }
  lines.push(...[...valueChecks, ...checksOf(model)].map((check) => `  ${checkClause(check, dialect)}`));
  if (keepsTables(dialect)) lines.push(...foreignKeysOf(model).map((key) => `  ${foreignKeyClause(key, dialect)}`));
  lines.push(...further.map((line) => `  ${line}`));
  return `CREATE TABLE ${quote(name)} (\n${lines.join(',\n')}\n)${options ?? ''}`;
}

/** Whether the database must rebuild a table to change its columns or constraints. */
export const keepsTables = ({ schema }: Dialect): boolean => schema.alterColumn === undefined;

/** Statement that adds a foreign key to a table that is there. */
export function addForeignKey(table: string, key: Parameters<typeof foreignKeyClause>[0], dialect: Dialect): string {
  return `ALTER TABLE ${dialect.compiler.quote(table)} ADD ${foreignKeyClause(key, dialect)}`;
}

/** One column as CREATE TABLE and ADD COLUMN write it. */
export function columnLine(column: ColumnInfo, dialect: Dialect, type = columnTypeOf(column, dialect)): string {
  const { schema, compiler } = dialect;
  const name = compiler.quote(column.name);
  if (isNumberedKey(column, dialect)) return `${name} ${schema.autoincrement(column)}`;
  if (counts(column, dialect)) return `${name} ${schema.columnText(newState(column, dialect))}`;
  const computed = computedText(column, type, dialect);
  if (computed !== undefined) return `${name} ${computed}`;
  const value = defaultOf(column, dialect);
  const named = schema.dropDefault === undefined ? '' : ` CONSTRAINT ${compiler.quote(defaultName(column))}`;
  const fallback = value === null ? '' : `${named} DEFAULT ${value}`;
  return `${name} ${type}${column.nullable ? '' : ' NOT NULL'}${fallback}`;
}

/** Whether the database numbers a new column. */
export function counts(column: ColumnInfo, { schema }: Dialect): boolean {
  const { primaryKey } = column.model;
  if (!column.autoincrement || schema.numbers === 'columns') return column.autoincrement;
  return primaryKey.includes(column) && (schema.numbers === 'keys' || primaryKey.length === 1);
}

// The line of the column declares the primary key.
const isNumberedKey = (column: ColumnInfo, dialect: Dialect): boolean =>
  counts(column, dialect) && column.model.primaryKey.length === 1 && column.model.primaryKey[0] === column;

/** State of a new column. */
export function newState(column: ColumnInfo, dialect: Dialect): ColumnState {
  const autoincrement = counts(column, dialect);
  return {
    ...typeOf(column, dialect),
    nullable: !column.model.primaryKey.includes(column) && column.nullable,
    default: autoincrement ? null : defaultOf(column, dialect),
    defaultName: defaultName(column),
    autoincrement,
  };
}

/** Type of a column, with the collation that `sql=` may give it. */
export function typeOf(column: ColumnInfo, dialect: Dialect): Pick<ColumnState, 'type' | 'collation'> {
  const type = columnTypeOf(column, dialect);
  // An enum value may contain any text, also "collate".
  if (isNativeEnum(column, dialect)) return { type };
  return { type: type.replace(COLLATE, ''), collation: COLLATE.exec(type)?.[1] };
}

const COLLATE = /\s+collate\s+("[^"]+"|\w+)/i;

/** SQL of a column's default; null for none. */
export function defaultOf(column: ColumnInfo, { schema }: Dialect): string | null {
  const value = column.definition.default;
  return value === undefined ? null : schema.defaultValue(column, value);
}

/** Name of a column's default, for databases that name them. */
export function defaultName({ model, name }: ColumnInfo): string {
  return identifier(namedBy(model.table, [name, 'default']));
}
