import type { ValuesInErrors } from '../core/index.js';

/** Errors of a driver that have values of rows: the default export of `testing/errors-with-values.ts` in a dialect's folder. */
export interface ErrorsWithValues {
  readonly where: ValuesInErrors;
  readonly messages: readonly ((value: string) => string)[];
  /** Members of an error, with the code that stays. */
  members(value: string): Readonly<Record<string, unknown>>;
}
