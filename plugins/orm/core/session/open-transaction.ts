import { fwError, isFwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { Session } from './session.js';
import type { SqlHandle, TransactionOptions } from './sql-handle.js';
import { run, type Transaction } from './transaction.js';

/** A transaction, or a savepoint, that whoever began it ends. */
export interface OpenTransaction extends Transaction {
  /**
   * Commits; of a savepoint, keeps what was done in it as a part of the transaction around it.
   *
   * @throws FwError as `transaction.run`; `FW_ORM_TIMEOUT` or `FW_ORM_ABORTED` when its limits have rolled it back before,
   *   `FW_ORM_TRANSACTION_OVER` when it has ended
   */
  commit(): Promise<void>;
  /**
   * Undoes what was done in it.
   *
   * @throws FwError `FW_ORM_TRANSACTION_OVER` when it has ended, `FW_ORM_ROLLBACK` when the database does not roll back
   */
  rollback(): Promise<void>;
  /** Rolls back what has not ended, as `await using` has it at the end of a block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Rolls back, and is thrown to nobody. */
class GivenUp extends Error {}

/**
 * Begins a transaction that the caller ends, where no function can be around all of it: a test that is undone at its end, steps of a
 * conversation. On a transaction it is a savepoint. Until its end it has a connection for itself, so a `timeout` is of use; nothing is
 * retried. Where a function will do, `transaction.run` cannot be forgotten to end.
 *
 * @param on - the database, the handle that it was opened on, or a transaction
 * @param options - isolation, read-only, deadline; of a savepoint its deadline. Past it the transaction is rolled back
 * @throws FwError `FW_ORM_OUTER_TRANSACTION` on a transaction with a savepoint that was begun in this way and is open
 * @example
 * await using tx = await transaction.begin(db);
 * await model(tx, Order).create(order);
 * await tx.commit();
 */
function begin(on: Session | SqlHandle, options: TransactionOptions | null = null): Promise<OpenTransaction> {
  return new Promise((begun, failed) => {
    const ended = run(on, options, { maxAttempts: 1 }, (tx) => {
      tx.hold();
      return new Promise<void>((commit, giveUp) => {
        begun(
          Object.assign(
            tx,
            ends(tx, commit, giveUp, () => ended),
          ),
        );
      });
    });
    // Until somebody ends it, nobody waits for what its limits make of it.
    ended.catch(failed);
  });
}

function ends(
  tx: Transaction,
  commit: () => void,
  giveUp: (reason: Error) => void,
  ended: () => Promise<void>,
): Pick<OpenTransaction, 'commit' | 'rollback' | typeof Symbol.asyncDispose> {
  let isEnded = false;
  const isOver = () => isEnded || tx.isOrphan;
  const end = (how: () => void): void => {
    if (isOver()) throw fwError(ORM_ERRORS.FW_ORM_TRANSACTION_OVER, {});
    isEnded = true;
    how();
  };
  const rollback = async (): Promise<void> => {
    end(() => giveUp(new GivenUp('rolled back by its owner')));
    await ended().catch(unlessRolledBack);
  };
  return {
    commit: async () => {
      end(commit);
      await ended();
    },
    rollback,
    [Symbol.asyncDispose]: async () => (isOver() ? undefined : rollback()),
  };
}

const ROLLED_BACK = new Set(['FW_ORM_TIMEOUT', 'FW_ORM_ABORTED']);

// Past its limits it has been rolled back already, which is what is asked for.
function unlessRolledBack(error: unknown): void {
  if (error instanceof GivenUp || (isFwError(error) && ROLLED_BACK.has(error.code))) return;
  throw error;
}

/** Transactions. */
export const transaction = { run, begin };
