import { isFwError } from '../../../kernel/index.js';

/** Members by which drivers tell what refused a statement; SQLSTATE, and the constraint where the server names it. */
const OF_DRIVERS = ['sqlState', 'constraint', 'schema', 'table'] as const;

/**
 * What tells the refusals of a database apart: codes, and the constraint where it is named. No sentence is part of it, because that of a
 * trigger may name the row.
 *
 * @returns undefined for what is no coded error
 */
export function refusalOf(error: unknown): string | undefined {
  if (!isFwError(error)) return undefined;
  const { driverCode, kind } = error.details;
  const cause = (error.cause ?? {}) as Readonly<Record<string, unknown>>;
  return JSON.stringify([error.code, driverCode, kind, ...OF_DRIVERS.map((name) => cause[name])]);
}
