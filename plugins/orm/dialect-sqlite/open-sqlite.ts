import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { fwError } from '../../../kernel/index.js';
import { messageOf } from '../../../kernel/errors/index.js';
import { assertBoolean, assertMilliseconds, assertWhole, driverMissing, ORM_ERRORS } from '../dialect/index.js';
import { assertDriverFits, unloadable } from './driver-fits.js';
import { type DatabaseSync, nodeSqlite } from './node-sqlite.js';
import { betterSqlite3, type SqliteClient, type SqliteDatabase } from './sqlite-database.js';
import { isBusy } from './sqlite-errors.js';
import { DEFAULT_BUSY_TIMEOUT, SqliteHandle, type SqliteHandleOptions } from './sqlite-handle.js';
import { whileBusy } from './while-busy.js';

// An ES import of CommonJS reads the whole driver once more for the names that it exports, and one of node:fs also loads streams:
// together a sixth of the time to the first row.
const require = createRequire(import.meta.url);

/** Options of {@link openSqlite}. */
export interface SqliteOptions extends SqliteHandleOptions {
  /** The driver: the package better-sqlite3 (default), or the module of Node, from Node 24 on. It does not depend on installed packages. */
  readonly client?: 'better-sqlite3' | 'node:sqlite';
  /** Whether every commit waits for the disk. Default false: a power cut may lose the last commits, never the database. */
  readonly durable?: boolean;
  /** Whether foreign keys are enforced. Default true. */
  readonly foreignKeys?: boolean;
}

/**
 * Opens a SQLite database in write-ahead mode (https://sqlite.org/wal.html), creating file and folder when they are missing.
 *
 * @param file - path, or `:memory:`
 * @throws FwError `FW_ORM_OPTIONS`, `FW_ORM_DRIVER_MISSING`, `FW_ORM_DRIVER_NODE`, `FW_ORM_DRIVER_BINARY`, `FW_ORM_CONNECTION`
 */
export async function openSqlite(
  file: string,
  options: SqliteOptions & { readonly client: 'node:sqlite' },
): Promise<SqliteHandle<DatabaseSync>>;
export async function openSqlite(
  file: string,
  options?: SqliteOptions & { readonly client?: 'better-sqlite3' },
): Promise<SqliteHandle>;
export async function openSqlite(file: string, options?: SqliteOptions): Promise<SqliteHandle<unknown>>;
export async function openSqlite(file: string, options: SqliteOptions = {}): Promise<SqliteHandle<unknown>> {
  assertOptions(options);
  return opened<unknown>(options.client === 'node:sqlite' ? nodeSqlite() : betterSqlite3(loadDriver()), file, options);
}

async function opened<Driver>(
  client: SqliteClient<Driver>,
  file: string,
  options: SqliteOptions,
): Promise<SqliteHandle<Driver>> {
  const memory = file === ':memory:' || file === '';
  let database: SqliteDatabase | undefined;
  try {
    if (!memory) process.getBuiltinModule('node:fs').mkdirSync(dirname(resolve(file)), { recursive: true });
    const made = (database = client.open(memory ? ':memory:' : resolve(file)));
    try {
      setUp(made, memory, options);
    } catch (error) {
      if (!isBusy(error)) throw error;
      await whileBusy(options.busyTimeout ?? DEFAULT_BUSY_TIMEOUT, () => setUp(made, memory, options));
    }
    return new SqliteHandle(made, options, client);
  } catch (error) {
    database?.close();
    const misfit = unloadable(error, require.resolve);
    if (misfit !== undefined) throw misfit;
    const reason = messageOf(error);
    throw fwError(ORM_ERRORS.FW_ORM_CONNECTION, { dialect: 'SQLite', reason: `${file}: ${reason}` }, { cause: error });
  }
}

const CLIENTS = ['better-sqlite3', 'node:sqlite'];

function assertOptions({ client, stmtCacheSize, busyTimeout, durable, foreignKeys }: SqliteOptions): void {
  assertWhole('stmtCacheSize', stmtCacheSize, 1);
  assertMilliseconds('busyTimeout', busyTimeout);
  assertBoolean('durable', durable);
  assertBoolean('foreignKeys', foreignKeys);
  if (client === undefined || CLIENTS.includes(client)) return;
  const expected = `one of ${CLIENTS.join(', ')}`;
  throw fwError(ORM_ERRORS.FW_ORM_OPTIONS, { option: 'client', expected, got: JSON.stringify(client) });
}

// A new file is locked while it is put into write-ahead mode, and with it for whoever opens it at the same time.
function setUp(driver: SqliteDatabase, memory: boolean, { durable, foreignKeys = true }: SqliteOptions): void {
  if (!memory) driver.pragma('journal_mode = WAL');
  driver.pragma(`synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
  driver.pragma(`foreign_keys = ${foreignKeys ? 'ON' : 'OFF'}`);
}

/** The driver better-sqlite3. @throws FwError `FW_ORM_DRIVER_MISSING`, and for one that this Node cannot run `FW_ORM_DRIVER_NODE` */
export function loadDriver(): typeof BetterSqlite3 {
  assertDriverFits(require.resolve);
  try {
    return require('better-sqlite3') as typeof BetterSqlite3;
  } catch (error) {
    throw driverMissing('SQLite', 'better-sqlite3', error);
  }
}
