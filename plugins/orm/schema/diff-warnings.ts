import type { ColumnInfo, Dialect, EnumValue, UncheckedConstraint } from '../core/index.js';
import { isRetyped, sameType, type ColumnChange } from './column-states.js';
import type { Comparison } from './compare-table.js';
import { keepsTables } from './create-table.js';
import { withoutDigest, type WantedIndex } from './indexes.js';
import type { ActualColumn, ActualIndex } from './introspect.js';
import type { EnumChange } from './native-enums.js';
import { rowsRefused, rowsWith } from './value-checks.js';
import { readValueCondition } from './value-conditions.js';

/** Warnings for a person to read before a table is changed. */
export function warningsOf(found: Comparison, dialect: Dialect): readonly string[] {
  const { model, constraints, key, misnumbered } = found;
  return [
    ...misnumbered.map(misnumberedWarning),
    ...(key === undefined ? [] : [key.warning]),
    ...found.changed.flatMap((change) => changeWarnings(change, dialect)),
    ...constraints.dropKeys.map(
      ({ columns, table }) => `${model.table} (${columns.join(', ')}) no longer refers to ${table} as it did`,
    ),
    ...droppedChecks(found, dialect),
    ...valueWarnings(found, dialect),
    ...found.enums.flatMap((change) => enumWarnings(change, dialect)),
    ...indexWarnings(found),
    ...computedWarnings(found),
    ...found.dropped.map((column) => droppedColumn(column, found, dialect)),
  ];
}

/** Warnings about a new column. */
export function newColumnWarnings(column: ColumnInfo, { schema }: Dialect): readonly string[] {
  const { model, name, property, nullable, autoincrement, definition } = column;
  if (nullable || autoincrement || definition.default !== undefined || definition.expression !== undefined) return [];
  const { newColumnHolds = 'this fails when the table has rows' } = schema;
  return [
    `${model.table}.${name} is new, not null and without a default: ${newColumnHolds}; where rows may lack it, declare ${property}: ... | null in ${model.name}; else do so first, fill it and then take null away, as docs/guides/migrations.md shows under "How to move data"`,
  ];
}

function computedWarnings({ model, recomputed, pairs }: Comparison): readonly string[] {
  const lost = [...recomputed].filter(([, { computed }]) => !computed);
  const unsaid = [...pairs].filter(([{ generated }, { computed }]) => computed && !generated);
  return [
    ...lost.map(
      ([{ name }]) => `the values of ${model.table}.${name} are dropped: the database computes it from now on`,
    ),
    ...unsaid.map(
      ([{ name }]) =>
        `${model.table}.${name} is computed by the database, which refuses what ${model.name} writes to it: say generated in its tag, or write by hand how it becomes a column of its own`,
    ),
  ];
}

// A dropped column and a new one of the same type may be a rename.
function droppedColumn({ name, type }: ActualColumn, { model, added }: Comparison, dialect: Dialect): string {
  const { table } = model;
  const dropped = `${table}.${name} is dropped with its values; the model has no such column`;
  const alike = added.filter((column) => sameType(column, { type }, dialect)).map((column) => column.name);
  if (alike.length === 0) return dropped;
  const ways = alike.map((fresh) => `--rename ${table}.${name}=${fresh}`).join(' or ');
  return `${dropped}; where ${alike.join(' or ')} is it under another name, write this with ${ways}, or say rename=${name} in its tag`;
}

function misnumberedWarning({ model, name, autoincrement }: ColumnInfo): string {
  const differs = autoincrement
    ? 'is not numbered by the database, as the model wants it'
    : 'is numbered by the database, but not in the model';
  return `${model.table}.${name} ${differs}; this database cannot change that: write by hand how to build the column or the table anew`;
}

// Needs no warning: a check that another replaces, or whose column has an enum type now.
function droppedChecks({ model, constraints, changed }: Comparison, { schema }: Dialect): readonly string[] {
  const replaced = new Set([
    ...constraints.valueChecks.added.map(({ column }) => column.name),
    ...changed.filter(({ to }) => to.isEnum).map(({ column }) => column.name),
  ]);
  return constraints.dropChecks
    .filter(({ sql }) => !replaced.has(readValueCondition(sql, schema.introspection)?.column ?? ''))
    .map(({ name, sql }) => `the check ${name || `(${sql})`} of ${model.table} is dropped`);
}

