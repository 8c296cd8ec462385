import { transaction, type Database, type Transaction } from '../core/index.js';

class RolledBack extends Error {}

/** Runs work in a transaction and rolls it back, so that its changes are undone, as far as the database can. */
export async function rolledBack<Result>(
  db: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result | undefined> {
  let result: Result | undefined;
  try {
    await transaction.run(db, null, { maxAttempts: 1 }, async (tx) => {
      result = await work(tx);
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  return result;
}
