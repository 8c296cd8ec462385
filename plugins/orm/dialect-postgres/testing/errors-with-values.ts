import type { ErrorsWithValues } from '../../contract/errors-with-values.js';
import { IN_ERRORS } from '../postgres-errors.js';

/** Errors of the driver that have a value of a row. */
export default {
  where: IN_ERRORS,
  messages: [
    (value) => `invalid input syntax for type integer: "${value}"`,
    (value) => `value "${value}" is out of range for type integer`,
    (value) => `invalid input value for enum mood: "${value}"`,
  ],
  members: (value) => ({ detail: `Key (api_key)=(${value}) already exists.`, code: '23505' }),
} satisfies ErrorsWithValues;
