import { fwError } from '../../../kernel/index.js';
import type { ColumnInfo, Dialect, KeptDefinition, ModelInfo } from '../core/index.js';
import { MIGRATION_ERRORS } from '../migrations/errors.js';
import { foreignKeyClause, foreignKeyName, namesColumn } from './constraints.js';
import { bareTable, columnLine, defaultOf } from './create-table.js';
import { wantedState } from './column-states.js';
import { createIndex, type IndexChanges } from './indexes.js';
import type { ActualColumn, ActualForeignKey, ActualTable } from './introspect.js';

/** A table that is built anew, and back. */
export interface Rebuild {
  readonly up: readonly string[];
  readonly down: readonly string[];
  readonly warnings: readonly string[];
}

/** What is built anew. */
export interface RebuildInput {
  readonly model: ModelInfo;
  readonly table: ActualTable;
  readonly pairs: ColumnPairs;
  /** Foreign keys that the model says nothing about. */
  readonly keptKeys: readonly ActualForeignKey[];
  readonly indexes: IndexChanges;
  /** What no model can declare, in words. */
  readonly aside: readonly string[];
}

/** Which column of the table a column of the model continues. */
export type ColumnPairs = ReadonlyMap<ColumnInfo, ActualColumn>;

/**
 * Builds a table anew beside the old one, with its rows, and takes its name: the way of databases that cannot change a table
 * (https://sqlite.org/lang_altertable.html#otheralter). Foreign keys must be off meanwhile, or dropping the old table would
 * reach the rows that refer to it.
 *
 * @throws FwError `FW_MIGRATE_REBUILD` when the definition has parts that the new table would not have
 */
