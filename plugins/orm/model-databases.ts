import { type ModelInfo, registeredModels } from './core/index.js';
import { DEFAULT_DATABASE } from './dialect/index.js';

/** Names of the databases whose tables a model describes; the one without a name is `default`. */
export const databasesOf = ({ definition: { database = DEFAULT_DATABASE } }: ModelInfo): readonly string[] =>
  [database].flat();

/** The models that generated code has registered, as far as their tables are those of a database. */
export const modelsOf = (database: string): readonly ModelInfo[] =>
  registeredModels().filter((model) => databasesOf(model).includes(database));
