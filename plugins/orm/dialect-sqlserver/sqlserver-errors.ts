import { fwError, isFwError, type FwError } from '../../../kernel/index.js';
import { messageOf } from '../../../kernel/errors/index.js';
import { ORM_ERRORS, takeValues, type ValuesInErrors } from '../dialect/index.js';

// https://learn.microsoft.com/sql/relational-databases/errors-events/database-engine-events-and-errors
const TRANSIENT = new Set([1205, 1222, 3960]);
const CONSTRAINTS: Readonly<Record<number, string>> = {
  2627: 'unique',
  2601: 'unique',
  547: 'foreign key or check',
  515: 'not-null',
};
// Conversion failed, overflow, cut off.
const VALUES = new Set([220, 241, 242, 245, 248, 2628, 8114, 8115, 8152, 8169]);
const CONNECTION = /^(ESOCKET|ELOGIN|ETIMEOUT|ECLOSE|EINVALIDSTATE|ECONN)/;

/** Where errors have values of rows. */
export const IN_ERRORS: ValuesInErrors = {
  quoted: [
    /(duplicate key value is )\(.*\)/is,
    /(converting the \w+ value )'.*'(?= to data type)/is,
    /(Truncated value: )'.*'/is,
  ],
  members: [],
};

/** The coded error of a driver error. */
export function sqlserverError(error: unknown, sql: string): FwError {
  if (isFwError(error)) return error;
  takeValues(error, IN_ERRORS);
  const { code = '', number = 0 } = (error ?? {}) as { readonly code?: string; readonly number?: number };
  const reason = messageOf(error);
  const details = { dialect: 'SQL Server', reason, sql, driverCode: number || code };
  const cause = { cause: error };
  if (TRANSIENT.has(number)) return fwError(ORM_ERRORS.FW_ORM_TRANSIENT, details, cause);
  const kind = CONSTRAINTS[number];
  if (kind) return fwError(ORM_ERRORS.FW_ORM_CONSTRAINT, { ...details, kind }, cause);
  if (CONNECTION.test(code)) return fwError(ORM_ERRORS.FW_ORM_CONNECTION, details, cause);
  if (!VALUES.has(number)) return fwError(ORM_ERRORS.FW_ORM_DATABASE, details, cause);
  // String or binary data would be truncated in table 'shop.dbo.orders', column 'note'.
  const column = / column '([^']*)'/.exec(reason)?.[1];
  return fwError(ORM_ERRORS.FW_ORM_VALUE_REFUSED, { ...details, ...(column !== undefined && { column }) }, cause);
}
