import { isFwError } from '../../../kernel/index.js';
import { open, type Database, type ModelInfo } from '../core/index.js';
import { pullModels } from '../db-pull/index.js';
import { noteTablesOf } from '../migrations/step-table.js';
import { diffSchema } from '../schema/schema-diff.js';
import { introspect } from '../schema/introspect.js';
import { withJoinTables } from '../schema/join-tables.js';
import { CheckedTable, WRITTEN_ROWS } from './checked-table.js';
import { Findings, reportOf, type CheckStep, type DbCheckResult } from './report.js';
import { ScratchProject } from './scratch-project.js';
import { searchPathHint } from './search-path-hint.js';

/** What `fw db check` is given. */
export interface DbCheckCommand {
  readonly db: Database;
  /** Whether types are checked; default true. */
  readonly types?: boolean;
  /** Project whose TypeScript checks the types. */
  readonly root: string;
  /** Name of the database; default the one without a name. */
  readonly database?: string;
  /** Schemas whose tables are looked at beside those of the current one. */
  readonly schemas?: readonly string[];
  /** Most rows of each table; default all that are read, and 1000 that are written. */
  readonly rows?: number;
  /** Whether rows are written back, in transactions that are rolled back. Default false. */
  readonly write?: boolean;
  /** Whether the folder with the models stays. Default false. */
  readonly keep?: boolean;
  /** Whether the result is printed as JSON. Default false. */
  readonly json?: boolean;
  readonly print: (line: string) => void;
}

/**
 * Runs `fw db check`: describes a database in a scratch folder, and looks whether models, types, schema and cells are right.
 *
 * @returns the exit code: 0 when they are, 1 otherwise
 */
export async function runDbCheck(command: DbCheckCommand): Promise<number> {
  const result = await checkDatabase(command);
  if (command.json) command.print(JSON.stringify(result, null, 2));
  else reportOf(result).forEach(command.print);
  return result.ok ? 0 : 1;
}

/** What {@link runDbCheck} prints. */
export async function checkDatabase(command: DbCheckCommand): Promise<DbCheckResult> {
  const { root, database, schemas = [], keep = false, types = true } = command;
  // Opened without plugins, which may hide or add data.
  const { handle, dialect, options } = command.db;
  const db = open(handle, dialect, { migrationsTable: options.migrationsTable });
  const findings = new Findings();
  const pulled = await pullModels(db, { schemas, ...(database !== undefined && { database }) });
  for (const warning of [...pulled.models.flatMap(({ warnings }) => warnings), ...pulled.warnings])
    findings.note(warning);
  const scratch = await ScratchProject.create(root, pulled.models);
  try {
    const models = pulled.models.length === 0 ? [] : await modelsIn(scratch, findings, types);
    const told = models === undefined ? skipAll(findings) : await compare(db, models, command, findings);
    if (keep) findings.note('holds the models', scratch.folder);
    const { problems, notes, skipped } = findings;
    const size = { tables: pulled.tables, models: pulled.models.length };
    return { ok: problems.length === 0, dialect: db.dialect.name, ...size, ...told, problems, notes, skipped };
  } finally {
    if (!keep) await scratch.remove();
  }
}

async function modelsIn(
  scratch: ScratchProject,
  findings: Findings,
  types: boolean,
): Promise<readonly ModelInfo[] | undefined> {
  for (const problem of await scratch.generate()) findings.add({ step: 'codegen', problem });
  if (findings.problems.length > 0) return undefined;
  const untyped = types ? scratch.uncheckable : 'not asked for';
  if (untyped !== undefined) findings.skipped.types = untyped;
  for (const problem of await scratch.build(untyped === undefined)) findings.add({ step: 'types', problem });
  return scratch.models();
}

const NOTHING = { rows: 0, cells: 0 };

function skipAll(findings: Findings): typeof NOTHING {
  for (const step of ['types', 'diff', 'cells', 'write'] as const satisfies readonly CheckStep[])
    findings.skipped[step] = 'no code could be generated of the models';
  return NOTHING;
}

async function compare(
  db: Database,
  models: readonly ModelInfo[],
  { rows: most, write = false }: DbCheckCommand,
  findings: Findings,
): Promise<{ readonly rows: number; readonly cells: number; readonly written?: number }> {
  const { schema, name } = db.dialect;
  const notes = noteTablesOf(db);
  const actual = await introspect(db, [...models, ...notes]);
  const { up, warnings } = diffSchema(models, actual, db.dialect, { ignore: notes });
  for (const statement of up) findings.add({ step: 'diff', problem: `would be changed: ${statement}` });
  for (const warning of warnings) findings.note(`fw migrate diff warns: ${warning}`);
  if (!write) findings.skipped.write = 'only with --write';
  const { cells } = schema.introspection;
  if (cells === undefined) {
    findings.skipped.cells = `the dialect ${name} does not say cells as text`;
    if (write) findings.skipped.write = findings.skipped.cells;
    return NOTHING;
  }
  const told = { rows: 0, cells: 0, written: 0 };
  const lasting = write ? await lastingTables(db) : new Set<string>();
  const isTable = ({ isView }: ModelInfo) => !isView;
  const tables = withJoinTables(models.filter(isTable), actual).models;
  for (const info of [...tables, ...models.filter(({ isView }) => isView)]) {
    const table = new CheckedTable(db, info, cells, findings);
    const count = info.isView ? await readView(table, most, findings) : await table.read(most);
    told.rows += count;
    told.cells += count * info.readable.length;
    if (!write) continue;
    if (lasting.has(info.table)) findings.note('is not written: no rollback would undo it', info.table);
    else told.written += await table.writeBack(most ?? WRITTEN_ROWS);
  }
  return write ? told : { rows: told.rows, cells: told.cells };
}

// A view may be broken itself: its tables are missing, or it was never filled.
async function readView(table: CheckedTable, most: number | undefined, findings: Findings): Promise<number> {
  try {
    return await table.read(most);
  } catch (error) {
    if (!isFwError(error)) throw error;
    findings.note(`the view ${table.info.table} cannot be read: ${error.message}${searchPathHint(error)}`);
    return 0;
  }
}

async function lastingTables(db: Database): Promise<ReadonlySet<string>> {
  const { lastingTables: sql } = db.dialect.schema.introspection;
  return new Set(sql === undefined ? [] : (await db.handle.query(sql, [])).map(([table]) => String(table)));
}
