import { isFwError } from '../../../../kernel/index.js';
import type { SqlConnection } from '../session/sql-handle.js';

/** Runs a statement. @returns whether the database takes it */
export async function isTaken(on: Pick<SqlConnection, 'script'>, sql: string): Promise<boolean> {
  try {
    await on.script(sql);
    return true;
  } catch (error) {
    if (isFwError(error)) return false;
    throw error;
  }
}
