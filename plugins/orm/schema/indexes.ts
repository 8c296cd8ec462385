import { fwError } from '../../../kernel/index.js';
import {
  identifier,
  isIdentifier,
  LONGEST_INDEX_NAME,
  snakeCase,
  type Dialect,
  type IndexDefinition,
  type ModelIndex,
  type ModelInfo,
} from '../core/index.js';
import { MIGRATION_ERRORS } from '../migrations/errors.js';
import { namesColumn, sameSql } from './constraints.js';
import { cutName, digest, type TakenNames } from './names.js';
import type { ActualIndex, ActualTable } from './introspect.js';

/** An index that a model asks for. */
export interface WantedIndex {
  readonly name: string;
  /** Whether the model gives the name; one of its own making is not compared. */
  readonly named: boolean;
  readonly unique: boolean;
  readonly columns: readonly string[];
  /** What of it is more than its columns. Its name ends in a digest then, because databases give SQL back in words of their own. */
  readonly more?: MoreOfIndex | undefined;
}

/** What of an index is more than its columns. */
interface MoreOfIndex extends Pick<ModelIndex, 'where' | 'using' | 'expressions'> {
  /** The name that the model gives. */
  readonly key: string | undefined;
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
  const byTag: readonly ModelIndex[] = model.columns.flatMap((column) => {
    const { unique = false, index = false } = column.definition;
    const bare = { expressions: [], where: undefined, using: undefined, name: undefined };
    return unique || index ? [{ columns: [column], unique, ...bare }] : [];
  });
  const wanted = new Map<string, WantedIndex>();
  for (const given of [...byTag, ...model.indexes]) {
    const index = wantedIndex(model.table, given);
    wanted.set(index.more === undefined ? keyOf(index) : index.name, index);
  }
  return [...wanted.values()];
}

function wantedIndex(table: string, { columns, unique, name, expressions, where, using }: ModelIndex): WantedIndex {
  const own = columns.map((column) => column.name);
  const named = name !== undefined;
  if (expressions.length === 0 && where === undefined && using === undefined)
    return { name: name ?? indexName(table, own, unique), named, unique, columns: own };
  const what = digest(JSON.stringify([own, expressions, where, using, unique]), 8);
  const words = expressions.map((sql) => sql.match(/\w+/g)?.join('_') ?? 'sql');
  const usual = () => indexName(table, [...own, ...words], unique, what);
  const full = named ? identifier(`${cutName(name, LONGEST_INDEX_NAME - what.length - 1)}_${what}`) : usual();
  return { name: full, named: true, unique, columns: own, more: { expressions, where, using, key: name } };
}

/**
 * New indexes under names that are free: columns a and b make the name that a column a_b makes, and a column that was renamed
 * leaves its name to the index. Names that the model gives stay.
 */
export function freelyNamed(indexes: readonly WantedIndex[], taken: TakenNames): readonly WantedIndex[] {
  for (const { name } of indexes.filter(({ named }) => named)) taken.take(name);
  return indexes.map((index) => (index.named ? index : { ...index, name: taken.take(index.name) }));
}

/**
 * Name that an index has when the model gives none: `users_tenant_id_email_key`, or `_idx` when it is not unique.
 *
 * @param what - digest of what of it is more than its columns
 */
export function indexName(table: string, columns: readonly string[], unique: boolean, what?: string): string {
  const ending = `${what === undefined ? '' : `_${what}`}${unique ? '_key' : '_idx'}`;
  const name = [snakeCase(table.replaceAll('.', '_')), ...columns].join('_');
  return identifier(`${cutName(name, LONGEST_INDEX_NAME - ending.length)}${ending}`);
}

/**
 * Statement for an index.
 *
 * @throws FwError `FW_MIGRATE_UNSUPPORTED` for a condition or a method where the database has no such thing
 */
export function createIndex(
  table: string,
  { name, unique, columns, more }: Pick<WantedIndex, 'name' | 'unique' | 'columns' | 'more'>,
  dialect: Dialect,
  how = '',
): string {
  const { compiler, schema } = dialect;
  const { expressions = [], where, using } = more ?? {};
  if (where !== undefined && !schema.partialIndexes) throw unsupported(name, 'index of some rows (WHERE)', dialect);
  if (using !== undefined && !schema.indexMethods) throw unsupported(name, 'method of an index (USING)', dialect);
  const parts = [...columns.map((column) => compiler.quote(column)), ...expressions];
  return written(table, { name, unique, how }, { parts, where, using }, dialect);
}

const unsupported = (index: string, what: string, { name }: Dialect) =>
  fwError(MIGRATION_ERRORS.FW_MIGRATE_UNSUPPORTED, { dialect: name, what: `${what}, as ${index} is one` });

