import type { ColumnInfo, Dialect } from '../core/index.js';
import { isRetyped, type ColumnChange } from './column-states.js';
import type { Comparison } from './compare-table.js';

/** What a person should look at before a table is changed. */
export function warningsOf(found: Comparison, dialect: Dialect): readonly string[] {
  const { model, constraints, key, misnumbered } = found;
  return [
    ...misnumbered.map(misnumberedWarning),
    ...(key === undefined ? [] : [key.warning]),
    ...found.changed.flatMap((change) => changeWarnings(change, dialect)),
    ...constraints.dropKeys.map(
      ({ columns, table }) => `${model.table} (${columns.join(', ')}) no longer refers to ${table} as it did`,
    ),
    ...constraints.dropChecks.map(({ name, sql }) => `the check ${name || `(${sql})`} of ${model.table} is dropped`),
    ...indexWarnings(found),
    ...found.dropped.map(
      ({ name }) => `${model.table}.${name} is dropped with its values; the model has no such column`,
    ),
  ];
}

/** What a new column may run into. */
export function newColumnWarnings({ model, name, nullable, autoincrement, definition }: ColumnInfo): readonly string[] {
  if (nullable || autoincrement || definition.default !== undefined) return [];
  return [`${model.table}.${name} is new, not null and without a default: this fails when the table has rows`];
}

function misnumberedWarning({ model, name, autoincrement }: ColumnInfo): string {
  const differs = autoincrement
    ? 'is not numbered by the database, as the model wants it'
    : 'is numbered by the database, but not in the model';
  return `${model.table}.${name} ${differs}; this database cannot change that: write by hand how to build the column or the table anew`;
}

function changeWarnings({ column, from, to }: ColumnChange, { schema }: Dialect): readonly string[] {
  if (!isRetyped({ from, to })) return [];
  const isResorted = from.collation !== to.collation;
  const [present, wanted] = [from, to].map(
    ({ type, nullable, collation }) =>
      `${type}${isResorted && collation !== undefined ? ` collate ${collation}` : ''}${nullable ? '' : ' not null'}`,
  );
  const change = schema.changeOfValues?.(from.type, to.type) ?? 'check that its values fit';
  return [`${column.model.table}.${column.name} changes from ${present} to ${wanted}; ${change}`];
}

function indexWarnings({ model, indexes }: Comparison): readonly string[] {
  const { drop, create, unknown } = indexes;
  const { table, columns } = model;
  const lost = drop.flatMap((index) => {
    const shown = `the ${index.unique ? 'unique ' : ''}index ${index.name} of ${table} (${index.columns.join(', ')})`;
    const isCut = index.columns.some((name) => !columns.some((column) => column.name === name));
    if (isCut) return index.columns.length > 1 || !index.plain ? [`${shown} is dropped; a column of it is gone`] : [];
    const returns = create.some((each) => each.unique && each.columns.join() === index.columns.join());
    return index.unique && !returns ? [`${shown} is dropped; rows may have the same values then`] : [];
  });
  const strange = unknown.map(
    ({ name, columns: held }) =>
      `the index ${name} of ${table} (${held.join(', ')}) is not in ${model.name}; it stays as it is`,
  );
  return [...lost, ...strange];
}
