import { fwError, type FwError } from '../../../kernel/index.js';
import { ORM_ERRORS } from '../dialect/index.js';

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

/** The coded error of a driver error. */
export function sqliteError(error: unknown, sql: string): FwError {
  const code = codeOf(error);
  const reason = error instanceof Error ? error.message : String(error);
  const details = { dialect: 'SQLite', reason, sql, driverCode: code };
  if (reason.includes('The database connection is not open')) return fwError(ORM_ERRORS.FW_ORM_CLOSED, {});
  if (isBusy(error)) return fwError(ORM_ERRORS.FW_ORM_TRANSIENT, details, { cause: error });
  if (!code.startsWith('SQLITE_CONSTRAINT')) return fwError(ORM_ERRORS.FW_ORM_DATABASE, details, { cause: error });
  return fwError(ORM_ERRORS.FW_ORM_CONSTRAINT, { ...details, kind: CONSTRAINTS[code] ?? 'table' }, { cause: error });
}

function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
