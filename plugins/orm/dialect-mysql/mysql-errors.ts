import { fwError, isFwError, type FwError } from '../../../kernel/index.js';
import { isError } from '../../../kernel/errors/index.js';
import { ORM_ERRORS, takeValues, type ValuesInErrors } from '../dialect/index.js';

// https://dev.mysql.com/doc/mysql-errors/8.0/en/server-error-reference.html
const TRANSIENT = new Set(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_LOCK_NOWAIT', 'ER_CHECKREAD']);
// A row that was changed since the transaction looked at it ends it on MariaDB, where `innodb_snapshot_isolation` is on
// (https://mariadb.com/kb/en/innodb-system-variables/#innodb_snapshot_isolation).
const ENDS_TRANSACTION = new Set(['ER_LOCK_DEADLOCK', 'ER_CHECKREAD']);
const CONSTRAINTS: Readonly<Record<string, string>> = {
  ER_DUP_ENTRY: 'unique',
  ER_NO_REFERENCED_ROW: 'foreign key',
  ER_NO_REFERENCED_ROW_2: 'foreign key',
  ER_ROW_IS_REFERENCED: 'foreign key',
  ER_ROW_IS_REFERENCED_2: 'foreign key',
  ER_BAD_NULL_ERROR: 'not-null',
  ER_CHECK_CONSTRAINT_VIOLATED: 'check',
  ER_CONSTRAINT_FAILED: 'check',
};
const VALUES = new Set([
  'ER_DATA_TOO_LONG',
  'ER_WARN_DATA_OUT_OF_RANGE',
  'ER_DATA_OUT_OF_RANGE',
  'ER_TRUNCATED_WRONG_VALUE',
  'ER_TRUNCATED_WRONG_VALUE_FOR_FIELD',
  'WARN_DATA_TRUNCATED',
]);
const MARIADB_CHECK = 4025;
const MARIADB_CONNECTION_KILLED = 1927;
const MARIADB_STATEMENT_TIMEOUT = 1969;
// By KILL QUERY, or by the server's limit for a statement.
const STOPPED = new Set(['ER_QUERY_INTERRUPTED', 'ER_QUERY_TIMEOUT', 'ER_STATEMENT_TIMEOUT']);
const CONNECTION =
  /^(PROTOCOL_|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ER_ACCESS_DENIED|ER_BAD_DB|ER_CON_COUNT|ER_SERVER_SHUTDOWN|ER_NORMAL_SHUTDOWN|ER_CONNECTION_KILLED|ER_SESSION_WAS_KILLED|ER_CLIENT_INTERACTION_TIMEOUT)/;

/** Where errors have values of rows. */
export const IN_ERRORS: ValuesInErrors = {
  quoted: [
    /(Duplicate entry )'.*'(?= for key )/s,
    /((?:incorrect|invalid) [\w ]+ value:? )'.*'(?= for (?:column|function) |$)/is,
  ],
  members: ['sqlMessage', 'sql', 'parameters'],
};

/** The coded error of a driver error. */
export function mysqlError(error: unknown, sql: string): FwError {
  if (isFwError(error)) return error;
  takeValues(error, IN_ERRORS);
  const code = codeOf(error);
  const reason = isError(error) ? error.message || code : String(error);
  const details = { dialect: 'MySQL', reason, sql, driverCode: code };
  const cause = { cause: error };
  if (TRANSIENT.has(code)) return fwError(ORM_ERRORS.FW_ORM_TRANSIENT, details, cause);
  if (CONNECTION.test(code) || isFatal(error)) return fwError(ORM_ERRORS.FW_ORM_CONNECTION, details, cause);
  if (STOPPED.has(code)) return fwError(ORM_ERRORS.FW_ORM_STOPPED, details, cause);
  const word = code === 'ER_PARSE_ERROR' ? unknownSetWord(reason, sql) : undefined;
  if (word) return fwError(ORM_ERRORS.FW_ORM_UNSUPPORTED, { ...details, feature: word, reason: SETS_SINCE }, cause);
  const kind = CONSTRAINTS[code];
  if (kind) return fwError(ORM_ERRORS.FW_ORM_CONSTRAINT, { ...details, kind }, cause);
  if (!VALUES.has(code)) return fwError(ORM_ERRORS.FW_ORM_DATABASE, details, cause);
  // Data too long for column 'name' at row 1; Incorrect ... value: ... for column `db`.`table`.`name` at row 1.
  const column = / column (?:[`'][^`']*[`']\.)*[`']([^`']*)[`']/.exec(reason)?.[1];
  return fwError(ORM_ERRORS.FW_ORM_VALUE_REFUSED, { ...details, ...(column !== undefined && { column }) }, cause);
}

// https://dev.mysql.com/doc/relnotes/mysql/8.0/en/news-8-0-31.html, https://mariadb.com/kb/en/intersect/
const SETS_SINCE =
  'this server is too old: MySQL has it from 8.0.31 on, MariaDB from 10.3 on, with ALL from 10.5 on; use exists or notExists in where';

/**
 * The word by which two queries are combined and that a server does not know: it takes it for the name of the table before it and stumbles
 * over what follows, or stumbles over the word itself.
 */
function unknownSetWord(reason: string, sql: string): string | undefined {
  const [, at = ''] = /near '(.*)/s.exec(reason) ?? [];
  const known = /\b(INTERSECT|EXCEPT)( ALL)? SELECT\b/.exec(sql);
  if (known === null) return undefined;
  return /^(?:INTERSECT|EXCEPT|ALL|SELECT)\b/.test(at) ? `${known[1]}${known[2] ?? ''}` : undefined;
}

/** Whether the driver says that the connection is gone. */
const isFatal = (error: unknown): boolean => (error as { readonly fatal?: unknown } | null)?.fatal === true;

// With these the server takes its leave; that it has closed the connection may reach this side only later.
const LAST_WORDS = new Set([
  'ER_SERVER_SHUTDOWN',
  'ER_NORMAL_SHUTDOWN',
  'ER_CONNECTION_KILLED',
  'ER_SESSION_WAS_KILLED',
  'ER_CLIENT_INTERACTION_TIMEOUT',
]);

/** Whether the connection is gone, or will be in a moment. */
export const endsConnection = (error: unknown): boolean => isFatal(error) || LAST_WORDS.has(codeOf(error));

/** Whether the server has rolled back the whole transaction (https://dev.mysql.com/doc/refman/8.0/en/innodb-error-handling.html). */
export const endsTransaction = (error: unknown): boolean => ENDS_TRANSACTION.has(codeOf(error));

function codeOf(error: unknown): string {
  const { code, errno } = (error ?? {}) as { readonly code?: unknown; readonly errno?: unknown };
  // The driver knows MySQL's numbers only (https://mariadb.com/kb/en/mariadb-error-code-reference/).
  const { sqlState } = (error ?? {}) as { readonly sqlState?: unknown };
  if (errno === MARIADB_CHECK && sqlState === '23000') return 'ER_CONSTRAINT_FAILED';
  if (errno === MARIADB_CONNECTION_KILLED && sqlState === '70100') return 'ER_CONNECTION_KILLED';
  if (errno === MARIADB_STATEMENT_TIMEOUT && sqlState === '70100') return 'ER_STATEMENT_TIMEOUT';
  return typeof code === 'string' ? code : '';
}
