import type { ModelInfo } from './model-info.js';
import { registeredModels } from './model-registry.js';

/** Name of the database that `Database` stands for. */
export const DEFAULT_DATABASE = 'default';

/** Names of the databases whose tables a model describes; the one without a name is `default`. */
export const databasesOf = ({ definition: { database = DEFAULT_DATABASE } }: ModelInfo): readonly string[] =>
  [database].flat();

/** The registered model of a table in a database of another model: tables of the same name in different databases are unrelated. */
export const modelOfTable = (table: string, beside: ModelInfo): ModelInfo | undefined =>
  modelsOfTable(table, beside)[0];

/** All registered models of a table in a database of another model: several may each have a part of its columns. */
export const modelsOfTable = (table: string, beside: ModelInfo): readonly ModelInfo[] =>
  modelsBeside(beside).filter((each) => each.table === table);

/** Whether a table in a database of a model is the join table of a relation: unless it has a model, its rows are nothing but two keys. */
export const isJoinTable = (table: string, beside: ModelInfo): boolean =>
  modelsBeside(beside).some(({ relations }) => [...relations.values()].some(({ join }) => join === table));

function modelsBeside(beside: ModelInfo): readonly ModelInfo[] {
  const names = databasesOf(beside);
  return registeredModels().filter((each) => databasesOf(each).some((name) => names.includes(name)));
}
