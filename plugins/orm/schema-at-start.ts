import { fwError, type AppInfo, type Logger } from '../../kernel/index.js';
import { fwCommand, PROJECT_FW } from '../../kernel/invocation/index.js';
import { type Database, databasesOf, DEFAULT_DATABASE, type ModelInfo, registeredModels } from './core/index.js';
import { modelsOf } from './model-databases.js';
import type { OpenDatabases } from './open-databases.js';
import type { KeptInStep } from './schema/in-step.js';

/** How the start treats the schema. */
type SchemaMode = 'none' | 'create-missing' | 'sync-dev';

/** How the start treats pending migrations. */
type PendingMode = 'ignore' | 'refuse' | 'warn' | 'apply';

/** Options about the schema. */
interface SchemaOptions {
  readonly schema?: SchemaMode;
  readonly pendingMigrations?: PendingMode;
  readonly drift?: 'ignore' | 'warn';
}

/** Inputs of {@link prepareSchema} and {@link reportSchema}. */
interface SchemaContext {
  readonly options: SchemaOptions;
  readonly profile: string;
  readonly log: Logger;
  readonly info: AppInfo;
  readonly databases: OpenDatabases;
}

/** Folder of the migrations of a database: `app/migrations`, `app/migrations-reports`. */
export const migrationsFolder = (folder: string, database: string): string =>
  database === DEFAULT_DATABASE ? folder : `${folder}-${database}`;

/**
 * Prepares the schema for the start of the application: migrations first, then the tables of the models.
 *
 * @throws FwError `FW_MIGRATE_PENDING`, and what migrations throw
 */
export async function prepareSchema(context: SchemaContext): Promise<void> {
  const mode = pendingMode(context);
  if (mode === 'apply') await applyPending(context);
  if (mode === 'refuse') await comparedLedgers(context, refusePending);
  const schema = schemaMode(context);
  if (schema === 'none') return;
  // A model may name a database that is not open.
  for (const name of new Set([...context.databases.names(), ...registeredModels().flatMap(databasesOf)])) {
    await prepareTables(context, name, schema);
  }
}

async function prepareTables(
  { databases, log, info }: SchemaContext,
  database: string,
  schema: Exclude<SchemaMode, 'none'>,
): Promise<void> {
  const db = databases.get(database);
  const models = modelsOf(database);
  const { made, changed, left } = await preparedTables(db, models, schema, { root: info.root, name: database });
  if (made.length > 0) log.info({ tables: made, database }, 'created missing tables');
  if (changed.length > 0)
    log.info({ tables: changed, database }, `changed ${changed.join(', ')} to what the models say`);
  if (left.length > 0)
    log.warn({ left, database }, `schema 'sync-dev' left alone: ${shown(left)}. ${byMigration(database)}`);
}

async function preparedTables(
  db: Database,
  models: readonly ModelInfo[],
  schema: Exclude<SchemaMode, 'none'>,
  place: { readonly root: string; readonly name: string },
): Promise<KeptInStep> {
  if (schema === 'sync-dev' && models.length > 0) {
    const { keepInStep } = await import('./schema/in-step.js');
    return keepInStep(db, models, place);
  }
  const { createMissingTables } = await import('./schema/create-missing-tables.js');
  return { made: await createMissingTables(db, models), changed: [], left: [] };
}

/** Logs how the database differs from the code. Runs while the application serves; also logs when a database cannot be read. */
export async function reportSchema(context: SchemaContext): Promise<void> {
  const { databases, log } = context;
  try {
    const behind = pendingMode(context) === 'warn' ? await namedPending(context) : [];
    await reportTimes(context);
    // What a database lacks while migrations wait is what they bring.
    const names = databases.names().filter((name) => !behind.includes(name) && modelsOf(name).length > 0);
    if (driftMode(context) === 'ignore') return await reportMissingTables(context, names);
    // It has compared them just before, and has said what it left.
    if (schemaMode(context) === 'sync-dev') return;
    for (const database of names) {
      const models = modelsOf(database);
      const { schemaDrift } = await import('./schema/drift.js');
      const drift = await schemaDrift(databases.get(database), models);
      if (drift.length > 0)
        log.warn(
          { drift, database },
          `the database is not what the models say: ${shown(drift)}. ${byMigration(database)}; in development \`schema: 'sync-dev'\` in app.config.ts adds what loses nothing`,
        );
    }
  } catch (error) {
    log.warn({ err: error }, 'the database could not be compared with the models');
  }
}

// Where nobody compares and nobody makes tables, an application without any would be up and answer no query.
async function reportMissingTables(context: SchemaContext, names: readonly string[]): Promise<void> {
  const { databases, log, options, profile } = context;
  if (options.drift === 'ignore' || profile === 'test' || schemaMode(context) !== 'none') return;
  const { missingTables } = await import('./schema/create-missing-tables.js');
  for (const database of names) {
    const missing = await missingTables(databases.get(database), modelsOf(database));
    if (missing.length > 0)
      log.warn(
        { missing, database },
        `the database ${database} lacks ${shown(missing)}, and queries of them fail: \`${diffOf(database)}\` writes a migration that makes them, and \`${upOf(database)}\` applies it before the start`,
      );
  }
}

