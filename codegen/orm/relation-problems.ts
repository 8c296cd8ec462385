import { singular, snakeCase } from '../../plugins/orm/core/index.js';
import { problemAt, type SourceProblem } from '../engine/source-problem.js';
import type { ModelSource, RelationSource } from './model-source.js';

/** What is wrong with the relations of a model: targets that are no models, and key columns that are not there. */
export function* relationProblems(
  model: ModelSource,
  byName: ReadonlyMap<string, ModelSource>,
): Iterable<SourceProblem> {
  const declaration = model.file.getClassOrThrow(model.name);
  for (const relation of model.relations) {
    const place = declaration.getProperty(relation.property) ?? declaration;
    const target = byName.get(relation.target);
    const own = `${model.name}.${relation.property}`;
    if (target === undefined)
      yield problemAt(
        place,
        `${own} refers to ${relation.target}, which is no model among the files of \`models\` in app.config.ts`,
      );
    else
      for (const { holder, column, option } of keyColumns(model, relation, target))
        if (!hasColumn(holder, column))
          yield problemAt(
            place,
            `${own} (@${relation.kind}) looks for the column "${column}" in ${holder.name}, which has only ${holder.columns.map(({ tag }) => tag.column).join(', ')}; add it there, or name another with ${option}`,
          );
  }
}

interface KeyColumn {
  readonly holder: ModelSource;
  readonly column: string;
  /** Option of the relation that names it. */
  readonly option: 'fk' | 'references';
}

// As the ORM resolves relations when they are first used.
function keyColumns(model: ModelSource, relation: RelationSource, target: ModelSource): readonly KeyColumn[] {
  const { kind, options, property } = relation;
  if (kind === 'manyToMany') return [];
  const isBelongsTo = kind === 'belongsTo';
  const usual = isBelongsTo ? `${snakeCase(property)}_id` : `${singular(model.table)}_id`;
  const [holder, pointedAt] = isBelongsTo ? [model, target] : [target, model];
  return [
    ...namesOf(options['fk'] ?? usual).map((column) => ({ holder, column, option: 'fk' }) as const),
    ...namesOf(options['references']).map((column) => ({ holder: pointedAt, column, option: 'references' }) as const),
  ];
}

const namesOf = (option: RelationSource['options'][string] | undefined): readonly string[] =>
  typeof option === 'string' ? [option] : Array.isArray(option) ? (option as readonly string[]) : [];

const hasColumn = ({ columns }: ModelSource, name: string): boolean =>
  columns.some(({ tag, property }) => tag.column === name || property === name);
