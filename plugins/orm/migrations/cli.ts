import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { changesIn, fwError, isFwError } from '../../../kernel/index.js';
import { fwCommand } from '../../../kernel/invocation/index.js';
import { onOneLine, registeredModels, type Database, type ModelInfo } from '../core/index.js';
import { diffSchema, type DiffOptions, type SchemaDiff } from '../schema/schema-diff.js';
import { unsaidTimes } from '../schema/unsaid-times.js';
import { introspect, type ActualTable } from '../schema/introspect.js';
import { remade } from '../schema/remade.js';
import { withJoinTables } from '../schema/join-tables.js';
import { usage, type DiffRequest, type MigrateRequest, type NewRequest, type RunRequest } from './arguments.js';
import { CODE_MIGRATION } from './code-migration.js';
import { MIGRATION_ERRORS } from './errors.js';
import type { MoveProgress } from './batches.js';
import { builtOf, readMigrations } from './migration-files.js';
import { migrationStem } from './migration-stem.js';
import type { HalfDone, MigrationStatus } from './migration.js';
import { migrations } from './migrations.js';
import { noteTablesOf } from './step-table.js';

/** What came of `fw migrate`; what a subcommand has nothing to do with is left out. */
export interface MigrateFacts {
  /** Of `status`. */
  readonly migrations?: readonly MigrationStatus[];
  /** Of `up`. */
  readonly applied?: readonly MigrationName[];
  /** Of `down`. */
  readonly rolledBack?: readonly MigrationName[];
  /** Of `baseline`. */
  readonly noted?: readonly MigrationName[];
  /** Of `diff`: the statements that would make the database what the models say. */
  readonly statements?: readonly string[];
  /** The statements that would take them back. */
  readonly undo?: readonly string[];
  readonly warnings?: readonly string[];
  /** Files. */
  readonly written?: readonly string[];
}

interface MigrationName {
  readonly version: string;
  readonly name: string;
}

const named = ({ version, name }: MigrationName): MigrationName => ({ version, name });

/** Where migrations are written. */
export interface MigrationsPlace {
  /** The project that the folder belongs to. */
  readonly root: string;
  /** Folder of the migrations. */
  readonly folder: string;
  readonly print: (line: string) => void;
  /** Told what came of it, for programs: lists by their names. */
  readonly report?: (facts: MigrateFacts) => void;
  /** Time of new versions, for tests. */
  readonly now?: () => Date;
}

/** What `fw migrate` is given. */
export interface MigrateCommand extends MigrationsPlace {
  readonly db: Database;
  /** Whether the caller named the folder; then it must exist. Default false: a new project has no migrations. */
  readonly isNamed?: boolean;
  /** What `migrateRequest` read. */
  readonly request: MigrateRequest;
  /** Version table. Default that of the database's options. */
  readonly versionTable?: string;
  /** Models to compare with; the generated ones by default. */
  readonly models?: readonly ModelInfo[];
}

/**
 * Runs `fw migrate <subcommand>`. @returns the exit code
 *
 * @throws FwError the errors of migrations; `FW_MIGRATE_USAGE` for a name without letters and digits
 */
export async function runMigrateCommand(command: MigrateCommand): Promise<number> {
  const { request } = command;
  switch (request.subcommand) {
    case 'up':
      return up(command, request);
    case 'down':
      return down(command, request);
    case 'status':
      return status(command);
    case 'diff':
      return diff(command, request);
    case 'new':
      return writeNewMigration(command, request);
    case 'baseline':
      return baseline(command, request);
    case 'resolve':
      return resolve(command, request);
  }
}

/**
 * Writes an empty migration, which needs no database. @returns the exit code
 *
 * @throws FwError `FW_MIGRATE_USAGE` for a name without letters and digits
 */
export async function writeNewMigration(place: MigrationsPlace, { name, code }: NewRequest): Promise<number> {
  if (code) await writeFiles(place, name, { '.ts': CODE_MIGRATION });
  else await write(place, name, '-- what the migration does\n', '-- how it is undone\n');
  return 0;
}

async function up(command: MigrateCommand, { count, lockTimeout }: RunRequest): Promise<number> {
  const { runner, isEmpty } = await load(command, lockTimeout);
  const applied = await runner.up(count === undefined ? {} : { count });
  for (const { version, name } of applied) command.print(`applied ${version} ${name}`);
  command.report?.({ applied: applied.map(named) });
  if (applied.length === 0) command.print(isEmpty ? none(command) : 'nothing to apply');
  return 0;
}

