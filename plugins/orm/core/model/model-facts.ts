import type { ModelFacts, ModelFieldFacts } from '../../../../kernel/index.js';
import { DEFAULT_DATABASE } from './model-databases.js';
import type { ColumnDefinition, RelationDefinition } from './model-definition.js';

/** What the API reference says about a relation; the target by its name. */
export type RelationFacts = Pick<RelationDefinition, 'property' | 'kind'> & { readonly target: string };

type ColumnFacts = Pick<
  ColumnDefinition,
  'property' | 'column' | 'kind' | 'nullable' | 'primaryKey' | 'json' | 'writeOnly'
>;

/** A model in the form of the API reference, without columns that no answer holds; of a declaration and of a registered model the same. */
export function modelFacts(model: {
  readonly name: string;
  readonly table: string;
  readonly databases: readonly string[];
  readonly columns: readonly ColumnFacts[];
  readonly relations: readonly RelationFacts[];
}): ModelFacts {
  const { name, table, databases, columns, relations } = model;
  const isUsual = databases.length === 1 && databases[0] === DEFAULT_DATABASE;
  const shown = columns.filter(({ json, writeOnly }) => json !== '-' && !writeOnly);
  const place = isUsual ? { name, table } : { name, table, databases };
  return { ...place, fields: [...shown.map(columnFacts), ...relations.map(relationFacts)] };
}

function columnFacts({ property, column, kind, nullable, primaryKey }: ColumnFacts): ModelFieldFacts {
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
