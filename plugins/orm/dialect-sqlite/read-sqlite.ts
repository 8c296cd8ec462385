import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { fwError, isFwError } from '../../../kernel/index.js';
import { messageOf } from '../../../kernel/errors/index.js';
import { assertOne } from './node-sqlite.js';
import { type HiddenColumn, nameParts, ORM_ERRORS, type ReadRequest, type ReadRows } from '../dialect/index.js';
import { SQLITE_ERRORS } from './errors.js';
import { loadDriver } from './open-sqlite.js';

/** What is used of a connection, whichever driver it is of. */
interface Connection {
  prepare(sql: string): Statement;
  close(): unknown;
}

interface Statement {
  columns(): readonly { readonly name: string }[];
  iterate(): Iterable<readonly unknown[]>;
}

// https://nodejs.org/api/sqlite.html#databasesetauthorizercallback
type Authorizer = (action: number, first: string | null, second: string | null) => number;
interface NodeDatabase extends Connection {
  prepare(sql: string): Statement & { readonly sourceSQL: string };
  setAuthorizer?(authorizer: Authorizer): void;
}
interface NodeSqlite {
  readonly DatabaseSync: (new (file: string, options: object) => NodeDatabase) & { readonly prototype: object };
  readonly constants: Readonly<Record<string, number>>;
}

/**
 * Runs one statement that reads, on a file that is opened read-only (https://sqlite.org/c3ref/open.html). Hidden columns are kept from it by
 * SQLite's authorizer where Node has it; else the statement sees a copy in memory, in which they are not.
 *
 * @throws FwError `FW_ORM_READ_REFUSED` in SQLite's own words, `FW_ORM_READ_COPY`, `FW_ORM_DRIVER_MISSING`
 */
export async function readSqlite({ file }: { readonly file: string }, request: ReadRequest): Promise<ReadRows> {
  const path = resolve(file);
  const sqlite = process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
  const hasAuthorizer = sqlite !== undefined && 'setAuthorizer' in sqlite.DatabaseSync.prototype;
  const database = hasAuthorizer ? authorized(sqlite, path, request) : opened(path, request);
  try {
    return rowsOf(database.prepare(request.sql), request.maxRows);
  } catch (error) {
    if (isFwError(error)) throw error;
    const reason = messageOf(error);
    throw fwError(ORM_ERRORS.FW_ORM_READ_REFUSED, { reason: `${reason}${privateNote(reason, request.hidden)}` }, { cause: error }); // prettier-ignore
  } finally {
    database.close();
  }
}

// Actions that read (https://sqlite.org/c3ref/c_alter_table.html). Pragmas, ATTACH and whatever writes are not among them.
const READING = ['SQLITE_SELECT', 'SQLITE_READ', 'SQLITE_FUNCTION', 'SQLITE_RECURSIVE'];

function authorized({ DatabaseSync, constants }: NodeSqlite, path: string, { hidden }: ReadRequest): Connection {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000, returnArrays: true, readBigInts: true });
  const names = namesOf(hidden);
  const allowed = new Set(READING.map((name) => constants[name]));
  // Bytes of pages hold what columns hide.
  const isHidden = (table: string | null, column: string | null) =>
    table?.toLowerCase() === 'sqlite_dbpage' || names.has(nameOf(table ?? '', column ?? ''));
  database.setAuthorizer?.((action, first, second) => {
    const isRefused = !allowed.has(action) || (action === constants['SQLITE_READ'] && isHidden(first, second));
    return constants[isRefused ? 'SQLITE_DENY' : 'SQLITE_OK'] as number;
  });
  const prepare = (sql: string): Statement => {
    const statement = database.prepare(sql);
    assertOne(sql, statement);
    return statement;
  };
  return { prepare, close: () => database.close() };
}

/** Bytes of a file that is copied without what is hidden. */
const MAX_COPIED = 256 * 1024 * 1024;

function opened(path: string, { hidden }: ReadRequest): Connection {
  const Driver = loadDriver();
  const database = new Driver(hidden.length === 0 ? path : ':memory:', { readonly: hidden.length === 0, timeout: 5_000 }); // prettier-ignore
  if (hidden.length > 0) copy(database, path, hidden);
  database.pragma('query_only = 1');
  const prepare = (sql: string): Statement => {
    const statement = database.prepare(sql);
    // SQLite's own words for a statement: whether it gives rows, and whether it leaves the database as it is.
    if (!statement.reader || !statement.readonly) throw noRows();
    return statement.raw(true).safeIntegers(true) as unknown as Statement;
  };
  return { prepare, close: () => database.close() };
}

// Without the columns that are hidden; a view that reads one of them is there, and fails.
function copy(database: BetterSqlite3.Database, path: string, hidden: readonly HiddenColumn[]): void {
  const { size } = statSync(path);
  if (size > MAX_COPIED) {
    const most = MAX_COPIED / 1024 / 1024;
    throw fwError(SQLITE_ERRORS.FW_ORM_READ_COPY, { file: path, size: Math.ceil(size / 1024 / 1024), most });
  }
  const names = namesOf(hidden);
  database.prepare('ATTACH ? AS source').run(path);
  const schema = database
    .prepare(
      "SELECT type, name, sql FROM source.sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    ) // prettier-ignore
    .all() as { readonly type: string; readonly name: string; readonly sql: string }[];
  for (const { name } of schema.filter(({ type, sql }) => type === 'table' && !/^CREATE VIRTUAL/i.test(sql))) {
    const all = database.prepare('SELECT name FROM pragma_table_xinfo(?, ?)').pluck().all(name, 'source') as string[];
    const seen = all.filter((column) => !names.has(nameOf(name, column))).map(quoted);
    if (seen.length > 0) database.exec(`CREATE TABLE ${quoted(name)} AS SELECT ${seen.join(', ')} FROM source.${quoted(name)}`); // prettier-ignore
  }
  database.exec('DETACH source');
  for (const { sql } of schema.filter(({ type }) => type === 'view')) database.exec(sql);
}

function rowsOf(statement: Statement, maxRows: number): ReadRows {
  const columns = statement.columns().map(({ name }) => name);
  if (columns.length === 0) throw noRows();
  const rows: (readonly unknown[])[] = [];
  for (const row of statement.iterate()) {
    if (rows.length === maxRows) return { columns, rows, isCut: true };
    rows.push(row.map(plain));
  }
  return { columns, rows, isCut: false };
}

const noRows = () =>
  fwError(ORM_ERRORS.FW_ORM_READ_REFUSED, { reason: 'the statement gives no rows, or does not only read' });

// Whole numbers beyond 2^53 as text, and bytes as SQL writes them.
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return value instanceof Uint8Array ? `x'${Buffer.from(value).toString('hex')}'` : value;
}

function privateNote(reason: string, hidden: readonly HiddenColumn[]): string {
  const refused = hidden.filter(({ column }) => reason.toLowerCase().includes(column.toLowerCase()));
  if (refused.length === 0) return '';
  return `; ${refused.map(({ table, column }) => `${table}.${column}`).join(' and ')} is private: name the other columns`;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
// SQLite tells no letter from its capital (https://sqlite.org/lang_keywords.html).
const nameOf = (table: string, column: string): string => `${table}\n${column}`.toLowerCase();
const namesOf = (hidden: readonly HiddenColumn[]): ReadonlySet<string> =>
  new Set(hidden.map(({ table, column }) => nameOf(lastPart(table), lastPart(column))));
const lastPart = (name: string): string => nameParts(name)?.at(-1) ?? name;
