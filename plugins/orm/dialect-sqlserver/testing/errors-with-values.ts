import type { ErrorsWithValues } from '../../contract/errors-with-values.js';
import { IN_ERRORS } from '../sqlserver-errors.js';

/** Errors of the driver that have a value of a row. */
export default {
  where: IN_ERRORS,
  messages: [
    (value) =>
      `Violation of UNIQUE KEY constraint 'u'. Cannot insert duplicate key in object 'dbo.users'. The duplicate key value is (${value}).`,
    (value) => `Conversion failed when converting the varchar value '${value}' to data type int.`,
    (value) =>
      `String or binary data would be truncated in table 'dbo.users', column 'pin'. Truncated value: '${value}'.`,
  ],
  members: () => ({ code: 'EREQUEST', number: 2627 }),
} satisfies ErrorsWithValues;
