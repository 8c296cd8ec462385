import { nameText } from '../core/index.js';
import { namesColumn } from './constraints.js';
import type { ActualProgram, ActualTable } from './introspect.js';
import { bareName } from './names.js';

/** A column whose name is gone behind a change. */
export interface NamelessColumn {
  readonly table: string;
  readonly column: string;
  /** Whether the column is there under another name. */
  readonly renamed: boolean;
  /** Whether its table is built anew, and its triggers with it. */
  readonly rebuilt: boolean;
}

/**
 * Warnings about triggers and functions whose text names a column whose name is gone. Databases look at most of them only when they run.
 * Whether a name in such a text means this column, only a person can tell: a trigger counts that is of the table, and what names both.
 */
export function programWarnings(tables: readonly ActualTable[], gone: readonly NamelessColumn[]): readonly string[] {
  if (gone.length === 0) return [];
  const programs = new Set(tables.flatMap((each) => each.programs ?? []));
  const named = new Map<string, Set<string>>();
  for (const program of programs)
    for (const each of gone) {
      if (!isNamed(program, each)) continue;
      const columns = named.get(called(program)) ?? new Set();
      named.set(called(program), columns.add(`${each.table}.${each.column}`));
    }
  return [...named].map(
    ([what, columns]) =>
      `${what} names ${[...columns].join(', ')}, whose name is gone then: where it means this column, it fails from then on, or the database refuses the change; make it anew in the migration`,
  );
}

const called = ({ kind, name, table }: ActualProgram): string =>
  `the ${kind} ${name}${table === undefined ? '' : ` of ${table}`}`;

function isNamed({ table: own, sql, follows }: ActualProgram, { table, column, renamed, rebuilt }: NamelessColumn) {
  if (renamed && follows) return false;
  const isOwn = own !== undefined && nameText(own) === bareName(table);
  // Triggers of a table that is built anew are looked at there.
  if (isOwn && rebuilt) return false;
  return namesColumn(sql, column) && (isOwn || namesColumn(sql, bareName(table)));
}
