import { modelInfosOf, type Database, type ModelClass, type ModelInfo } from '../core/index.js';
import { withJoinTables } from './join-tables.js';
import { TakenNames, schemaOf } from './names.js';
import { namedEnums, typesOf } from './native-enums.js';
import { byForeignKeys, foreignKeysOf } from './constraints.js';
import { addForeignKey, createTable, keepsTables } from './create-table.js';

/**
 * Creates the tables that are missing, join tables of relations among them; what is there stays as it is. For development and tests: changes of a table are the
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
  const wanted = byForeignKeys(withJoinTables(modelInfosOf(models)).models);
  const present = await tablesAmong(
    db,
    wanted.map(({ table }) => table),
  );
  const missing = wanted.filter(({ table }) => !present.has(table));
  const names = new TakenNames();
  // A table that was dropped by hand has left its types.
  for (const [name] of missing.flatMap((model) => typesOf(model, db.dialect)))
    await handle.script(namedEnums(db.dialect)?.dropIfThere(name) ?? '');
  for (const model of missing)
    for (const statement of createTable(model, db.dialect, names)) await handle.script(statement);
  for (const model of keepsTables(db.dialect) ? [] : missing)
    for (const key of foreignKeysOf(model))
      await handle.script(addForeignKey(model.table, { ...key, name: names.take(key.name) }, db.dialect));
  return missing.map(({ table }) => table);
}

// Those of another schema are looked for there, where the database has schemas.
async function tablesAmong(db: Database, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { listTables, introspection } = db.dialect.schema;
  const handle = db.sqlDB();
  const rows = await handle.query(listTables, []);
  const own = new Set(rows.map(([name]) => String(name)));
  const schemas = new Set(names.map(schemaOf).filter((schema) => schema !== ''));
  if (introspection.currentSchema === undefined)
    return new Set(names.filter((name) => own.has(name.slice(name.lastIndexOf('.') + 1))));
  for (const schema of schemas)
    for (const [name] of await handle.query(introspection.columns, [schema])) own.add(`${schema}.${String(name)}`);
  return own;
}
