import { fwError, type FwError } from '../../../kernel/index.js';
import { messageOf } from '../../../kernel/errors/index.js';
import { ORM_ERRORS } from '../dialect/index.js';

/** Result codes that mean something here, for drivers that give their numbers (https://sqlite.org/rescode.html). */
const NAMES: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  19: 'SQLITE_CONSTRAINT',
  275: 'SQLITE_CONSTRAINT_CHECK',
  787: 'SQLITE_CONSTRAINT_FOREIGNKEY',
  1299: 'SQLITE_CONSTRAINT_NOTNULL',
  1555: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  2067: 'SQLITE_CONSTRAINT_UNIQUE',
  2579: 'SQLITE_CONSTRAINT_ROWID',
};
// Of better-sqlite3; of node:sqlite.
const CLOSED = /database connection is not open|database is not open|statement has been finalized/;
// It has no code of its own (https://sqlite.org/lang_upsert.html).
const LACKS_KEY = /ON CONFLICT clause does not match any PRIMARY KEY or UNIQUE/;
/** The result code that an extended one belongs to. */
const PRIMARY = 0xff;

const CONSTRAINTS: Readonly<Record<string, string>> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_ROWID: 'unique',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreign key',
  SQLITE_CONSTRAINT_NOTNULL: 'not-null',
  SQLITE_CONSTRAINT_CHECK: 'check',
};

/** Whether another connection holds the lock that a statement needs (https://sqlite.org/rescode.html#busy). */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED');
}

/**
 * The coded error of the error of a driver of SQLite: one that has the name of the result code as `code`, as better-sqlite3 and libsql
 * give it, or its number as `errcode`, as node:sqlite does.
 */
export function sqliteError(error: unknown, sql: string): FwError {
  const code = codeOf(error);
  const reason = messageOf(error);
  const details = { dialect: 'SQLite', reason, sql, driverCode: code };
  if (CLOSED.test(reason)) return fwError(ORM_ERRORS.FW_ORM_CLOSED, {});
  if (isBusy(error)) return fwError(ORM_ERRORS.FW_ORM_TRANSIENT, details, { cause: error });
  if (LACKS_KEY.test(reason))
    return fwError(ORM_ERRORS.FW_ORM_DATABASE, { ...details, lacksKey: true }, { cause: error });
  if (!code.startsWith('SQLITE_CONSTRAINT')) return fwError(ORM_ERRORS.FW_ORM_DATABASE, details, { cause: error });
  return fwError(ORM_ERRORS.FW_ORM_CONSTRAINT, { ...details, kind: CONSTRAINTS[code] ?? 'table' }, { cause: error });
}

function codeOf(error: unknown): string {
  const { code, errcode } = (error ?? {}) as { readonly code?: unknown; readonly errcode?: unknown };
  if (typeof errcode === 'number') return NAMES[errcode] ?? NAMES[errcode & PRIMARY] ?? String(code);
  return typeof code === 'string' ? code : '';
}
