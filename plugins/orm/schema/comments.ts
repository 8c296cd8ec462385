import type { ColumnState, Dialect, ModelInfo } from '../core/index.js';
import { stateOf, wantedState } from './column-states.js';
import { newState } from './create-table.js';
import type { ActualTable } from './introspect.js';

/** Statements that set the comments of tables and columns, forward and back. */
interface CommentChanges {
  readonly up: readonly string[];
  readonly down: readonly string[];
}

const NONE: CommentChanges = { up: [], down: [] };

/**
 * The statements that give a table the comments of its model. Without a comment in the model, the existing comment stays.
 *
 * @param actual - undefined for a new table
 */
export function commentChanges(model: ModelInfo, actual: ActualTable | undefined, dialect: Dialect): CommentChanges {
  const { comment } = dialect.schema;
  if (comment === undefined) return NONE;
  const changes = wantedComments(model, actual, dialect).filter(
    ({ words, former }) => words !== undefined && words !== (former ?? ''),
  );
  const place = { quotedTable: dialect.compiler.quote(model.table), isView: model.isView };
  const statement = (words: string, { column, former }: Omit<Wanted, 'words'>) =>
    comment({ ...place, ...(column && { column }), former }, words) ?? [];
  return {
    up: changes.flatMap(({ words = '', ...of }) => statement(words, of)),
    // Dropping the new table drops its comments.
    down:
      actual === undefined
        ? []
        : changes
            .filter(({ isNew }) => !isNew)
            .flatMap(({ words, former = '', ...of }) => statement(former, { ...of, former: words })),
  };
}

interface Wanted {
  readonly words: string | undefined;
  readonly former: string | undefined;
  readonly column?: { readonly quotedName: string; readonly state: ColumnState };
  readonly isNew?: boolean;
}

function wantedComments(model: ModelInfo, actual: ActualTable | undefined, dialect: Dialect): readonly Wanted[] {
  const there = new Map(actual?.columns.map((column) => [column.name, column]));
  return [
    { words: model.definition.comment, former: actual?.comment },
    ...model.columns.map((column) => {
      const { rename = '', comment } = column.definition;
      const found = there.get(column.name) ?? there.get(rename);
      const state = found ? wantedState(column, found, dialect) : newState(column, dialect);
      const kept = found?.computed ? stateOf(found) : state;
      return {
        words: comment,
        former: found?.comment,
        column: { quotedName: dialect.compiler.quote(column.name), state: kept },
        isNew: found === undefined,
      };
    }),
  ];
}
