import { DEFAULT_DATABASE } from '../../plugins/orm/core/index.js';
import type { ModelSource } from './model-source.js';

/** Names of the databases whose table a model describes. */
export const databasesOf = ({ databases }: ModelSource): readonly string[] =>
  databases.length === 0 ? [DEFAULT_DATABASE] : databases;

/** Models by database and table: two databases may have tables of the same name. */
export class ModelsByTable {
  readonly #models = new Map<string, ModelSource>();

  /** The model that has the table in a database. */
  get(database: string, table: string): ModelSource | undefined {
    return this.#models.get(keyOf(database, table));
  }

  /** Adds a model that must not share its tables. @returns the model that has one of the tables already, with the database */
  add(model: ModelSource): { readonly holder: ModelSource; readonly database: string } | undefined {
    for (const database of databasesOf(model)) {
      const holder = this.get(database, model.table);
      if (holder) return { holder, database };
    }
    for (const database of databasesOf(model)) this.#models.set(keyOf(database, model.table), model);
    return undefined;
  }
}

const keyOf = (database: string, table: string): string => JSON.stringify([database, table]);
