import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { fwError } from '../../../kernel/index.js';
import { ORM_ERRORS, assertBoolean, assertMilliseconds, assertWhole } from '../dialect/index.js';
import { assertDriverFits, unloadable } from './driver-fits.js';
import { isBusy } from './sqlite-errors.js';
import { DEFAULT_BUSY_TIMEOUT, SqliteHandle, type SqliteHandleOptions } from './sqlite-handle.js';
import { whileBusy } from './while-busy.js';

// An ES import of CommonJS reads the whole driver once more for the names that it exports, and one of node:fs also loads streams:
// together a sixth of the time to the first row.
const require = createRequire(import.meta.url);

/** Options of {@link openSqlite}. */
export interface SqliteOptions extends SqliteHandleOptions {
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
export async function openSqlite(file: string, options: SqliteOptions = {}): Promise<SqliteHandle> {
  assertOptions(options);
  const Driver = loadDriver();
  const memory = file === ':memory:' || file === '';
  let driver: BetterSqlite3.Database | undefined;
  try {
    if (!memory) process.getBuiltinModule('node:fs').mkdirSync(dirname(resolve(file)), { recursive: true });
    driver = new Driver(memory ? ':memory:' : resolve(file), { timeout: 0 });
    try {
      setUp(driver, memory, options);
    } catch (error) {
      if (!isBusy(error)) throw error;
      const opened = driver;
      await whileBusy(options.busyTimeout ?? DEFAULT_BUSY_TIMEOUT, () => setUp(opened, memory, options));
    }
    return new SqliteHandle(driver, options);
  } catch (error) {
    driver?.close();
    const misfit = unloadable(error, require.resolve);
    if (misfit !== undefined) throw misfit;
    const reason = error instanceof Error ? error.message : String(error);
    throw fwError(ORM_ERRORS.FW_ORM_CONNECTION, { dialect: 'SQLite', reason: `${file}: ${reason}` }, { cause: error });
  }
}

function assertOptions({ stmtCacheSize, busyTimeout, durable, foreignKeys }: SqliteOptions): void {
  assertWhole('stmtCacheSize', stmtCacheSize, 1);
  assertMilliseconds('busyTimeout', busyTimeout);
  assertBoolean('durable', durable);
  assertBoolean('foreignKeys', foreignKeys);
}

// A new file is locked while it is put into write-ahead mode, and with it for whoever opens it at the same time.
function setUp(driver: BetterSqlite3.Database, memory: boolean, { durable, foreignKeys = true }: SqliteOptions): void {
  if (!memory) driver.pragma('journal_mode = WAL');
  driver.pragma(`synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
  driver.pragma(`foreign_keys = ${foreignKeys ? 'ON' : 'OFF'}`);
}

function loadDriver(): typeof BetterSqlite3 {
  assertDriverFits(require.resolve);
  try {
    return require('better-sqlite3') as typeof BetterSqlite3;
  } catch (error) {
    const details = { dialect: 'SQLite', driver: 'better-sqlite3' };
    throw fwError(ORM_ERRORS.FW_ORM_DRIVER_MISSING, details, { cause: error });
  }
}
