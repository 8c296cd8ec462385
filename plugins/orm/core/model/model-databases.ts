import type { ModelInfo } from './model-info.js';
import { registeredModels } from './model-registry.js';

/** Name of the database that `Database` stands for. */
export const DEFAULT_DATABASE = 'default';

/** Names of the databases whose tables a model describes; the one without a name is `default`. */
export const databasesOf = ({ definition: { database = DEFAULT_DATABASE } }: ModelInfo): readonly string[] =>
  [database].flat();

/** The registered model of a table in a database of another model: tables of the same name in different databases are unrelated. */
export function modelOfTable(table: string, beside: ModelInfo): ModelInfo | undefined {
  const names = databasesOf(beside);
  return registeredModels().find(
    (each) => each.table === table && databasesOf(each).some((name) => names.includes(name)),
  );
}
