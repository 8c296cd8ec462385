import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { changesIn, fwError, isFwError } from '../../../kernel/index.js';
import { onOneLine, registeredModels, type Database, type ModelInfo } from '../core/index.js';
import { diffSchema } from '../schema/schema-diff.js';
import { introspect } from '../schema/introspect.js';
import { migrateArguments, usage, type DiffArguments, type MigrateArguments, type RunArguments } from './arguments.js';
import { MIGRATION_ERRORS } from './errors.js';
import { readMigrations } from './migration-files.js';
import { migrationStem } from './migration-stem.js';
import type { HalfDone } from './migration.js';
import { migrations } from './migrations.js';
import { stepTableOf } from './step-table.js';
import { VERSION_TABLE } from './version-table.js';

/** Where migrations are written. */
export interface MigrationsPlace {
  /** The project that the folder belongs to. */
  readonly root: string;
  /** Folder of the migrations. */
  readonly folder: string;
  readonly print: (line: string) => void;
  /** Time of new versions, for tests. */
  readonly now?: () => Date;
}

/** What `fw migrate` is given. */
export interface MigrateCommand extends MigrationsPlace {
  readonly db: Database;
  /** Whether somebody has named the folder, so that it must be there. Default false: a project begins without migrations. */
  readonly isNamed?: boolean;
  /** `up`, `down`, `status`, `diff`, `new` or `resolve`, and its arguments. */
  readonly args: readonly string[];
  /** Version table. Default `schema_migrations`. */
  readonly versionTable?: string;
  /** Models to compare with; the generated ones by default. */
  readonly models?: readonly ModelInfo[];
}

/**
 * Runs `fw migrate <subcommand>`. @returns the exit code
 *
 * @throws FwError `FW_MIGRATE_USAGE` and the errors of migrations
 */
export async function runMigrateCommand(command: MigrateCommand): Promise<number> {
  const given = migrateArguments(command.args);
  switch (given.subcommand) {
    case 'up':
      return up(command, given);
    case 'down':
      return down(command, given);
    case 'status':
      return status(command);
    case 'diff':
      return diff(command, given);
    case 'new':
      return writeNewMigration(command, given.name);
    case 'resolve':
      return resolve(command, given);
  }
}

/**
 * Writes an empty migration, which needs no database. @returns the exit code
 *
 * @throws FwError `FW_MIGRATE_USAGE` for a name without letters and digits
 */
export async function writeNewMigration(place: MigrationsPlace, name: string): Promise<number> {
  await write(place, name, '-- what the migration does\n', '-- how it is undone\n');
  return 0;
}

async function up(command: MigrateCommand, { count, lockTimeout }: RunArguments): Promise<number> {
  const { runner, isEmpty } = await load(command, lockTimeout);
  const applied = await runner.up(count === undefined ? {} : { count });
  for (const { version, name } of applied) command.print(`applied ${version} ${name}`);
  if (applied.length === 0) command.print(isEmpty ? none(command) : 'nothing to apply');
  return 0;
}

async function down(command: MigrateCommand, { count = 1, lockTimeout }: RunArguments): Promise<number> {
  const { runner } = await load(command, lockTimeout);
  for (let done = 0; done < count; done++) {
    try {
      const { version, name } = await runner.down();
      command.print(`rolled back ${version} ${name}`);
    } catch (error) {
      if (done === 0 || !isFwError(error) || error.code !== 'FW_MIGRATE_NOTHING') throw error;
      command.print('nothing is left to roll back');
      break;
    }
  }
  return 0;
}

async function status(command: MigrateCommand): Promise<number> {
  const { runner } = await load(command);
  const all = await runner.status();
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
  { version, as }: Extract<MigrateArguments, { subcommand: 'resolve' }>,
): Promise<number> {
  const { runner } = await load(command);
  await runner.resolve(version, as);
  const next = as === 'done' || as === 'undone' ? '; run fw migrate again to go on' : '';
  command.print(`${version} counts as ${as}${next}`);
  return 0;
}

async function diff(command: MigrateCommand, { name, ...options }: DiffArguments): Promise<number> {
  const { db, models = registeredModels(), versionTable = VERSION_TABLE, print } = command;
  const notes = [versionTable, stepTableOf(versionTable)];
  if (models.length === 0) throw fwError(MIGRATION_ERRORS.FW_MIGRATE_NO_MODELS, {});
  const actual = await introspect(db, [...models, ...notes]);
  const difference = diffSchema(models, actual, db.dialect, { ...options, ignore: notes });
  // One may quote SQL of the database, and on a second line would be no comment any more.
  const warnings = difference.warnings.map(onOneLine);
  for (const warning of warnings) print(`warning: ${warning}`);
  if (difference.up.length === 0) {
    print('the database is what the models say');
    return 0;
  }
  const { runner } = await load(command);
  const pending = (await runner.status()).filter(({ state }) => state === 'pending').map(({ version }) => version);
  if (pending.length > 0)
    print(`warning: ${pending.join(', ')} not applied yet: run up first, or the new migration does what they do again`);
  await write(command, name, script(difference.up, warnings), script(difference.down, []));
  const { validate = [] } = difference;
  if (validate.length > 0) await write(command, `${name} validate`, script(validate, []), '-- nothing to undo\n');
  return 0;
}

const none = ({ folder }: MigrateCommand): string => `no migrations in ${folder}`;

async function load({ db, folder, isNamed = false, versionTable, print }: MigrateCommand, lockTimeout?: number) {
  const found = isNamed || existsSync(folder) ? await readMigrations(folder) : [];
  const onWarning = (warning: string) => print(`warning: ${warning}`);
  const runner = migrations.new(db, versionTable, { onWarning, lockTimeout });
  return { runner: runner.register(...found), isEmpty: found.length === 0 };
}

async function write(
  { root, folder, now = () => new Date(), print }: MigrationsPlace,
  name: string,
  upSql: string,
  downSql: string,
): Promise<void> {
  const stem = migrationStem(name, existsSync(folder) ? await readdir(folder) : [], now());
  if (stem === undefined) throw usage(`"${name}" gives no file name; use letters and digits`);
  const { changes, folder: target } = await changesIn(root, folder);
  for (const [step, sql] of Object.entries({ up: upSql, down: downSql })) {
    const file = `${stem}.${step}.sql`;
    // Somebody else made it since the folder was read: a migration is never overwritten.
    if ((await changes.read(join(target, file))) !== undefined)
      throw fwError(MIGRATION_ERRORS.FW_MIGRATE_EXISTS, { file });
    await changes.write(join(target, file), sql);
  }
  await changes.commit({ onRecovered: ({ text }) => print(text) });
  for (const step of ['up', 'down']) print(`wrote ${join(folder, stem)}.${step}.sql`);
}

function script(statements: readonly string[], warnings: readonly string[]): string {
  const notes = warnings.map((warning) => `-- warning: ${warning}\n`).join('');
  return (
    notes + statements.map((statement) => (statement.startsWith('--') ? `${statement}\n` : `${statement};\n`)).join('')
  );
}
