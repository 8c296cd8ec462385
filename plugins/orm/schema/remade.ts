import type { Database, Dialect } from '../core/index.js';
import { stateOf } from './column-states.js';
import { behindTargets } from './constraints.js';
import { addForeignKey, keepsTables } from './create-table.js';
import { restoreIndex } from './indexes.js';
import type { ActualTable } from './introspect.js';
import { bareRestoredTable } from './restored.js';
import { createView, viewsAmong, viewsInOrder } from './views.js';

/**
 * Statements that make tables and views in an empty database as they are in this one: with what no model says of them, as far as the
 * database tells it.
 */
export async function remade(db: Database, given: readonly ActualTable[]): Promise<readonly string[]> {
  const { dialect, handle } = db;
  const { remade: inWords } = dialect.schema.introspection;
  const quote = (name: string) => dialect.compiler.quote(name);
  const tables = behindTargets(
    given.filter(({ view }) => view === undefined),
    ({ name }) => name,
    ({ foreignKeys }) => foreignKeys.map(({ table }) => table),
  );
  const columnsOf = ({ columns }: ActualTable) =>
    columns.map((column) => {
      const type = `${column.type}${'[]'.repeat((column.dimensions ?? 1) - 1)}`;
      return `${quote(column.name)} ${dialect.schema.columnText({ ...stateOf(column), type })}`;
    });
  const made =
    inWords === undefined
      ? fromCatalogs(tables, dialect)
      : await inWords(
          handle,
          tables.map((table) => ({ quotedName: quote(table.name), columns: columnsOf(table) })),
        );
  const views = viewsInOrder(viewsAmong(given));
  return [
    ...made,
    ...views.map((view) => createView(view, dialect)),
    ...views.flatMap((view) => view.indexes.map((index) => restoreIndex(view.name, index, dialect))),
    ...(inWords === undefined ? tables : []).concat(views).flatMap((table) => commentsOf(table, dialect)),
  ];
}

// Where the definitions are kept, they say all of it.
function fromCatalogs(tables: readonly ActualTable[], dialect: Dialect): readonly string[] {
  const kept = tables.flatMap(({ definitions }) => definitions);
  if (kept.length > 0) {
    const isTrigger = ({ kind }: (typeof kept)[number]) => kind === 'trigger';
    return [...kept.filter((each) => !isTrigger(each)), ...kept.filter(isTrigger)].map(({ sql }) => sql);
  }
  return [
    ...tables.flatMap((table) => bareRestoredTable(table, dialect)),
    ...(keepsTables(dialect) ? [] : tables).flatMap(({ name, foreignKeys }) =>
      foreignKeys.map((key) => addForeignKey(name, key, dialect)),
    ),
  ];
}

function commentsOf({ name, view, comment, columns }: ActualTable, dialect: Dialect): readonly string[] {
  const { schema, compiler } = dialect;
  const place = { quotedTable: compiler.quote(name), isView: view !== undefined, former: undefined };
  const about = columns.map((column) => {
    return { words: column.comment, column: { quotedName: compiler.quote(column.name), state: stateOf(column) } };
  });
  return [{ words: comment }, ...about].flatMap(({ words, ...of }) =>
    words === undefined ? [] : (schema.comment?.({ ...place, ...of }, words) ?? []),
  );
}
