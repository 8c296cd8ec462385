import type { ColumnInfo, Database, ModelInfo } from '../core/index.js';
import { introspect, type ActualTable } from './introspect.js';
import { bareName } from './names.js';

/**
 * Columns of models whose tags say no format, and whose values are of another one than that of the dialect: one sentence each. Conditions
 * on such a column compare what stands in no order. Reads the tables, where the database has no type for times.
 *
 * @param most - how many values of a column are looked at, which are some; all when left out
 */
export async function unsaidTimes(
  { dialect, handle }: Database,
  models: readonly ModelInfo[],
  actual: readonly ActualTable[],
  most?: number,
): Promise<readonly string[]> {
  const { heldTimes } = dialect.schema.introspection;
  if (heldTimes === undefined || !needsFormats(dialect)) return [];
  const said: string[] = [];
  for (const model of models) {
    const there = actual.find(({ name, view }) => name === model.table && view === undefined)?.columns ?? [];
    for (const column of model.columns.filter(isUnsaid)) {
      if (!there.some(({ name }) => name === column.name)) continue;
      const [quotedTable, quotedColumn] = [dialect.compiler.quote(model.table), dialect.compiler.quote(column.name)];
      const names = { table: bareName(model.table), column: bareName(column.name), quotedTable, quotedColumn };
      // Of a table without rows there is nothing to say: its default is a part of what is compared.
      const { format, problem } = await heldTimes(handle, { ...names, isArray: false, default: null, most });
      const place = `${model.table}.${column.name}`;
      if (problem !== undefined) said.push(`${place} ${problem}: write all in one, and say format= in its tag`);
      else if (format !== undefined)
        said.push(
          `${place} holds times as ${format}, and ${model.name}.${column.property} says no format: conditions find other rows than they mean, and reading it fails; say format=${format} in its tag`,
        );
    }
  }
  return said;
}

/** Values of a column that the start looks at: of a program that writes times in a form of its own, the first have it too. */
const AT_START = 1000;

/** The same for the start of an application, which must not take long; reads nothing where no model could be wrong. */
export async function unsaidTimesAtStart(db: Database, models: readonly ModelInfo[]): Promise<readonly string[]> {
  const held = models.filter(({ columns, isView }) => !isView && columns.some(isUnsaid));
  if (held.length === 0 || !needsFormats(db.dialect)) return [];
  return unsaidTimes(db, held, await introspect(db, held), AT_START);
}

const needsFormats = ({ schema }: Database['dialect']): boolean => schema.introspection.timesByValue === true;

const isUnsaid = ({ kind, definition: { format, temporal } }: ColumnInfo): boolean =>
  kind === 'date' && format === undefined && temporal === undefined;
