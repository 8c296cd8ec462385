import { fwError } from '../../../kernel/index.js';
import {
  identifier,
  isIdentifier,
  LONGEST_INDEX_NAME,
  type Dialect,
  type IndexDefinition,
  type ModelIndex,
  type ModelInfo,
} from '../core/index.js';
import { MIGRATION_ERRORS } from '../migrations/errors.js';
import { namesColumn, sameSql } from './constraints.js';
import { cutName, digest, namedBy, type TakenNames } from './names.js';
import type { ActualForeignKey, ActualIndex, ActualTable } from './introspect.js';

/** An index that a model asks for. */
export interface WantedIndex {
  readonly name: string;
  /** Whether the model gives the name; generated names are not compared. */
  readonly named: boolean;
  readonly unique: boolean;
  readonly columns: readonly string[];
  /** The parts of the index beside its columns. The name then ends in a digest, because databases return SQL in their own spelling. */
  readonly more?: MoreOfIndex | undefined;
}

/** The parts of an index beside its columns. */
interface MoreOfIndex extends Pick<ModelIndex, 'where' | 'using' | 'expressions' | 'nullsNotDistinct'> {
  readonly include: readonly string[];
  /** The name that the model gives. */
  readonly key: string | undefined;
}

/** Changes to the indexes of a table. An index with another name, other columns or other uniqueness is dropped and created. */
export interface IndexChanges {
  readonly drop: readonly ActualIndex[];
  readonly create: readonly WantedIndex[];
  readonly kept: readonly ActualIndex[];
  /** Indexes of `kept` that no model asks for. */
  readonly unknown: readonly ActualIndex[];
}

/** Indexes of a model: from the tags `unique` and `index`, then from `@table`. */
export function wantedIndexes(model: ModelInfo): readonly WantedIndex[] {
  const byTag: readonly ModelIndex[] = model.columns.flatMap((column) => {
    const { unique = false, index = false } = column.definition;
    const bare = { expressions: [], where: undefined, using: undefined, include: [], nullsNotDistinct: false, name: undefined }; // prettier-ignore
    return unique || index ? [{ columns: [column], unique, ...bare }] : [];
  });
  const wanted = new Map<string, WantedIndex>();
  for (const given of [...byTag, ...model.indexes]) {
    const index = wantedIndex(model.table, given);
    wanted.set(index.more === undefined ? keyOf(index) : index.name, index);
  }
  return [...wanted.values()];
}

function wantedIndex(table: string, index: ModelIndex): WantedIndex {
  const { columns, unique, name, expressions, where, using, nullsNotDistinct } = index;
  const own = columns.map((column) => column.name);
  const include = index.include.map((column) => column.name);
  const named = name !== undefined;
  const beside = include.length > 0 || nullsNotDistinct ? [include, nullsNotDistinct] : [];
  if (expressions.length === 0 && where === undefined && using === undefined && beside.length === 0)
    return { name: name ?? indexName(table, own, unique), named, unique, columns: own };
  const what = digest(JSON.stringify([own, expressions, where, using, unique, ...beside]), 8);
  const words = expressions.map((sql) => sql.match(/\w+/g)?.join('_') ?? 'sql');
  const usual = () => indexName(table, [...own, ...words], unique, what);
  const full = named ? identifier(`${cutName(name, LONGEST_INDEX_NAME - what.length - 1)}_${what}`) : usual();
  return {
    name: full,
    named: true,
    unique,
    columns: own,
    more: { expressions, where, using, include, nullsNotDistinct, key: name },
  };
}

/**
 * Gives new indexes unused names: columns a and b result in the same name as a column a_b, and an index keeps the former name of a renamed
 * column. Names from the model stay.
 */
export function freelyNamed(indexes: readonly WantedIndex[], taken: TakenNames): readonly WantedIndex[] {
  for (const { name } of indexes.filter(({ named }) => named)) taken.take(name);
  return indexes.map((index) => (index.named ? index : { ...index, name: taken.take(index.name) }));
}

/**
 * Name of an index without a name in the model: `users_tenant_id_email_key`, or `_idx` when it is not unique.
 *
 * @param what - digest of the parts beside the columns
 */
export function indexName(table: string, columns: readonly string[], unique: boolean, what?: string): string {
  const ending = `${what === undefined ? '' : `_${what}`}${unique ? '_key' : '_idx'}`;
  return identifier(`${cutName(namedBy(table, columns), LONGEST_INDEX_NAME - ending.length)}${ending}`);
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
  const { expressions = [], where, using, include = [], nullsNotDistinct = false } = more ?? {};
  if (where !== undefined && !schema.partialIndexes) throw unsupported(name, 'index of some rows (WHERE)', dialect);
  if (using !== undefined && !schema.indexMethods) throw unsupported(name, 'method of an index (USING)', dialect);
  if (include.length > 0 && !schema.indexIncludes)
    throw unsupported(name, 'index with further columns (INCLUDE)', dialect);
  if (nullsNotDistinct && !schema.nullsNotDistinct) throw unsupported(name, 'unique index with one null (NULLS NOT DISTINCT)', dialect); // prettier-ignore
  const parts = [...columns.map((column) => compiler.quote(column)), ...expressions];
  return written(table, { name, unique, how }, { parts, where, using, include, nullsNotDistinct }, dialect);
}

const unsupported = (index: string, what: string, { name }: Dialect) =>
  fwError(MIGRATION_ERRORS.FW_MIGRATE_UNSUPPORTED, { dialect: name, what: `${what}, as ${index} is one` });