function written(
  table: string,
  { name, unique, how = '' }: { readonly name: string; readonly unique: boolean; readonly how?: string },
  { parts, where, using }: IndexDefinition,
  { compiler }: Dialect,
): string {
  const method = using === undefined ? '' : ` USING ${using}`;
  const condition = where === undefined ? '' : ` WHERE ${where}`;
  // Behind a comment the comma and the parenthesis would be a part of it.
  const list = parts.map((part) => (part.includes('--') ? `${part}\n` : part)).join(', ');
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX${how} ${compiler.quote(name)} ON ${compiler.quote(table)}${method} (${list})${condition}`;
}

/** Statement that drops an index, or the constraint that it is part of. */
export function dropIndex(table: string, { name, constraint }: ActualIndex, { compiler, schema }: Dialect): string {
  const drop = constraint ? schema.dropConstraint : schema.dropIndex;
  return drop(compiler.quote(table), compiler.quote(name));
}

/** Statement that makes again what {@link dropIndex} drops. */
export function restoreIndex(table: string, index: ActualIndex, dialect: Dialect): string {
  const { compiler } = dialect;
  if (index.unfinished) return `-- the index ${index.name} was never finished, so that nothing misses it`;
  if (!index.plain && index.written && !index.constraint) return written(table, index, index.written, dialect);
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
    (index) => gone.some((name) => covers(index, name)) || isInTheWay(index, indexes, wanted),
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

/** Whether an index is about a column, by its parts or its condition. */
export const covers = ({ columns, plain, written: said }: ActualIndex, name: string): boolean =>
  columns.includes(name) ||
  (!plain && said !== undefined && [...said.parts, said.where ?? ''].some((sql) => namesColumn(sql, name)));

function isInTheWay(index: ActualIndex, all: readonly ActualIndex[], wanted: readonly WantedIndex[]): boolean {
  if (index.unfinished) return isOurs(index) || wanted.some(({ name }) => name === index.name);
  if (!index.plain)
    return !wanted.some((want) => satisfies(index, want)) && (isDigested(index) || wanted.some(isNamedLike(index)));
  const alike = wanted.find((want) => keyOf(want) === keyOf(index));
  if (alike) return !hasName(index, alike) && !all.some((other) => satisfies(other, alike));
  return isOurs(index) || wanted.some(({ name }) => name === index.name) || wanted.some(isNamedLike(index));
}

// Another one of this name is what an index of a model was before.
const isNamedLike =
  ({ name }: ActualIndex) =>
  ({ more }: WantedIndex): boolean =>
    more?.key === name;

function satisfies(index: ActualIndex, want: WantedIndex): boolean {
  if (index.unfinished) return false;
  if (want.more) return index.name === want.name || isWrittenAlike(index, want, want.more);
  // Whoever took our index's name for one of their own making, a GIN index for example, meant it in its place.
  if (!index.plain) return index.name === want.name;
  return want.columns.join() === index.columns.join() && (index.unique || !want.unique) && hasName(index, want);
}

// As `fw db pull` declares it.
function isWrittenAlike({ name, unique, written: said }: ActualIndex, want: WantedIndex, more: MoreOfIndex): boolean {
  if (said === undefined || unique !== want.unique || (more.key !== undefined && name !== more.key)) return false;
  const parts = [...want.columns, ...more.expressions];
  return (
    said.parts.length === parts.length &&
    said.parts.every((sql, at) => sameSql(sql.replace(QUOTED, '$1'), parts[at])) &&
    sameSql(said.where, more.where) &&
    said.using === more.using
  );
}

/** A name in quotes, and nothing else. */
export const QUOTED = /^["`[](\w+)["`\]]$/;

const hasName = (index: ActualIndex, { named, name }: WantedIndex): boolean =>
  !named || index.name === name || isNameless(index);

// The index of a constraint in SQLite has a name that nobody gave (https://sqlite.org/fileformat2.html#intschema).
const isNameless = ({ name }: ActualIndex): boolean => name.startsWith('sqlite_autoindex_');

// Whether an index is one that migrations made, as far as its name tells.
const isOurs = (index: ActualIndex): boolean =>
  (/_(key|idx)$/.test(index.name) && isIdentifier(index.name)) || isNameless(index);

// Whether it is one of those that are more than their columns.
const isDigested = ({ name }: ActualIndex): boolean => /_[0-9a-f]{8}(?:_key|_idx)?$/.test(name);

const keyOf = ({ columns, unique }: Pick<WantedIndex, 'columns' | 'unique'>): string => `${columns.join()} ${unique}`;
