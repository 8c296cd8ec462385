import { databasesOf, type ModelInfo, registeredModels } from './core/index.js';

/** The models that generated code has registered, as far as their tables are those of a database. */
export const modelsOf = (database: string): readonly ModelInfo[] =>
  registeredModels().filter((model) => databasesOf(model).includes(database));