function written(
  table: string,
  { name, unique, how = '' }: { readonly name: string; readonly unique: boolean; readonly how?: string },
  { parts, where, using, include = [], nullsNotDistinct = false }: IndexDefinition,
  { compiler }: Dialect,
): string {
  const further = include.length > 0 ? ` INCLUDE (${include.map((column) => compiler.quote(column)).join(', ')})` : '';
  const nulls = nullsNotDistinct ? ' NULLS NOT DISTINCT' : '';
  const method = using === undefined ? '' : ` USING ${using}`;
  const condition = where === undefined ? '' : ` WHERE ${where}`;
  // On the line of an SQL comment the comma and the parenthesis would belong to the comment.
  const list = parts.map((part) => (part.includes('--') ? `${part}\n` : part)).join(', ');
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX${how} ${compiler.quote(name)} ON ${compiler.quote(table)}${method} (${list})${further}${nulls}${condition}`;
}

/** Statement that drops an index, or the constraint that it is part of. */
export function dropIndex(table: string, { name, constraint }: ActualIndex, { compiler, schema }: Dialect): string {
  const drop = constraint ? schema.dropConstraint : schema.dropIndex;
  return drop(compiler.quote(table), compiler.quote(name));
}

/** Statement that restores what {@link dropIndex} drops. */
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
 * @param gone - columns that are about to be dropped
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
    (index) => gone.some((name) => covers(index, name)) || isInTheWay(index, { indexes, foreignKeys }, wanted),
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

/** Whether an index uses a column in its parts or its condition. */
export const covers = ({ columns, plain, written: said }: ActualIndex, name: string): boolean =>
  columns.includes(name) ||
  said?.include?.includes(name) === true ||
  (!plain && said !== undefined && [...said.parts, said.where ?? ''].some((sql) => namesColumn(sql, name)));

function isInTheWay(
  index: ActualIndex,
  { indexes: all, foreignKeys }: Pick<ActualTable, 'indexes' | 'foreignKeys'>,
  wanted: readonly WantedIndex[],
): boolean {
  if (index.unfinished) return isOurs(index) || wanted.some(({ name }) => name === index.name);
  if (!index.plain)
    return !wanted.some((want) => satisfies(index, want)) && (isDigested(index) || wanted.some(isNamedLike(index)));
  const alike = wanted.find((want) => keyOf(want) === keyOf(index));
  if (alike) return !hasName(index, alike) && !all.some((other) => satisfies(other, alike));
  const isAsked = wanted.some(({ name }) => name === index.name) || wanted.some(isNamedLike(index));
  return isAsked || (isOurs(index) && !isOfForeignKey(index, foreignKeys));
}

// A different index with this name is the former state of the model's index.
const isNamedLike =
  ({ name }: ActualIndex) =>
  ({ more }: WantedIndex): boolean =>
    more?.key === name;

function satisfies(index: ActualIndex, want: WantedIndex): boolean {
  if (index.unfinished) return false;
  if (want.more) return index.name === want.name || isWrittenAlike(index, want, want.more);
  // A person who gave the name of our index to another one, such as a GIN index, meant it as the replacement.
  if (!index.plain) return index.name === want.name;
  return want.columns.join() === index.columns.join() && (index.unique || !want.unique) && hasName(index, want);
}

// Compares with the declaration that `fw db pull` writes.
function isWrittenAlike({ name, unique, written: said }: ActualIndex, want: WantedIndex, more: MoreOfIndex): boolean {
  if (said === undefined || unique !== want.unique || (more.key !== undefined && name !== more.key)) return false;
  // Behind an expression a column stands in quotes in the declaration as well.
  const parts = [...want.columns, ...more.expressions].map(unquoted);
  return (
    said.parts.length === parts.length &&
    said.parts.every((sql, at) => sameSql(unquoted(sql), parts[at])) &&
    sameSql(said.where, more.where) &&
    said.using === more.using &&
    (said.include ?? []).join() === more.include.join() &&
    (said.nullsNotDistinct ?? false) === more.nullsNotDistinct
  );
}

/** A name in quotes, and nothing else. */
export const QUOTED = /^["`[](\w+)["`\]]$/;

const unquoted = (sql: string): string => sql.replace(QUOTED, '$1');

const hasName = (index: ActualIndex, { named, name }: WantedIndex): boolean =>
  !named || index.name === name || index.nameless === true;

/**
 * Whether the database made an index for a foreign key, under the name of the key, and makes it again when it is dropped
 * (https://dev.mysql.com/doc/refman/8.0/en/create-table-foreign-keys.html).
 */
export const isOfForeignKey = (
  { name, columns }: Pick<ActualIndex, 'name' | 'columns'>,
  foreignKeys: readonly Pick<ActualForeignKey, 'name' | 'columns'>[],
): boolean => foreignKeys.some((key) => key.name === name && key.columns.join() === columns.join());

// Whether migrations made an index, judged by its name.
const isOurs = (index: ActualIndex): boolean =>
  (/_(key|idx)$/.test(index.name) && isIdentifier(index.name)) || index.nameless === true;

const DIGEST = /_[0-9a-f]{8}(?=(?:_key|_idx)?$)/;

// Whether the name of an index ends in a digest.
const isDigested = ({ name }: ActualIndex): boolean => DIGEST.test(name);

/** The name of an index as it is whatever its parts beside the columns say. */
export const withoutDigest = (name: string): string => name.replace(DIGEST, '');

const keyOf = ({ columns, unique }: Pick<WantedIndex, 'columns' | 'unique'>): string => `${columns.join()} ${unique}`;
