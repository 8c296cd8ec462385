import { databasesOf, type ModelInfo, registeredModels } from './core/index.js';

/** The registered models whose tables belong to a database. */
export const modelsOf = (database: string): readonly ModelInfo[] =>
  registeredModels().filter((model) => databasesOf(model).includes(database));
