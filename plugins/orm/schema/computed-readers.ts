import type { Dialect } from '../core/index.js';
import { hasOtherType, isRetyped, stateOf, type ColumnChange } from './column-states.js';
import type { Comparison } from './compare-table.js';
import { computationOf } from './computed-columns.js';
import { namesColumn } from './constraints.js';
import { columnLine } from './create-table.js';
import { holdersOf, type Holders } from './held-columns.js';
import type { ActualTable } from './introspect.js';

/** A computed column as it is while the columns of its table change. */
interface ComputedColumn {
  readonly name: string;
  readonly expression: string;
  /** As ADD COLUMN writes it. */
  readonly line: string;
}

/**
 * What keeps columns from being changed because it is computed from them: such columns are dropped, and added again behind the change,
 * which computes their values anew. Empty if the database changes a column whatever reads it.
 *
 * @param held - the table, in the state in which the change finds it
 */
export function readersOf(
  changed: readonly ColumnChange[],
  found: Comparison,
  held: ActualTable,
  dialect: Dialect,
): Holders {
  const { computedHold } = dialect.schema;
  const isHeld = computedHold === 'all' ? isRetyped : hasOtherType;
  const names = computedHold ? changed.filter(isHeld).map(({ column }) => column.name) : [];
  return readersOfColumns(names, found, held, dialect);
}

/**
 * The same of columns by their names.
 *
 * @param isThere - whether a computed column is there when the columns change; by default all are
 */
export function readersOfColumns(
  names: readonly string[],
  found: Comparison,
  held: ActualTable,
  dialect: Dialect,
  isThere: (name: string) => boolean = () => true,
): Holders {
  const isReader = ({ name, expression }: ComputedColumn) =>
    isThere(name) && names.some((each) => namesColumn(expression, each));
  const readers = names.length === 0 ? [] : computedColumns(found, dialect).filter(isReader);
  if (readers.length === 0) return { drop: [], restore: [], warnings: [] };
  const on = holdersOf(
    readers.map(({ name }) => name),
    held,
    dialect,
    true,
  );
  const { compiler, schema } = dialect;
  const alter = `ALTER TABLE ${compiler.quote(found.model.table)}`;
  return {
    drop: [...on.drop, ...readers.map(({ name }) => `${alter} DROP COLUMN ${compiler.quote(name)}`)],
    restore: [...readers.map(({ line }) => `${alter} ${schema.addColumn} ${line}`), ...on.restore],
    warnings: on.warnings,
  };
}

// Columns that no model has are there until the others have changed, and those of the model have its expression already.
function computedColumns({ model, pairs, dropped }: Comparison, dialect: Dialect): readonly ComputedColumn[] {
  const { compiler, schema } = dialect;
  const declared = model.columns.flatMap((column) => {
    const { expression } = column.definition;
    return expression === undefined ? [] : [{ name: column.name, expression, line: columnLine(column, dialect) }];
  });
  const kept = [...pairs].filter(([{ definition }]) => definition.expression === undefined);
  const others = [...kept.map(([column, actual]) => ({ ...actual, name: column.name })), ...dropped].flatMap(
    (actual) => {
      const { expression } = computationOf(actual) ?? {};
      const line = `${compiler.quote(actual.name)} ${schema.columnText(stateOf(actual))}`;
      return expression === undefined ? [] : [{ name: actual.name, expression, line }];
    },
  );
  return [...declared, ...others];
}
