import { modelInfosOf, transaction, type Database, type ModelClass, type ModelInfo } from '../core/index.js';
import { introspect, type ActualTable } from './introspect.js';
import { withJoinTables } from './join-tables.js';
import { diffSchema, differingTables } from './schema-diff.js';

type Models = readonly (ModelClass | ModelInfo)[];

/** Result of {@link syncSchema}. */
export interface SchemaSync {
  /** Names of the changed tables. */
  readonly changed: readonly string[];
  /** Changes that were left out because rows could be lost or the statement failed: one sentence each. */
  readonly left: readonly string[];
}

/**
 * Differences between the tables of a database and the models, one sentence each: missing tables and columns, columns without a model, and
 * tables with other differences. Only reads.
 */
export async function schemaDrift(db: Database, models: Models): Promise<readonly string[]> {
  const actual = await introspect(db, models);
  const present = new Map(actual.map((table) => [table.name, table]));
  const all = withJoinTables(modelInfosOf(models), actual).models;
  const comparable = all.filter((model) => !isOtherKind(model, present.get(model.table)));
  const differing = new Set(differingAmong(comparable, actual, db));
  return all.flatMap((model) => {
    const table = present.get(model.table);
    if (table === undefined) return [`the ${kindOf(model)} ${model.table} of ${model.name} is missing`];
    if (isOtherKind(model, table)) return [`${model.table} of ${model.name} is no ${kindOf(model)} in the database`];
    const named = columnDrift(model, table);
    if (named.length > 0 || !differing.has(model)) return named;
    if (model.isView) return [`the view ${model.table} has another query than ${model.name} says`];
    return [`the table ${model.table} is not what ${model.name} says of types, defaults, keys, indexes or checks`];
  });
}

const kindOf = ({ isView }: ModelInfo): string => (isView ? 'view' : 'table');

const isOtherKind = ({ isView }: ModelInfo, actual: ActualTable | undefined): boolean =>
  actual !== undefined && isView !== (actual.view !== undefined);

// Compares all tables at once, because what is read of each stays the same; views, of which there are few, one after the other.
function differingAmong(
  models: readonly ModelInfo[],
  actual: readonly ActualTable[],
  { dialect }: Database,
): readonly ModelInfo[] {
  const views = models.filter(({ isView }) => isView);
  return [
    ...differingTables(models, actual, dialect),
    ...views.filter((view) => diffSchema([view], actual, dialect).up.length > 0),
  ];
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
 * Changes existing tables to match their models where no data can be lost, that is, where a migration of the table would have no warning.
 * For development; tables that are missing are made by {@link createMissingTables}.
 */
export async function syncSchema(db: Database, models: Models): Promise<SchemaSync> {
  const changed: string[] = [];
  const left: string[] = [];
  const infos = modelInfosOf(models);
  const found = await introspect(db, infos);
  let actual: readonly ActualTable[] | undefined = found;
  for (const model of differingAmong(infos, found, db)) {
    // Read again only after a change, because a change of one table may change another, and reading all tables is slow.
    actual ??= await introspect(db, infos);
    const { up, warnings } = diffSchema([model], actual, db.dialect);
    if (up.length === 0) continue;
    if (warnings.length > 0) {
      left.push(...warnings);
      continue;
    }
    await run(db, up).then(
      () => changed.push(model.table),
      (error: unknown) => left.push(`${model.table} could not be changed: ${(error as Error).message}`),
    );
    actual = undefined;
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