function valueWarnings({ model, valueChecks: { added, unasked } }: Comparison, dialect: Dialect): readonly string[] {
  const names = unasked.map(({ column }) => `${model.table}.${column.name}`);
  const looks = unchecked(dialect)?.unfit ?? 'this fails';
  return [
    ...added.flatMap(({ column, removed }) => {
      if (removed.length === 0) return [];
      const fails = keepsTables(dialect) || isLookedAt(dialect) ? `; ${looks} then` : ' and keep it';
      return [`${removedValues(column, removed)} rows may hold it${fails}: ${rowsWith(column, removed, dialect)}`];
    }),
    ...added
      .filter(({ replaces }) => !replaces && (keepsTables(dialect) || isLookedAt(dialect)))
      .map(
        (check) =>
          `${model.table}.${check.column.name} is held to its values from now on; where rows have others, ${looks}: ${rowsRefused(check, dialect)}`,
      ),
    ...(unasked.length === 0
      ? []
      : [
          `nothing holds ${names.join(', ')} to the values of the model: this database takes a check only with a table that is built anew; enum=check in the tag asks for that, enum=none says that there is no check`,
        ]),
  ];
}

const removedValues = ({ model, name }: ColumnInfo, removed: readonly EnumValue[]): string =>
  `${model.table}.${name} no longer takes ${removed.map((value) => JSON.stringify(value)).join(', ')};`;

// Without a later statement that validates the rows, the statement that adds a check may do it.
const isLookedAt = (dialect: Dialect): boolean => unchecked(dialect)?.validate === undefined;

const unchecked = ({ schema }: Dialect): UncheckedConstraint | undefined => schema.addUnchecked?.('', '', '');

function enumWarnings({ column, removed }: EnumChange, dialect: Dialect): readonly string[] {
  if (removed.length === 0) return [];
  const rows = rowsWith(column, removed, dialect);
  return [`${removedValues(column, removed)} rows may hold it; this fails then: ${rows}`];
}

function changeWarnings({ column, from, to: after }: ColumnChange, { schema }: Dialect): readonly string[] {
  // Another warning covers the values of the enum.
  const to = from.isEnum && after.isEnum ? { ...after, type: from.type } : after;
  if (!isRetyped({ from, to })) return [];
  const isResorted = from.collation !== to.collation;
  const [present, wanted] = [from, to].map(
    ({ type, nullable, collation }) =>
      `${type}${isResorted && collation !== undefined ? ` collate ${collation}` : ''}${nullable ? '' : ' not null'}`,
  );
  const change = schema.changeOfValues?.(from.type, to.type) ?? 'check that its values fit';
  return [`${column.model.table}.${column.name} changes from ${present} to ${wanted}; ${change}`];
}

// Whether an index replaces another: same columns, or the same name up to the digest of what else it says.
const isHeir = ({ name, columns, more }: WantedIndex, index: ActualIndex): boolean =>
  (columns.length > 0 && columns.join() === index.columns.join()) ||
  withoutDigest(name) === withoutDigest(index.name) ||
  more?.key === index.name;

function indexWarnings({ model, indexes }: Comparison): readonly string[] {
  const { drop, create, kept, unknown } = indexes;
  const { table, columns } = model;
  const lost = drop.flatMap((index) => {
    const parts = (index.plain ? undefined : index.written?.parts) ?? index.columns;
    const shown = `the ${index.unique ? 'unique ' : ''}index ${index.name} of ${table} (${parts.join(', ')})`;
    if (index.unfinished) return [];
    const isCut = index.columns.some((name) => !columns.some((column) => column.name === name));
    if (isCut) return index.columns.length > 1 || !index.plain ? [`${shown} is dropped; a column of it is gone`] : [];
    const heirs = create.filter((each) => isHeir(each, index));
    if (index.unique && !heirs.some(({ unique }) => unique))
      return [`${shown} is dropped; rows may have the same values then`];
    // Migrations give such names, but databases and people do so, too.
    return heirs.length > 0
      ? []
      : [`${shown} is dropped, which no model asks for; where somebody made it on purpose, declare it`];
  });
  const strange = unknown.map(
    ({ name, columns: held }) =>
      `the index ${name} of ${table} (${held.join(', ')}) is not in ${model.name}; it stays as it is`,
  );
  const unfinished = kept
    .filter((index) => index.unfinished)
    .map(
      ({ name }) =>
        `the index ${name} of ${table} was never finished, as by CREATE INDEX CONCURRENTLY that failed: no query uses it, and every write still updates it; drop it`,
    );
  return [...lost, ...strange, ...unfinished];
}