// Where a column holds times in another form than its model says, conditions find other rows than they mean, and nothing fails.
async function reportTimes({ databases, log, options, profile }: SchemaContext): Promise<void> {
  if (options.drift === 'ignore' || profile === 'test') return;
  const { unsaidTimesAtStart } = await import('./schema/unsaid-times.js');
  for (const database of databases.names()) {
    const times = await unsaidTimesAtStart(databases.get(database), modelsOf(database));
    if (times.length > 0) log.warn({ times, database }, shown(times));
  }
}

const byMigration = (database: string): string =>
  `\`${diffOf(database)}\` writes a migration and \`${upOf(database)}\` applies it`;

const MOST_SHOWN = 10;

const shown = (sentences: readonly string[]): string =>
  [
    ...sentences.slice(0, MOST_SHOWN),
    ...(sentences.length > MOST_SHOWN ? [`and ${sentences.length - MOST_SHOWN} more`] : []),
  ].join('; ');

// In production only migrations change the schema.
function schemaMode({ options: { schema }, profile }: SchemaContext): SchemaMode {
  if (schema === 'sync-dev' && profile !== 'dev') return profile === 'prod' ? 'none' : 'create-missing';
  return schema ?? (profile === 'prod' ? 'none' : 'create-missing');
}

// If tables are created from the models, the migrations in the folder are for another database.
function pendingMode(context: SchemaContext): PendingMode {
  const { options, profile } = context;
  if (options.pendingMigrations !== undefined) return options.pendingMigrations;
  if (schemaMode(context) !== 'none') return 'ignore';
  return profile === 'prod' ? 'refuse' : profile === 'dev' ? 'warn' : 'ignore';
}

const driftMode = ({ options, profile }: SchemaContext): 'ignore' | 'warn' =>
  options.drift ?? (profile === 'dev' ? 'warn' : 'ignore');

type Found = { readonly database: string; readonly pending: readonly string[]; readonly log: Logger };

async function comparedLedgers(
  context: SchemaContext,
  onPending: (found: Found) => void | Promise<void>,
): Promise<void> {
  const { databases, info, log } = context;
  const { ledgerState } = await import('./migrations/pending.js');
  for (const database of databases.names()) {
    const state = await ledgerState(databases.get(database), migrationsFolder(info.migrations, database));
    if (state === undefined) continue;
    warnNewer(log, database, state.newer);
    if (state.pending.length > 0) await onPending({ database, pending: state.pending, log });
  }
}

async function refusePending({ database, pending }: Found): Promise<void> {
  const { MIGRATION_ERRORS } = await import('./migrations/errors.js');
  throw fwError(MIGRATION_ERRORS.FW_MIGRATE_PENDING, { database, pending: shown(pending), command: upOf(database) });
}

/** @returns the databases to which they are not applied */
async function namedPending(context: SchemaContext): Promise<readonly string[]> {
  const behind: string[] = [];
  await comparedLedgers(context, ({ database, pending, log }) => {
    behind.push(database);
    log.warn(
      { database, pending },
      `migrations are not applied to the database ${database}: ${shown(pending)}; \`${upOf(database)}\` applies them`,
    );
  });
  return behind;
}

// Migrations are written in the project, where the models are.
const diffOf = (database: string): string => `${PROJECT_FW} migrate diff --name <what-changes>${optionOf(database)}`;

const upOf = (database: string): string => fwCommand(`migrate up${optionOf(database)}`);

const optionOf = (database: string): string => (database === DEFAULT_DATABASE ? '' : ` --database ${database}`);

function warnNewer(log: Logger, database: string, newer: readonly string[]): void {
  if (newer.length === 0) return;
  log.warn(
    { database, newer },
    `the database ${database} has migrations that this version of the application does not know: ${shown(newer)}; a newer one has run here`,
  );
}

async function applyPending({ databases, info, log }: SchemaContext): Promise<void> {
  const { ledgerState } = await import('./migrations/pending.js');
  const { migrations } = await import('./migrations/migrations.js');
  const { builtOf, readMigrations } = await import('./migrations/migration-files.js');
  for (const database of databases.names()) {
    const folder = migrationsFolder(info.migrations, database);
    const db = databases.get(database);
    const state = await ledgerState(db, folder);
    if (state === undefined) continue;
    warnNewer(log, database, state.newer);
    if (state.pending.length === 0) continue;
    const runner = migrations.new(db, undefined, { onWarning: (warning) => log.warn({ database }, warning) });
    const applied = await runner
      .register(...(await readMigrations(folder, { built: builtOf(info.root, folder) })))
      .up();
    const names = applied.map(({ version, name }) => `${version}_${name}`);
    // None are left if another instance applied them first.
    if (names.length > 0) log.info({ database, migrations: names }, `applied ${names.join(', ')}`);
  }
}