async function down(command: MigrateCommand, { count = 1, lockTimeout }: RunRequest): Promise<number> {
  const { runner } = await load(command, lockTimeout);
  const rolledBack: MigrationName[] = [];
  for (let done = 0; done < count; done++) {
    try {
      const { version, name } = await runner.down();
      rolledBack.push({ version, name });
      command.print(`rolled back ${version} ${name}`);
    } catch (error) {
      if (done === 0 || !isFwError(error) || error.code !== 'FW_MIGRATE_NOTHING') throw error;
      command.print('nothing is left to roll back');
      break;
    }
  }
  command.report?.({ rolledBack });
  return 0;
}

async function status(command: MigrateCommand): Promise<number> {
  const { runner } = await load(command);
  const all = await runner.status();
  command.report?.({ migrations: all });
  for (const { version, name, state, appliedAt, half } of all) {
    const at = appliedAt ? ` (${appliedAt.toISOString()})` : '';
    command.print(`${state.padEnd(8)} ${version} ${name}${at}${half ? halfDone(half) : ''}`);
  }
  if (all.length === 0) command.print(none(command));
  return 0;
}

function halfDone({ direction, done, inDoubt }: HalfDone): string {
  const doubt = inDoubt === undefined ? '' : `, and nobody knows whether the next was done: ${inDoubt}`;
  return `; half done on its way ${direction}, ${done} ${done === 1 ? 'statement is' : 'statements are'} done${doubt}`;
}

async function resolve(
  command: MigrateCommand,
  { version, as }: Extract<MigrateRequest, { subcommand: 'resolve' }>,
): Promise<number> {
  const { runner } = await load(command);
  await runner.resolve(version, as);
  const next = as === 'done' || as === 'undone' ? `; run ${fwCommand('migrate up')} again to go on` : '';
  command.print(`${version} counts as ${as}${next}`);
  return 0;
}

async function baseline(
  command: MigrateCommand,
  { name, version }: Extract<MigrateRequest, { subcommand: 'baseline' }>,
): Promise<number> {
  if (version === undefined) {
    const { isEmpty } = await load(command);
    const refused = (problem: string) => fwError(MIGRATION_ERRORS.FW_MIGRATE_BASELINE, { problem });
    const models = modelsOf(command);
    if (isEmpty) {
      const own = ownOf(models, await tablesThere(command));
      if (own.every(({ view }) => view !== undefined)) throw refused('the database has none of the tables');
      // No `down` file: it would drop every table with its rows.
      await write(command, name, script(await remade(command.db, own), [PARTIAL]));
    } else {
      const { length } = (await compared(command)).difference.up;
      if (length > 0) throw refused(`the database is not what the models say (${length} statements would change it)`);
    }
  }
  const { runner } = await load(command);
  const all = await runner.baseline(version);
  command.report?.({ noted: all.map(named) });
  for (const noted of all) command.print(`noted ${noted.version} ${noted.name} as applied; nothing of it was run`);
  return 0;
}

const PARTIAL =
  'only tables and views of models are here, as they are in the database; add what else another one needs, such as functions, triggers, rights, row security and rows';

function modelsOf({ models = registeredModels() }: MigrateCommand): readonly ModelInfo[] {
  if (models.length === 0) throw fwError(MIGRATION_ERRORS.FW_MIGRATE_NO_MODELS, {});
  return models;
}

interface Compared {
  readonly difference: SchemaDiff;
  readonly actual: readonly ActualTable[];
}

async function compared(command: MigrateCommand, options: DiffOptions = {}): Promise<Compared> {
  const actual = await tablesThere(command);
  const { dialect } = command.db;
  return {
    difference: diffSchema(modelsOf(command), actual, dialect, { ...options, ignore: notesOf(command) }),
    actual,
  };
}

/** The tables and views of the database, also those of other schemas that models name. */
const tablesThere = (command: MigrateCommand): Promise<readonly ActualTable[]> =>
  introspect(command.db, [...modelsOf(command), ...notesOf(command)]);

const notesOf = ({ db, versionTable }: MigrateCommand): readonly string[] => noteTablesOf(db, versionTable);

/** The tables of models that are in the database. */
function tablesOf(given: readonly ModelInfo[], actual: readonly ActualTable[]): readonly ActualTable[] {
  const { models, aside } = withJoinTables(
    given.filter(({ isView }) => !isView),
    actual,
  );
  const names = new Set([...models.map(({ table }) => table), ...aside.map(({ name }) => name)]);
  return actual.filter(({ name, view }) => view === undefined && names.has(name));
}

/** The tables and views of models that are in the database. */
function ownOf(models: readonly ModelInfo[], actual: readonly ActualTable[]): readonly ActualTable[] {
  const views = new Set(models.filter(({ isView }) => isView).map(({ table }) => table));
  return [...tablesOf(models, actual), ...actual.filter(({ name, view }) => view !== undefined && views.has(name))];
}

