import { fwError } from '../../../kernel/index.js';
import type { ColumnInfo, Dialect, KeptDefinition, ModelInfo, TableReplacement } from '../core/index.js';
import { MIGRATION_ERRORS } from '../migrations/errors.js';
import { foreignKeyClause, foreignKeyName, namesColumn } from './constraints.js';
import { bareTable, columnLine, defaultOf } from './create-table.js';
import { wantedState } from './column-states.js';
import { createIndex, type IndexChanges } from './indexes.js';
import type { ActualColumn, ActualForeignKey, ActualTable } from './introspect.js';

/** Statements that rebuild a table, and undo the rebuild. */
interface Rebuild {
  readonly up: readonly string[];
  readonly down: readonly string[];
  readonly warnings: readonly string[];
}

/** The inputs of a rebuild. */
export interface RebuildInput {
  readonly model: ModelInfo;
  readonly table: ActualTable;
  readonly pairs: ColumnPairs;
  /** Foreign keys that the model says nothing about. */
  readonly keptKeys: readonly ActualForeignKey[];
  readonly indexes: IndexChanges;
  /** Descriptions of the parts that no model can declare. */
  readonly aside: readonly string[];
}

/** The existing column of each column of the model. */
export type ColumnPairs = ReadonlyMap<ColumnInfo, ActualColumn>;

/**
 * Rebuilds a table: creates a new one, copies the rows and takes the old name; for databases that cannot change a table
 * (https://sqlite.org/lang_altertable.html#otheralter). Foreign keys must be off meanwhile, because dropping the old table would affect the
 * rows that refer to it.
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
  // Computed columns are not copied.
  const continued = [...pairs].filter(([, { computed }]) => !computed);
  const forth = continued
    .filter(([{ definition }]) => definition.expression === undefined)
    .map(([column, actual]) => [quote(column.name), forward(column, actual, dialect)] as const);
  const renames = [...pairs].filter(([column, { name }]) => column.name !== name);
  const back = table.columns
    .filter(({ computed }) => !computed)
    .flatMap((actual) => backward(actual, continued, quote));
  const indexes = indexesAfter(input, dialect);
  const { replacement } = dialect.schema;
  const triggers = triggersAfter(input, renames, replacement);
  const counter = replacement?.countOn?.({ name: table.name, definition: own }, { name: fresh, definition: created });
  const names = { own: quote(table.name), fresh: quote(fresh), counter: counter ?? [], replacement };
  return {
    // What other tables, triggers and views say of the columns follows a rename, and not the table that is built anew.
    up: [
      ...renames.map(([column, { name }]) => renameColumn(names.own, quote(name), quote(column.name))),
      created,
      ...moved(names, forth),
      ...indexes.sql,
      ...triggers.sql,
    ],
    down: [
      ...renames.map(([column, { name }]) => renameColumn(names.own, quote(column.name), quote(name))),
      own.replace(/^(\s*CREATE\s+TABLE\s+)(?:"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|\w+)/i, `$1${quote(fresh)}`),
      ...moved(names, back),
      ...table.definitions.filter(({ kind }) => kind !== 'table').map(({ sql }) => sql),
    ],
    warnings: [
      ...indexes.lost.map((name) => `the index ${name} is dropped; a column of it is gone or has another name`),
      ...triggers.warnings,
    ],
  };
}

const renameColumn = (own: string, from: string, to: string): string =>
  `ALTER TABLE ${own} RENAME COLUMN ${from} TO ${to}`;

type Renames = readonly (readonly [ColumnInfo, ActualColumn])[];

// The triggers of the table go with the former one, and are made again in their own words.
function triggersAfter(
  { table, pairs }: RebuildInput,
  renames: Renames,
  replacement: TableReplacement | undefined,
): { readonly sql: readonly string[]; readonly warnings: readonly string[] } {
  const names = new Map(renames.map(([column, { name }]) => [name, column.name]));
  const continued = [...pairs.values()].map(({ name }) => name);
  const gone = table.columns.map(({ name }) => name).filter((name) => names.has(name) || !continued.includes(name));
  const made = table.definitions
    .filter(({ kind }) => kind === 'trigger')
    .map(({ name, sql }) => ({ name, sql: replacement?.renamedTrigger?.(sql, names) ?? sql }));
  const warnings = made.flatMap(({ name, sql }) => {
    const words = sql.replace(/'(?:[^']|'')*'/g, '');
    const named = gone.filter((column) => namesColumn(words, column)).join(', ');
    if (named === '') return [];
    return [`the trigger ${name} of ${table.name} names ${named}, which is no column any more: where it means one of this table, writes fail from then on; make it anew in the migration`]; // prettier-ignore
  });
  return { sql: made.map(({ sql }) => sql), warnings };
}

// Keeps what the model does not declare: the spelling of the type, the collation, the expression of a generated column.
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
  /** Quoted, like the next one. */
  readonly own: string;
  readonly fresh: string;
  /** Statements that copy the counter of generated keys. */
  readonly counter: readonly string[];
  readonly replacement: TableReplacement | undefined;
}

function moved({ own, fresh, counter, replacement }: Names, copies: Copies): readonly string[] {
  const [into, values] = [0, 1].map((at) => copies.map((copy) => copy[at]).join(', '));
  return [
    ...(copies.length === 0 ? [] : [`INSERT INTO ${fresh} (${into}) SELECT ${values} FROM ${own}`]),
    ...counter,
    `DROP TABLE ${own}`,
    ...(replacement?.rename(fresh, own) ?? [`ALTER TABLE ${fresh} RENAME TO ${own}`]),
  ];
}

// A column that becomes not null gets its default in place of null.
function forward(column: ColumnInfo, actual: ActualColumn, dialect: Dialect): string {
  const name = dialect.compiler.quote(column.name);
  const fallback = defaultOf(column, dialect);
  return actual.nullable && !column.nullable && fallback !== null ? `coalesce(${name}, ${fallback})` : name;
}

// Dropped values cannot be restored; a not-null column gets the empty value of its type.
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
  const filled = column.nullable && !actual.nullable && actual.default !== null;
  return [[own, filled ? `coalesce(${own}, ${actual.default})` : own]];
}

// These constraints have no statements of their own.
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
