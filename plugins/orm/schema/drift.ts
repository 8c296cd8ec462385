import { modelInfosOf, transaction, type Database, type ModelClass, type ModelInfo } from '../core/index.js';
import { introspect, type ActualTable } from './introspect.js';
import { withJoinTables } from './join-tables.js';
import { diffSchema } from './schema-diff.js';

type Models = readonly (ModelClass | ModelInfo)[];

/** What {@link syncSchema} did, and did not. */
export interface SchemaSync {
  /** Names of the tables that were changed. */
  readonly changed: readonly string[];
  /** What it left alone because rows could be lost, or the statement failed: one sentence each. */
  readonly left: readonly string[];
}

/**
 * How the tables of a database differ from the models, one sentence each: tables and columns that are missing, columns that no model
 * has, and tables that differ otherwise. Reads only.
 */
export async function schemaDrift(db: Database, models: Models): Promise<readonly string[]> {
  const actual = await introspect(db, models);
  const present = new Map(actual.map((table) => [table.name, table]));
  return withJoinTables(modelInfosOf(models), actual).models.flatMap((model) => {
    const table = present.get(model.table);
    if (table === undefined) return [`the table ${model.table} of ${model.name} is missing`];
    const named = columnDrift(model, table);
    if (named.length > 0 || diffSchema([model], actual, db.dialect).up.length === 0) return named;
    return [`the table ${model.table} is not what ${model.name} says of types, defaults, keys, indexes or checks`];
  });
}

function columnDrift({ name, table, columns }: ModelInfo, actual: ActualTable): readonly string[] {
  const there = new Set(actual.columns.map((column) => column.name));
  const wanted = new Set(columns.map((column) => column.name));
  return [
    ...columns
      .filter((column) => !there.has(column.name))
      .map((column) => `the column ${table}.${column.name} of ${name}.${column.property} is missing`),
    ...actual.columns
      .filter((column) => !wanted.has(column.name))
      .map((column) => `the column ${table}.${column.name} is in the database and not in ${name}`),
  ];
}

/**
 * Changes the tables that are there to what their models say, as far as nothing can be lost: where a migration of the table would
 * come without a warning. For development; tables that are missing are made by {@link createMissingTables}.
 */
export async function syncSchema(db: Database, models: Models): Promise<SchemaSync> {
  const changed: string[] = [];
  const left: string[] = [];
  for (const model of modelInfosOf(models)) {
    // Read anew: the change of one table may be one of another, too.
    const { up, warnings } = diffSchema([model], await introspect(db, [model]), db.dialect);
    if (up.length === 0) continue;
    if (warnings.length > 0) left.push(...warnings);
    else
      await run(db, up).then(
        () => changed.push(model.table),
        (error: unknown) => left.push(`${model.table} could not be changed: ${(error as Error).message}`),
      );
  }
  return { changed, left };
}

async function run(db: Database, statements: readonly string[]): Promise<void> {
  const { withoutForeignKeys } = db.dialect.schema;
  await transaction.run(db, null, { maxAttempts: 1 }, async (tx) => {
    const all = async () => {
      for (const statement of statements) if (!statement.startsWith('--')) await tx.script(statement);
    };
    return withoutForeignKeys === undefined ? all() : withoutForeignKeys(tx, all);
  });
}
