import { fwError, isFwError, type FwError } from '../../../kernel/index.js';
import { isError } from '../../../kernel/errors/index.js';
import { ORM_ERRORS, takeValues, type ValuesInErrors } from '../dialect/index.js';

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const TRANSIENT = new Set(['40001', '40P01', '55P03']);
const CONSTRAINTS: Readonly<Record<string, string>> = {
  '23505': 'unique',
  '23503': 'foreign key',
  '23502': 'not-null',
  '23514': 'check',
  '23P01': 'exclusion',
};
// Too long, out of range, no time, no text of the encoding, no text of the type.
const VALUES = new Set(['22001', '22003', '22007', '22008', '22021', '22P02', '22P03', '22P05']);
// query_canceled: by another session, or by statement_timeout.
const STOPPED = '57014';
// invalid_column_reference: of ON CONFLICT, that there is no unique index of its columns.
const LACKS_KEY = '42P10';
// The last three are sessions that stood idle, or transactions that took too long, for the server's settings.
const CONNECTION = /^(08|57P0[123]|28|3D000|57P05|25P03|25P04)|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN/;
const LOST = /connection terminated|connection ended|not queryable|timeout expired/i;

/** Where errors have values of rows (https://www.postgresql.org/docs/current/protocol-error-fields.html: detail, where). */
export const IN_ERRORS: ValuesInErrors = {
  quoted: [
    /(invalid [\w ]*(?:syntax|value) for [\w ]+: )".*"/is,
    /(^(?:date\/time field )?value )".*"(?= is out of range)/is,
  ],
  members: ['detail', 'where'],
};

/** The coded error of a driver error. */
export function postgresError(error: unknown, sql: string): FwError {
  if (isFwError(error)) return error;
  takeValues(error, IN_ERRORS);
  const details = detailsOf(error, sql);
  const { driverCode: code, reason } = details;
  const cause = { cause: error };
  if (TRANSIENT.has(code)) return fwError(ORM_ERRORS.FW_ORM_TRANSIENT, details, cause);
  if (code === STOPPED) return fwError(ORM_ERRORS.FW_ORM_STOPPED, details, cause);
  if (isLost(error, code, reason)) return fwError(ORM_ERRORS.FW_ORM_CONNECTION, details, cause);
  const kind = CONSTRAINTS[code];
  if (kind) return fwError(ORM_ERRORS.FW_ORM_CONSTRAINT, { ...details, kind }, cause);
  if (VALUES.has(code)) return fwError(ORM_ERRORS.FW_ORM_VALUE_REFUSED, details, cause);
  return fwError(ORM_ERRORS.FW_ORM_DATABASE, { ...details, ...(code === LACKS_KEY && { lacksKey: true }) }, cause);
}

/**
 * The error of a transaction that was lost to a prepared statement which the server had dropped or could no longer run. It is prepared
 * again with the next one, so trying again helps.
 */
export function staleStatement(error: unknown, sql: string): FwError {
  return fwError(ORM_ERRORS.FW_ORM_TRANSIENT, detailsOf(error, sql), { cause: error });
}

function detailsOf(error: unknown, sql: string) {
  const code = codeOf(error);
  const reason = isError(error) ? error.message || code : String(error);
  return { dialect: 'PostgreSQL', reason, sql, driverCode: code };
}

function isLost(error: unknown, code: string, reason: string): boolean {
  // By the same code as poolers refuse a connection, the server names a wrong number of parameters.
  if ((error as { readonly routine?: unknown } | null)?.routine === 'exec_bind_message') return false;
  // What comes from the server has a code, and may be a sentence of the application (RAISE EXCEPTION).
  return CONNECTION.test(code) || (code === '' && LOST.test(reason));
}

function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
