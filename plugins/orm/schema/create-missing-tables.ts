import { modelInfosOf, type Database, type ModelClass, type ModelInfo } from '../core/index.js';
import { withJoinTables } from './join-tables.js';
import { assertNamesFit } from './name-lengths.js';
import { bareName, schemaOf, TakenNames } from './names.js';
import { namedEnums, typesOf } from './native-enums.js';
import { byForeignKeys, foreignKeysOf } from './constraints.js';
import { commentChanges } from './comments.js';
import { addForeignKey, createTable, keepsTables } from './create-table.js';
import { createView, saidViews } from './views.js';

/**
 * Creates missing tables, join tables of relations and views; existing ones stay unchanged. For development and tests: migrations change
 * tables.
 *
 * @param models - classes, or what {@link registeredModels} gives
 * @returns names of the created tables
 * @throws FwError `FW_MIGRATE_NAME` for a name that is longer than the database takes
 */
export async function createMissingTables(
  db: Database,
  models: readonly (ModelClass | ModelInfo)[],
): Promise<readonly string[]> {
  const handle = db.handle;
  const all = modelInfosOf(models);
  const wanted = byForeignKeys(withJoinTables(all.filter(({ isView }) => !isView)).models);
  assertNamesFit([...wanted, ...all.filter(({ isView }) => isView)], db.dialect);
  const views = saidViews(all);
  const present = await tablesAmong(db, [...wanted.map(({ table }) => table), ...views.map(({ name }) => name)]);
  const missing = wanted.filter(({ table }) => !present.has(table));
  const names = new TakenNames();
  // A table that was dropped by hand may have left its types.
  for (const [name] of missing.flatMap((model) => typesOf(model, db.dialect)))
    await handle.script(namedEnums(db.dialect)?.dropIfThere(name) ?? '');
  for (const model of missing)
    for (const statement of [
      ...createTable(model, db.dialect, names),
      ...commentChanges(model, undefined, db.dialect).up,
    ])
      await handle.script(statement);
  for (const model of keepsTables(db.dialect) ? [] : missing)
    for (const key of foreignKeysOf(model))
      await handle.script(addForeignKey(model.table, { ...key, name: names.take(key.name) }, db.dialect));
  const missingViews = views.filter(({ name }) => !present.has(name));
  for (const view of missingViews) await handle.script(createView(view, db.dialect));
  return [...missing.map(({ table }) => table), ...missingViews.map(({ name }) => name)];
}

/** Names of the tables and views of models that the database does not have. Only reads. */
export async function missingTables(
  db: Database,
  models: readonly (ModelClass | ModelInfo)[],
): Promise<readonly string[]> {
  const all = modelInfosOf(models);
  const tables = withJoinTables(all.filter(({ isView }) => !isView)).models.map(({ table }) => table);
  const names = [...tables, ...saidViews(all).map(({ name }) => name)];
  const present = await tablesAmong(db, names);
  return names.filter((name) => !present.has(name));
}

// A table name with a schema is looked up in that schema, if the database has schemas.
async function tablesAmong(db: Database, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { listTables, introspection } = db.dialect.schema;
  const handle = db.handle;
  const rows = await handle.query(listTables, []);
  const viewRows = await viewsIn(db, null);
  const own = new Set([...rows, ...viewRows].map(([name]) => String(name)));
  const schemas = new Set(names.map(schemaOf).filter((schema) => schema !== ''));
  if (introspection.currentSchema === undefined) return new Set(names.filter((name) => own.has(bareName(name))));
  for (const schema of schemas)
    for (const [name] of await handle.query(introspection.columns, [schema])) own.add(`${schema}.${String(name)}`);
  return own;
}

async function viewsIn(db: Database, schema: string | null): Promise<readonly (readonly unknown[])[]> {
  const { views, currentSchema } = db.dialect.schema.introspection;
  return views === undefined ? [] : db.handle.query(views, currentSchema === undefined ? [] : [schema]);
}
