import type { ErrorsWithValues } from '../../contract/errors-with-values.js';
import { IN_ERRORS } from '../mysql-errors.js';

/** Errors of the driver that have a value of a row. */
export default {
  where: IN_ERRORS,
  messages: [
    (value) => `Duplicate entry '${value}' for key 'users.api_key'`,
    (value) => `Incorrect integer value: '${value}' for column \`shop\`.\`users\`.\`pin\` at row 1`,
    (value) => `Truncated incorrect DOUBLE value: '${value}'`,
  ],
  members: (value) => ({ sqlMessage: `Duplicate entry '${value}'`, sql: `SELECT '${value}'`, code: 'ER_DUP_ENTRY' }),
} satisfies ErrorsWithValues;
