import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fwError } from '../../../kernel/index.js';
import { registeredModels, type Database, type ModelInfo } from '../core/index.js';
import { diffSchema } from '../schema/schema-diff.js';
import { introspect } from '../schema/introspect.js';
import { MIGRATION_ERRORS } from './errors.js';
import { readMigrations } from './migration-files.js';
import { migrationStem } from './migration-stem.js';
import { migrations, type Migrations } from './migrations.js';

/** What `fw migrate` is given. */
export interface MigrateCommand {
  readonly db: Database;
  /** Folder of the migrations. */
  readonly folder: string;
  /** `up`, `down`, `status`, `diff` or `new`, and its arguments. */
  readonly args: readonly string[];
  readonly print: (line: string) => void;
  /** Version table. Default `schema_migrations`. */
  readonly versionTable?: string;
  /** Models to compare with; the generated ones by default. */
  readonly models?: readonly ModelInfo[];
  /** Time of new versions, for tests. */
  readonly now?: () => Date;
}

/**
 * Runs `fw migrate <subcommand>`. @returns the exit code
 *
 * @throws FwError `FW_MIGRATE_USAGE` and the errors of migrations
 */
export async function runMigrateCommand(command: MigrateCommand): Promise<number> {
  const [subcommand = ''] = command.args;
  const run = COMMANDS[subcommand as keyof typeof COMMANDS];
  if (!Object.hasOwn(COMMANDS, subcommand))
    throw usage(subcommand === '' ? 'a subcommand is missing' : `unknown subcommand "${subcommand}"`);
  return run(command);
}

const COMMANDS = { up, down, status, diff, new: empty };

async function up(command: MigrateCommand): Promise<number> {
  const applied = await (await load(command)).up();
  for (const { version, name } of applied) command.print(`applied ${version} ${name}`);
  if (applied.length === 0) command.print('nothing to apply');
  return 0;
}

async function down(command: MigrateCommand): Promise<number> {
  const { version, name } = await (await load(command)).down();
  command.print(`rolled back ${version} ${name}`);
  return 0;
}

async function status(command: MigrateCommand): Promise<number> {
  const all = await (await load(command)).status();
  for (const { version, name, state, appliedAt } of all) {
    command.print(`${state.padEnd(8)} ${version} ${name}${appliedAt ? ` (${appliedAt.toISOString()})` : ''}`);
  }
  if (all.length === 0) command.print('no migrations');
  return 0;
}

async function diff(command: MigrateCommand): Promise<number> {
  const { db, models = registeredModels(), versionTable = 'schema_migrations', print } = command;
  const dropTables = command.args.includes('--drop-tables');
  const difference = diffSchema(models, await introspect(db), db.dialect, { dropTables, ignore: [versionTable] });
  for (const warning of difference.warnings) print(`warning: ${warning}`);
  if (difference.up.length === 0) {
    print('the database is what the models say');
    return 0;
  }
  const name = option(command.args, '--name') ?? 'changes';
  await write(command, name, script(difference.up, difference.warnings), script(difference.down, []));
  return 0;
}

async function empty(command: MigrateCommand): Promise<number> {
  const name = command.args[1];
  if (!name) throw usage('new needs a name');
  await write(command, name, '-- what the migration does\n', '-- how it is undone\n');
  return 0;
}

async function load({ db, folder, versionTable, print }: MigrateCommand): Promise<Migrations> {
  const runner = migrations.new(db, versionTable, { onWarning: (warning) => print(`warning: ${warning}`) });
  return runner.register(...(await readMigrations(folder)));
}

async function write(
  { folder, now = () => new Date(), print }: MigrateCommand,
  name: string,
  upSql: string,
  downSql: string,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const stem = migrationStem(name, await readdir(folder), now());
  if (stem === undefined) throw usage(`"${name}" gives no file name; use letters and digits`);
  const base = join(folder, stem);
  // wx: an existing migration is never overwritten.
  await writeFile(`${base}.up.sql`, upSql, { flag: 'wx' });
  await writeFile(`${base}.down.sql`, downSql, { flag: 'wx' });
  print(`wrote ${base}.up.sql and ${base}.down.sql`);
}

function script(statements: readonly string[], warnings: readonly string[]): string {
  const notes = warnings.map((warning) => `-- warning: ${warning}\n`).join('');
  return (
    notes + statements.map((statement) => (statement.startsWith('--') ? `${statement}\n` : `${statement};\n`)).join('')
  );
}

function option(args: readonly string[], name: string): string | undefined {
  const inline = args.find((arg) => arg.startsWith(`${name}=`));
  if (inline !== undefined) return inline.slice(name.length + 1);
  const at = args.indexOf(name);
  return at < 0 ? undefined : args[at + 1];
}

function usage(problem: string) {
  return fwError(MIGRATION_ERRORS.FW_MIGRATE_USAGE, { problem });
}
