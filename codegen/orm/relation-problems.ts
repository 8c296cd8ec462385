import { DEFAULT_DATABASE, singular, snakeCase } from '../../plugins/orm/core/index.js';
import type { SourceProblem } from '../engine/source-problem.js';
import { databasesOf } from './model-databases.js';
import type { ColumnSource, LibraryTarget, ModelSource, RelationSource } from './model-source.js';
import { problemAtPlace } from './place.js';

/** Mistakes in the relations of a model: targets that are no models, and key columns that do not exist. */
export function* relationProblems(model: ModelSource, byId: ReadonlyMap<string, ModelSource>): Iterable<SourceProblem> {
  for (const relation of model.relations) {
    const { place } = relation;
    const target = targetOf(relation, byId);
    const own = `${model.name}.${relation.property}`;
    if (target === undefined)
      yield problemAtPlace(
        place,
        `${own} refers to ${relation.target}, which is no model among the files of \`models\` in app.config.ts`,
      );
    else {
      const elsewhere = databasesOf(model).filter((name) => !target.databases.includes(name));
      if (elsewhere.length > 0)
        yield problemAtPlace(
          place,
          `${own} refers to ${relation.target}, whose table is not in the database ${elsewhere.join(', ')}, where that of ${model.name} is; name the same databases in both @table, or read the other rows by a query of their own`,
        );
      for (const { holder, column, option } of keyColumns(holderOf(model), relation, target, model.table))
        if (!hasColumn(holder, column))
          yield problemAtPlace(
            place,
            `${own} (@${relation.kind}) looks for the column "${column}" in ${holder.name}, which has only ${holder.columns.map((each) => each.column).join(', ')}; add it there, or name another with ${option}`,
          );
    }
  }
}

/** The columns of a model of this project or of a package. */
interface Holder {
  readonly name: string;
  readonly columns: LibraryTarget['columns'];
}

/** The model and column that a relation refers to. */
interface Target extends Holder {
  readonly databases: readonly string[];
}

interface KeyColumn {
  readonly holder: Holder;
  readonly column: string;
  /** Option of the relation that names it. */
  readonly option: 'fk' | 'references';
}

// Resolves the key columns in the same way as the ORM at run time.
function keyColumns(model: Holder, relation: RelationSource, target: Holder, table: string): readonly KeyColumn[] {
  const { kind, options, property } = relation;
  if (kind === 'manyToMany') return [];
  const isBelongsTo = kind === 'belongsTo';
  const usual = isBelongsTo ? `${snakeCase(property)}_id` : `${singular(table)}_id`;
  const [holder, pointedAt] = isBelongsTo ? [model, target] : [target, model];
  return [
    ...namesOf(options['fk'] ?? usual).map((column) => ({ holder, column, option: 'fk' }) as const),
    ...namesOf(options['references']).map((column) => ({ holder: pointedAt, column, option: 'references' }) as const),
  ];
}

const namesOf = (option: RelationSource['options'][string] | undefined): readonly string[] =>
  typeof option === 'string' ? [option] : Array.isArray(option) ? (option as readonly string[]) : [];

const hasColumn = ({ columns }: Holder, name: string): boolean =>
  columns.some(({ column, property }) => column === name || property === name);

function targetOf(relation: RelationSource, byId: ReadonlyMap<string, ModelSource>): Target | undefined {
  const { target, targetFile, library } = relation;
  // A model of a package has no databases, because these belong to the application.
  if (library) return { name: target, columns: library.columns, databases: [DEFAULT_DATABASE] };
  const model = byId.get(`${targetFile}:${target}`);
  return model && { ...holderOf(model), databases: databasesOf(model) };
}

const holderOf = ({ name, columns }: ModelSource): Holder => ({ name, columns: columnNames(columns) });

/** Columns by both of their names. */
export const columnNames = (columns: readonly ColumnSource[]): Holder['columns'] =>
  columns.map(({ tag, property }) => ({ column: tag.column, property }));
