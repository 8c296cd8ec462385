import type { ModelFacts, ModelFieldFacts } from '../../../../kernel/index.js';
import type { ColumnDefinition, RelationDefinition } from './model-definition.js';

/** What the API reference says about a relation; the target by its name. */
export type RelationFacts = Pick<RelationDefinition, 'property' | 'kind'> & { readonly target: string };

/** A model in the form of the API reference, from its declaration or from what is registered: the same for both. */
export function modelFacts(model: {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly Pick<ColumnDefinition, 'property' | 'column' | 'kind' | 'nullable' | 'primaryKey'>[];
  readonly relations: readonly RelationFacts[];
}): ModelFacts {
  const { name, table, columns, relations } = model;
  return { name, table, fields: [...columns.map(columnFacts), ...relations.map(relationFacts)] };
}

function columnFacts({
  property,
  column,
  kind,
  nullable,
  primaryKey,
}: Pick<ColumnDefinition, 'property' | 'column' | 'kind' | 'nullable' | 'primaryKey'>): ModelFieldFacts {
  return {
    name: property,
    type: nullable ? `${kind} or null` : kind,
    column,
    ...(primaryKey && { primaryKey }),
  };
}

function relationFacts({ property, kind, target }: RelationFacts): ModelFieldFacts {
  return { name: property, type: kind, references: target };
}
