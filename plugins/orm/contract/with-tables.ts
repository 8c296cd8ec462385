import { afterAll, beforeAll } from '@jest/globals';
import { open, type Database, type Dialect, type ModelClass, type ModelInfo, type OpenOptions } from '../index.js';
import { createMissingTables } from '../schema/index.js';
import type { TestDatabase } from './subject.js';

const PATIENCE = 240_000;

/**
 * A database with the tables of models for the tests of one `describe`, dropped behind them.
 *
 * @param use - gets the database, open and as it was made, before the first test
 */
export function withTables(
  create: () => Promise<TestDatabase>,
  dialect: Dialect,
  models: readonly (ModelClass | ModelInfo)[],
  use: (db: Database, made: TestDatabase) => unknown,
  ...options: readonly OpenOptions[]
): void {
  let made: TestDatabase;
  let db: Database;

  beforeAll(async () => {
    made = await create();
    db = open(made.handle, dialect, ...options);
    await createMissingTables(db, models);
    await use(db, made);
  }, PATIENCE);

  afterAll(async () => {
    await db.close();
    await made.drop();
  }, PATIENCE);
}
