import {
  identifier,
  isIdentifier,
  LONGEST_INDEX_NAME,
  snakeCase,
  type Dialect,
  type ModelInfo,
} from '../core/index.js';
import { cutName, type TakenNames } from './names.js';
import type { ActualIndex, ActualTable } from './introspect.js';

/** An index that a model asks for. */
export interface WantedIndex {
  readonly name: string;
  /** Whether the model gives the name; one of its own making is not compared. */
  readonly named: boolean;
  readonly unique: boolean;
  readonly columns: readonly string[];
}

/** What is to be done with the indexes of a table. What has another name, columns or uniqueness is dropped and created. */
export interface IndexChanges {
  readonly drop: readonly ActualIndex[];
  readonly create: readonly WantedIndex[];
  readonly kept: readonly ActualIndex[];
  /** Those of `kept` that no model asks for. */
  readonly unknown: readonly ActualIndex[];
}

/** Indexes of a model: those of the tags `unique` and `index`, then those of `@table`. */
export function wantedIndexes(model: ModelInfo): readonly WantedIndex[] {
  const byTag = model.columns.flatMap((column) => {
    const { unique = false, index = false } = column.definition;
    return unique || index ? [{ columns: [column], unique, name: undefined }] : [];
  });
  const wanted = new Map<string, WantedIndex>();
  for (const { columns, unique, name } of [...byTag, ...model.indexes]) {
    const own = columns.map((column) => column.name);
    const usual = name ?? indexName(model.table, own, unique);
    const index = { name: usual, named: name !== undefined, unique, columns: own };
    wanted.set(keyOf(index), index);
  }
  return [...wanted.values()];
}

/**
 * New indexes under names that are free: columns a and b make the name that a column a_b makes, and a column that was renamed
 * leaves its name to the index. Names that the model gives stay.
 */
export function freelyNamed(indexes: readonly WantedIndex[], taken: TakenNames): readonly WantedIndex[] {
  for (const { name } of indexes.filter(({ named }) => named)) taken.take(name);
  return indexes.map((index) => (index.named ? index : { ...index, name: taken.take(index.name) }));
}

/** Name that an index has when the model gives none: `users_tenant_id_email_key`, or `_idx` when it is not unique. */
export function indexName(table: string, columns: readonly string[], unique: boolean): string {
  const ending = unique ? '_key' : '_idx';
  const name = [snakeCase(table.replaceAll('.', '_')), ...columns].join('_');
  return identifier(`${cutName(name, LONGEST_INDEX_NAME - ending.length)}${ending}`);
}

/** Statement for an index. */
export function createIndex(
  table: string,
  { name, unique, columns }: Pick<WantedIndex, 'name' | 'unique' | 'columns'>,
  { compiler }: Dialect,
  how = '',
): string {
  const list = columns.map((column) => compiler.quote(column)).join(', ');
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX${how} ${compiler.quote(name)} ON ${compiler.quote(table)} (${list})`;
}

/** Statement that drops an index, or the constraint that it is part of. */
export function dropIndex(table: string, { name, constraint }: ActualIndex, { compiler, schema }: Dialect): string {
  const drop = constraint ? schema.dropConstraint : schema.dropIndex;
  return drop(compiler.quote(table), compiler.quote(name));
}

/** Statement that makes again what {@link dropIndex} drops. */
export function restoreIndex(table: string, index: ActualIndex, dialect: Dialect): string {
  const { compiler } = dialect;
  if (!index.plain) return `-- the index ${index.name} is gone: write here how to make it again`;
  if (!index.constraint) return createIndex(table, index, dialect);
  const list = index.columns.map((column) => compiler.quote(column)).join(', ');
  return `ALTER TABLE ${compiler.quote(table)} ADD CONSTRAINT ${compiler.quote(index.name)} UNIQUE (${list})`;
}

/**
 * Compares the indexes of a model with those of its table, by columns and uniqueness, and by name where the model gives one.
 *
 * @param gone - columns that the table is about to lose
 * @param taken - names of all indexes
 */
export function indexChanges(
  model: ModelInfo,
  { indexes, foreignKeys }: Pick<ActualTable, 'indexes' | 'foreignKeys'>,
  gone: readonly string[],
  taken: TakenNames,
): IndexChanges {
  const wanted = wantedIndexes(model);
  const drop = indexes.filter(
    (index) => index.columns.some((name) => gone.includes(name)) || isInTheWay(index, indexes, wanted),
  );
  const kept = indexes.filter((index) => !drop.includes(index));
  for (const { name } of drop) taken.release(name);
  const create = wanted.filter((want) => !kept.some((index) => satisfies(index, want)));
  // MySQL makes an index for a foreign key by itself (https://dev.mysql.com/doc/refman/8.0/en/create-table-foreign-keys.html).
  const serves = (index: ActualIndex) => foreignKeys.some(({ columns }) => columns.join() === index.columns.join());
  return {
    drop,
    kept,
    create: freelyNamed(create, taken),
    unknown: kept.filter(
      (index) => index.plain && !serves(index) && !wanted.some((want) => satisfies(index, { ...want, named: false })),
    ),
  };
}

function isInTheWay(index: ActualIndex, all: readonly ActualIndex[], wanted: readonly WantedIndex[]): boolean {
  if (!index.plain) return false;
  const alike = wanted.find((want) => keyOf(want) === keyOf(index));
  if (alike) return !hasName(index, alike) && !all.some((other) => satisfies(other, alike));
  return isOurs(index) || wanted.some(({ name }) => name === index.name);
}

function satisfies(index: ActualIndex, want: WantedIndex): boolean {
  // Whoever took our index's name for one of their own making, a GIN index for example, meant it in its place.
  if (!index.plain) return index.name === want.name;
  return want.columns.join() === index.columns.join() && (index.unique || !want.unique) && hasName(index, want);
}

const hasName = (index: ActualIndex, { named, name }: WantedIndex): boolean =>
  !named || index.name === name || isNameless(index);

// The index of a constraint in SQLite has a name that nobody gave (https://sqlite.org/fileformat2.html#intschema).
const isNameless = ({ name }: ActualIndex): boolean => name.startsWith('sqlite_autoindex_');

// Whether an index is one that migrations made, as far as its name tells.
const isOurs = (index: ActualIndex): boolean =>
  (/_(key|idx)$/.test(index.name) && isIdentifier(index.name)) || isNameless(index);

const keyOf = ({ columns, unique }: Pick<WantedIndex, 'columns' | 'unique'>): string => `${columns.join()} ${unique}`;