export function rebuildTable(input: RebuildInput, dialect: Dialect): Rebuild {
  const { model, table, pairs } = input;
  const own = definitionOf(table);
  const quote = (name: string) => dialect.compiler.quote(name);
  const fresh = `fw_new_${table.name}`;
  const keep = dialect.schema.introspection.keptIn?.(own);
  const gone = [...(keep?.lost ?? []), ...input.aside];
  if (gone.length > 0) throw fwError(MIGRATION_ERRORS.FW_MIGRATE_REBUILD, { table: table.name, lost: gone.join(', ') });
  const created = bareTable(model, dialect, fresh, {
    further: keptConstraints(input, dialect),
    lineOf: (column) => lineOf(column, pairs.get(column), keep, dialect),
    options: keep?.options ? ` ${keep.options}` : '',
  });
  // What is computed is not copied.
  const continued = [...pairs].filter(([, { computed }]) => !computed);
  const forth = continued
    .filter(([{ definition }]) => definition.expression === undefined)
    .map(([column, actual]) => [quote(column.name), forward(column, actual, dialect)] as const);
  const back = table.columns
    .filter(({ computed }) => !computed)
    .flatMap((actual) => backward(actual, continued, quote));
  const indexes = indexesAfter(input, dialect);
  const triggers = table.definitions.filter(({ kind }) => kind === 'trigger');
  const countsOn = [created, own].every((sql) => /\bautoincrement\b/i.test(sql));
  const names = { own: table.name, fresh, quote, countsOn };
  return {
    up: [created, ...moved(names, forth), ...indexes.sql, ...triggers.map(({ sql }) => sql)],
    down: [
      own.replace(/^(\s*CREATE\s+TABLE\s+)(?:"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|\w+)/i, `$1${quote(fresh)}`),
      ...moved(names, back),
      ...table.definitions.filter(({ kind }) => kind !== 'table').map(({ sql }) => sql),
    ],
    warnings: indexes.lost.map((name) => `the index ${name} is dropped; a column of it is gone or has another name`),
  };
}

// What no model says stays: the type in its own words, the collation, the expression of a generated column.
function lineOf(
  column: ColumnInfo,
  actual: ActualColumn | undefined,
  keep: KeptDefinition | undefined,
  dialect: Dialect,
): string {
  if (actual === undefined) return columnLine(column, dialect);
  const { computed } = keep?.columns.get(actual.name) ?? {};
  const { type, collation } = wantedState(column, actual, dialect);
  const collated = collation === undefined ? '' : ` COLLATE ${collation}`;
  const empty = actual.nullable ? '' : ' NOT NULL';
  return computed === undefined || column.definition.expression !== undefined
    ? `${columnLine(column, dialect, type)}${collated}`
    : `${dialect.compiler.quote(column.name)} ${actual.type}${empty}${collated} ${computed}`;
}

const definitionOf = ({ definitions }: ActualTable): string =>
  definitions.find(({ kind }) => kind === 'table')?.sql ?? '';

type Copies = readonly (readonly [column: string, value: string])[];

interface Names {
  readonly own: string;
  readonly fresh: string;
  readonly quote: (name: string) => string;
  /** Whether the old table and the new one count keys that never come back. */
  readonly countsOn: boolean;
}

function moved({ own, fresh, quote, countsOn }: Names, copies: Copies): readonly string[] {
  const [into, values] = [0, 1].map((at) => copies.map((copy) => copy[at]).join(', '));
  return [
    ...(copies.length === 0 ? [] : [`INSERT INTO ${quote(fresh)} (${into}) SELECT ${values} FROM ${quote(own)}`]),
    // The highest key that was ever given, even if its row is gone (https://sqlite.org/autoinc.html).
    ...(countsOn
      ? [
          `DELETE FROM sqlite_sequence WHERE name = '${fresh}'`,
          `UPDATE sqlite_sequence SET name = '${fresh}' WHERE name = '${own}'`,
        ]
      : []),
    `DROP TABLE ${quote(own)}`,
    // Else the foreign keys, views and triggers of other tables would follow the old table's name.
    'PRAGMA legacy_alter_table = ON',
    `ALTER TABLE ${quote(fresh)} RENAME TO ${quote(own)}`,
    'PRAGMA legacy_alter_table = OFF',
  ];
}

// A column that takes no null any more takes its default instead.
function forward(column: ColumnInfo, actual: ActualColumn, dialect: Dialect): string {
  const name = dialect.compiler.quote(actual.name);
  const fallback = defaultOf(column, dialect);
  return actual.nullable && !column.nullable && fallback !== null ? `coalesce(${name}, ${fallback})` : name;
}

// Values that are gone do not come back; where the column takes no null, the empty value of its type stands in.
function backward(
  actual: ActualColumn,
  pairs: readonly (readonly [ColumnInfo, ActualColumn])[],
  quote: (name: string) => string,
): Copies {
  const column = pairs.find(([, each]) => each === actual)?.[0];
  const own = quote(actual.name);
  if (column === undefined) {
    if (actual.nullable || actual.default !== null || actual.autoincrement) return [];
    return [[own, /int|real|floa|doub|num|dec|bool/i.test(actual.type) ? '0' : "''"]];
  }
  const present = quote(column.name);
  const filled = column.nullable && !actual.nullable && actual.default !== null;
  return [[own, filled ? `coalesce(${present}, ${actual.default})` : present]];
}

// No statement of their own makes them.
function keptConstraints({ table, keptKeys, indexes }: RebuildInput, dialect: Dialect): readonly string[] {
  const uniques = indexes.kept.filter(({ constraint }) => constraint);
  return [
    ...uniques.map(({ columns }) => `UNIQUE (${columns.map((column) => dialect.compiler.quote(column)).join(', ')})`),
    ...keptKeys.map((key) => foreignKeyClause({ ...key, name: foreignKeyName(table.name, key.columns) }, dialect)),
  ];
}

function indexesAfter({ model, table, pairs, indexes: { kept, create } }: RebuildInput, dialect: Dialect) {
  const continued = new Set(
    [...pairs].filter(([column, { name }]) => column.name === name).map(([, { name }]) => name),
  );
  const changed = table.columns.filter(({ name }) => !continued.has(name));
  const sql: string[] = [];
  const lost: string[] = [];
  for (const index of kept.filter(({ constraint }) => !constraint)) {
    const own = table.definitions.find(({ kind, name }) => kind === 'index' && name === index.name)?.sql ?? '';
    const isTouched = changed.some(({ name }) => namesColumn(own, name));
    if (!isTouched) sql.push(own);
    else if (index.plain) sql.push(createIndex(model.table, index, dialect));
    else lost.push(index.name);
  }
  sql.push(...create.map((index) => createIndex(model.table, index, dialect)));
  return { sql, lost };
}
