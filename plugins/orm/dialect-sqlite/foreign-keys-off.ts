import { fwError } from '../../../kernel/index.js';
import { ORM_ERRORS, type SqlConnection } from '../dialect/index.js';

type Connection = Pick<SqlConnection, 'query' | 'script'>;

/**
 * Runs a part of a transaction with foreign keys off. The switch has no effect inside a transaction
 * (https://sqlite.org/pragma.html#pragma_foreign_keys), so the open transaction ends before it and a new one begins after it; the
 * connection stays with its holder meanwhile, so no other statement runs unguarded.
 *
 * @throws FwError `FW_ORM_CONSTRAINT` when a row refers to one that is not there any more; nothing is changed then
 */
export async function withoutForeignKeys<Result>(on: Connection, run: () => Promise<Result>): Promise<Result> {
  const [setting] = await on.query('PRAGMA foreign_keys', []);
  if (Number(setting?.[0]) !== 1) return run();
  try {
    return await checked(on, run);
  } finally {
    await on.script('PRAGMA foreign_keys = ON; BEGIN');
  }
}

async function checked<Result>(on: Connection, run: () => Promise<Result>): Promise<Result> {
  try {
    await on.script('COMMIT; PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE');
    const result = await run();
    await assertForeignKeys(on);
    await on.script('COMMIT');
    return result;
  } catch (error) {
    // Some errors make SQLite roll back by itself (https://sqlite.org/lang_transaction.html): a savepoint opens one anew.
    await on.script('SAVEPOINT fw_undone; ROLLBACK');
    throw error;
  }
}

async function assertForeignKeys(on: Connection): Promise<void> {
  const [broken] = await on.query('PRAGMA foreign_key_check', []);
  if (broken === undefined) return;
  const reason = `a row of ${String(broken[0])} refers to one of ${String(broken[2])} that is not there`;
  throw fwError(ORM_ERRORS.FW_ORM_CONSTRAINT, { dialect: 'SQLite', kind: 'foreign key', reason });
}
