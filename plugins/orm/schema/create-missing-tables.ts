import { modelInfosOf, type Database, type ModelClass, type ModelInfo } from '../core/index.js';
import { byForeignKeys, foreignKeysOf } from './constraints.js';
import { addForeignKey, createTable, keepsTables } from './create-table.js';

/**
 * Creates the tables that are missing; what is there stays as it is. For development and tests: changes of a table are the
 * business of migrations.
 *
 * @param models - classes, or what {@link registeredModels} gives
 * @returns names of the tables that were made
 */
export async function createMissingTables(
  db: Database,
  models: readonly (ModelClass | ModelInfo)[],
): Promise<readonly string[]> {
  const handle = db.sqlDB();
  const rows = await handle.query(db.dialect.schema.listTables, []);
  const present = new Set(rows.map(([name]) => String(name)));
  const missing = byForeignKeys(modelInfosOf(models)).filter(
    ({ table }) => !present.has(table.split('.').at(-1) as string),
  );
  for (const model of missing) for (const statement of createTable(model, db.dialect)) await handle.script(statement);
  for (const model of keepsTables(db.dialect) ? [] : missing)
    for (const key of foreignKeysOf(model)) await handle.script(addForeignKey(model.table, key, db.dialect));
  return missing.map(({ table }) => table);
}
