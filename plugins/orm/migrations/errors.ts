import { defineErrors, fwError, isFwError } from '../../../kernel/index.js';
import { messageOf } from '../../../kernel/errors/index.js';
import type { MigrationContext } from './migration.js';

/** Codes of migrations. */
export const MIGRATION_ERRORS = defineErrors('orm/migrations', {
  FW_MIGRATE_TABLE: {
    message: 'migrations: the table {table} is not one of ours: it has no {missing}.',
    cause:
      'Another tool notes its migrations there: Rails, Ecto, dbmate and golang-migrate call their table the same. Nothing was written to it.',
    remedy: "Name a table of your own: `migrationsTable: 'fw_migrations'` at `fw/orm` in app.config.ts.",
    guide: 'migrations.md#beside-another-migration-tool',
  },
  FW_MIGRATE_FAILED: {
    message: 'migrations: {direction} {version} ({name}): {reason}',
    cause:
      'A migration threw; it was rolled back, those before it stay applied. Where the database commits with every statement that changes the schema, the statements before stay done, and are noted.',
    remedy: 'Correct the migration and run it again; statements that are done already must stay as they are.',
    guide: 'migrations.md#when-a-migration-is-cut-off',
  },
  FW_MIGRATE_HALF: {
    message: 'migrations: {direction} {version} ({name}) is half done: {problem}.',
    cause:
      'A run was cut off in a migration that no transaction is around: the process was killed, or the connection was lost, while the database did a statement that it commits by itself.',
    remedy:
      'Compare the database with the statement. `{fw} migrate resolve <version> --as done` goes on behind it, `--as undone` with it; `--as applied` says that you have finished the migration by hand, `--as rolled-back` that you have undone it.',
    guide: 'migrations.md#when-a-migration-is-cut-off',
  },
  FW_MIGRATE_BATCH: {
    message: 'migrations: the rows of {table} cannot be taken in batches: {problem}.',
    cause: 'Batches follow a key, whose value is noted between two of them.',
    remedy: 'Name the columns of a key that is unique, has no nulls and holds numbers or short texts.',
    guide: 'migrations.md#how-to-move-data',
  },
  FW_MIGRATE_NAME: {
    message: 'migrations: the name {name}, of {what}, has {size}; {dialect} takes {most}.',
    cause: 'The database cuts a longer name or refuses it, so that what is made has another name than the model says.',
    remedy: 'Give it a shorter name, in `@table` or in the tag; the property and the class may keep theirs.',
  },
  FW_MIGRATE_BASELINE: {
    message: 'migrations: there can be no baseline: {problem}.',
    cause: 'A baseline says that a database has already what migrations would make, and nobody can see that it has.',
    remedy:
      'Write and apply the migrations with `{fw} migrate diff` and `{fw} migrate up`, or name the version that the database is at.',
    guide: 'migrations.md#start-from-a-database-that-exists',
  },
  FW_MIGRATE_NO_BASELINE: {
    message:
      'migrations: the database has {tables} already, and no migration makes what is there: another database would lack it. Run `{fw} migrate baseline` first.',
    cause:
      "`schema: 'create-missing'` or `'sync-dev'`, or another tool, has made the tables, and the first migration would only change them: it would fail in an empty database.",
    remedy:
      'Run `{fw} migrate baseline`, which writes the migration that makes them as they are and notes it as applied here, then this again. A database whose rows nobody needs may be dropped instead.',
    guide: 'migrations.md#start-from-a-database-that-exists',
  },
  FW_MIGRATE_RESOLVE: {
    message: 'migrations: {version} cannot be resolved as {as}: {problem}.',
    cause: 'What is said about the migration does not fit what is noted of it.',
    remedy: 'See `{fw} migrate status`.',
    guide: 'migrations.md#when-a-migration-is-cut-off',
  },
  FW_MIGRATE_PENDING: {
    message: 'migrations: not applied to the database {database}: {pending}. Run `{command}` before the start.',
    cause:
      'The folder of the migrations has some that the ledger of the database has not, and the code may need what they make. In the profile `prod` this ends the start where migrations decide about the schema.',
    remedy:
      "Apply them on deployment, or say what shall happen: `pendingMigrations: 'apply'` at `fw/orm` in app.config.ts applies them at start, under the lock of the runner; `'warn'` starts all the same.",
    guide: 'migrations.md#what-happens-at-start',
  },
  FW_MIGRATE_UP_FIRST: {
    message:
      'migrations: not applied to this database: {pending}. Run `{fw} migrate up` first, or delete them to have them made anew.',
    cause:
      '`fw migrate diff` compares the models with the database, so that a new migration would do again what these do, and fail.',
    remedy: 'Apply them, then run this again. One that nobody else has applied may be deleted instead.',
    guide: 'migrations.md#what-diff-writes',
  },
  FW_MIGRATE_SOURCES: {
    message: 'migrations: code generation comes before the models are compared; {problem}',
    cause:
      '`fw migrate diff` and `baseline` take the models as the sources have them, and code generation refuses these.',
    remedy: 'Correct what it names; `{fw} codegen` shows all of it.',
  },
  FW_MIGRATE_NOTHING: {
    message: 'migrations: nothing to roll back',
    cause: '`down` ran and no migration is applied.',
    remedy: 'Nothing to do.',
  },
  FW_MIGRATE_NO_DOWN: {
    message: 'migrations: {version} ({name}) cannot be rolled back: it has no down.',
    cause: 'A migration in SQL has no file `<version>_<name>.down.sql`, or a module exports no `down`.',
    remedy: 'Write how to take it back; an empty function or a comment will do when there is nothing to undo.',
    guide: 'migrations.md#sql-files',
  },
  FW_MIGRATE_DUPLICATE: {
    message: 'migrations: the version {version} is used by {first} and by {second}; versions must be unique.',
    cause: 'Two migrations carry the same version.',
    remedy: 'Give one of them a later version.',
  },
  FW_MIGRATE_UNKNOWN: {
    message: 'migrations: the applied migration {version} ({name}) is not registered, so it cannot be rolled back.',
    cause: 'Its file was removed, or it was applied from another branch.',
    remedy: 'Bring the migration back.',
  },
  FW_MIGRATE_EXISTS: {
    message: 'migrations: there is a file {file} already, and a migration is never overwritten.',
    cause: 'Somebody else made a migration of the same name at the same time.',
    remedy: 'Run the command again.',
  },
  FW_MIGRATE_FOLDER: {
    message: 'migrations: there is no folder {folder}',
    cause: 'The folder of the migrations has another name, or the program runs in another folder than it should.',
    remedy: 'Correct the path; `{fw} migrate diff` and `{fw} migrate new` make the folder with the first migration.',
  },
  FW_MIGRATE_NO_MODELS: {
    message:
      'fw migrate diff: there is no model to compare the database with; expected classes with @table in the files of `models` in app.config.ts, and what `{fw} codegen` and `{fw} build` make of them.',
    cause: 'No class carries `@table`, `app.config.ts` has no `generated`, or what is built is older than the models.',
    remedy: 'Run `{fw} codegen` and `{fw} build`, and see that app.config.ts names `models` and imports `generated`.',
    guide: 'migrations.md#what-diff-writes',
  },
  FW_MIGRATE_FILE: {
    message: 'migrations: {file} is no migration: {problem}',
    cause: 'A file in the migrations folder does not follow the naming or form.',
    remedy:
      'Name files <version>_<name>.up.sql, .down.sql, .seed.sql, or <version>_<name>.ts (compiled by `{fw} build`) or .js with up, down, seed and move.',
    guide: 'migrations.md#sql-files',
  },
  FW_MIGRATE_LOCKED: {
    message: 'migrations: another runner has held the lock for an hour; nothing was done.',
    cause: 'Migrations of this database are running elsewhere, or a session that ran them is still open.',
    remedy: 'Wait for the other one, or end its session, and run again.',
    guide: 'migrations.md#locks',
  },
  FW_MIGRATE_REBUILD: {
    message: 'migrations: the table {table} has to be built anew, and would lose {lost}, which no model says.',
    cause:
      'This database changes columns and constraints by building the table anew; this part of its definition would be gone.',
    remedy: 'Write the change by hand (`{fw} migrate new`), or build the table without that part first.',
    guide: 'migrations.md',
  },
  FW_MIGRATE_VIEW: {
    message: 'fw migrate diff: {table} is a {is} in the database, and {model} is the model of a {wanted}.',
    cause: 'No statement makes a view of a table or a table of a view, and rows would be lost.',
    remedy:
      'Say `view` in `@table` of a model whose rows a query finds, and leave it out of one with rows of its own; or drop the one by hand, or give the model another name of a table.',
    guide: 'migrations.md#views',
  },
  FW_MIGRATE_RENAME: {
    message: 'fw migrate diff: the rename {rename} fits nothing: {problem}.',
    cause: 'The column has its new name already, a name is misspelled, or several tables have such columns.',
    remedy: 'Say <table>.<old name>=<new name>, by the names of columns; without --rename, diff shows what differs.',
    guide: 'migrations.md#what-diff-writes',
  },
  FW_MIGRATE_UNSUPPORTED: {
    message: 'migrations: {dialect} has no {what}.',
    cause: 'An option of a command, or an index of a model, asks for what only other databases have.',
    remedy: 'Leave it out.',
  },
  FW_MIGRATE_USAGE: {
    message:
      'fw migrate: {problem}. Usage: fw migrate up [count] [--lock-timeout <ms>] | down [count] [--lock-timeout <ms>] | status | diff [--name <name>] [--drop-tables] [--rename [<table>.]<old>=<new>] [--concurrently] [--not-valid] [--dry-run] | new <name> [--code] | baseline [version] [--name <name>] | resolve <version> --as done|undone|applied|rolled-back',
    cause: 'Unknown subcommand, or an argument that is missing or too many.',
    remedy: 'Use one of the forms in the sentence.',
  },
});

/** The migration that an error is about. */
export type Half = Pick<MigrationContext, 'direction' | 'version' | 'name'>;

/** The error for a migration that threw. @param standing - the state that it leaves, as the end of the sentence */
export function failed({ direction, version, name }: Half, error: unknown, standing = '') {
  const again = isFwError(error) && error.code === 'FW_ORM_TRANSIENT' ? '; run it again when nobody is in its way' : '';
  const reason = `${messageOf(error)}${again}${standing}`;
  return fwError(MIGRATION_ERRORS.FW_MIGRATE_FAILED, { direction, version, name, reason }, { cause: error });
}