async function diff(command: MigrateCommand, { name, dryRun, ...options }: DiffRequest): Promise<number> {
  const { print } = command;
  const { difference, actual } = await compared(command, options);
  const times = await unsaidTimes(command.db, modelsOf(command), actual);
  // A warning may quote SQL with line breaks; its second line would no longer be a comment.
  const warnings = [...difference.warnings, ...times].map(onOneLine);
  command.report?.({ statements: difference.up, undo: difference.down, warnings });
  for (const warning of warnings) print(`warning: ${warning}`);
  const { runner, isEmpty } = await load(command);
  const known = await runner.status();
  const unmade = isEmpty && known.length === 0 ? tablesOf(modelsOf(command), actual).map((table) => table.name) : [];
  if (difference.up.length === 0) {
    print('the database is what the models say');
    if (unmade.length > 0)
      print(
        `no migration makes ${unmade.join(', ')}, which another database would lack: ${fwCommand('migrate baseline')} writes it`,
      );
    return 0;
  }
  if (unmade.length > 0) throw fwError(MIGRATION_ERRORS.FW_MIGRATE_NO_BASELINE, { tables: unmade.join(', ') });
  const pending = known.filter(({ state }) => state === 'pending').map((each) => `${each.version}_${each.name}`);
  if (pending.length > 0) throw fwError(MIGRATION_ERRORS.FW_MIGRATE_UP_FIRST, { pending: pending.join(', ') });
  const { validate = [] } = difference;
  if (dryRun) {
    for (const statements of [difference.up, validate])
      if (statements.length > 0) print(script(statements, []).trimEnd());
    return 0;
  }
  await write(command, name, script(difference.up, warnings), script(difference.down, []));
  if (validate.length > 0) await write(command, `${name} validate`, script(validate, []), '-- nothing to undo\n');
  return 0;
}

const none = ({ folder }: MigrateCommand): string => `no migrations in ${folder}`;

async function load({ db, root, folder, isNamed = false, versionTable, print }: MigrateCommand, lockTimeout?: number) {
  const built = builtOf(root, folder);
  const found = isNamed || existsSync(folder) ? await readMigrations(folder, { built }) : [];
  const onWarning = (warning: string) => print(`warning: ${warning}`);
  const runner = migrations.new(db, versionTable, { onWarning, lockTimeout, onProgress: progressOf(print) });
  return { runner: runner.register(...found), isEmpty: found.length === 0 };
}

function write(place: MigrationsPlace, name: string, upSql: string, downSql?: string): Promise<void> {
  return writeFiles(place, name, { '.up.sql': upSql, ...(downSql !== undefined && { '.down.sql': downSql }) });
}

/** @param files - texts by the suffix after version and name */
async function writeFiles(
  { root, folder, now = () => new Date(), print, report }: MigrationsPlace,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const stem = migrationStem(name, existsSync(folder) ? await readdir(folder) : [], now());
  if (stem === undefined) throw usage(`"${name}" gives no file name; use letters and digits`);
  const { changes, folder: target } = await changesIn(root, folder);
  for (const [ending, text] of Object.entries(files)) {
    const file = `${stem}${ending}`;
    // Another process may have made the file since the folder was read; a migration is never overwritten.
    if ((await changes.read(join(target, file))) !== undefined)
      throw fwError(MIGRATION_ERRORS.FW_MIGRATE_EXISTS, { file });
    await changes.write(join(target, file), text);
  }
  await changes.commit({ onRecovered: ({ text }) => print(text) });
  report?.({ written: Object.keys(files).map((ending) => `${join(folder, stem)}${ending}`) });
  for (const ending of Object.keys(files)) print(`wrote ${join(folder, stem)}${ending}`);
}

const PROGRESS_MS = 5_000;

// Prints at intervals, because batches may be short.
function progressOf(print: (line: string) => void): (progress: MoveProgress) => void {
  let told = performance.now();
  return ({ name, rows, isOver }) => {
    if (!isOver && performance.now() - told < PROGRESS_MS) return;
    told = performance.now();
    print(`${isOver ? 'moved' : 'moving'} ${name}: ${rows} rows${isOver ? '' : ' so far'}`);
  };
}

function script(statements: readonly string[], warnings: readonly string[]): string {
  const notes = warnings.map((warning) => `-- warning: ${warning}\n`).join('');
  return (
    notes + statements.map((statement) => (statement.startsWith('--') ? `${statement}\n` : `${statement};\n`)).join('')
  );
}
