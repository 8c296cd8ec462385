import { setTimeout as delay } from 'node:timers/promises';
import { fwError, isFwError } from '../../../kernel/index.js';
import {
  assertMilliseconds,
  transactionOn,
  type Database,
  type MaybePromise,
  type SessionLock,
  type SqlConnection,
  type Transaction,
  type TransactionOptions,
} from '../core/index.js';
import { MIGRATION_ERRORS } from './errors.js';
import type { Place } from './place.js';

const PAUSE_MS = 100;
const LONGEST_WAIT_MS = 3_600_000;

/** Excludes other runners of migrations, and limits the wait for the locks of other sessions. */
export class RunnerLock {
  /** @throws FwError `FW_ORM_OPTIONS`, `FW_MIGRATE_UNSUPPORTED` */
  constructor(
    private readonly db: Database,
    private readonly lockTimeout: number | undefined,
  ) {
    assertMilliseconds('lockTimeout', lockTimeout);
    if (lockTimeout !== undefined && db.dialect.schema.lockTimeout === undefined)
      throw fwError(MIGRATION_ERRORS.FW_MIGRATE_UNSUPPORTED, { dialect: db.dialect.name, what: 'timeout of locks' });
  }

  /**
   * Runs under a session lock, on the connection of that session. If the lock belongs to transactions, or none is needed, it runs on any
   * connection.
   */
  async session<Result>(run: (place: Place) => Promise<Result>): Promise<Result> {
    const { acquire, release } = this.db.dialect.schema.advisoryLock ?? {};
    if (acquire !== undefined && release !== undefined) return this.#reserved({ acquire, release }, run);
    const handle = this.db.handle;
    return run({ connection: handle, begin: (options) => handle.begin(options) });
  }

  /** Runs work outside of a transaction under the lock: the lock of the place, or that of a new session. */
  async outside<Result>(place: Place, run: (place: Place) => Promise<Result>): Promise<Result> {
    const { session } = this.db.dialect.schema.advisoryLock ?? {};
    return session === undefined ? run(place) : this.#reserved(session, run);
  }

  /** Runs in a transaction under the lock; without advisory locks, a write transaction excludes other runners. */
  async transaction(place: Place, run: (tx: Transaction) => Promise<void>): Promise<void> {
    const { advisoryLock: lock } = this.db.dialect.schema;
    if (lock === undefined || lock.release !== undefined) return transactionOn(this.db, place, {}, run);
    // The transaction must see what others commit while it waits for the lock.
    const options: TransactionOptions = { isolation: 'readCommitted' };
    // Each try has a transaction of its own: the holder may be making an index concurrently, which waits for open transactions.
    await untilAcquired(lock, () =>
      transactionOn(this.db, place, options, async (tx) => {
        if (!(await isAcquired(tx, lock.acquire))) return false;
        await this.#limited(tx, () => run(tx));
        return true;
      }),
    );
  }

  /** Runs in a transaction, under a lock that is already held. */
  transactionUnder(place: Place, run: (tx: Transaction) => Promise<void>): Promise<void> {
    const { lockTimeout: { reset } = {} } = this.db.dialect.schema;
    return transactionOn(this.db, place, {}, (tx) =>
      reset === undefined ? this.#limited(tx, () => run(tx)) : run(tx),
    );
  }

  async #reserved<Result>(lock: SessionLock, run: (place: Place) => Promise<Result>): Promise<Result> {
    const handle = this.db.handle;
    if (handle.reserve === undefined) return run({ connection: handle, begin: (options) => handle.begin(options) });
    const reserved = await handle.reserve();
    try {
      await untilAcquired(lock, () => isAcquired(reserved.connection, lock.acquire));
      try {
        const { reset } = this.db.dialect.schema.lockTimeout ?? {};
        return await (reset === undefined ? run(reserved) : this.#limited(reserved.connection, () => run(reserved)));
      } finally {
        await unlessLost(reserved.connection.query(lock.release, [], { once: true }));
      }
    } finally {
      reserved.giveBack();
    }
  }

  // Set after the lock of the runners is taken, because the wait for another runner may be long.
  async #limited<Result>(on: SqlConnection, run: () => Promise<Result>): Promise<Result> {
    const { lockTimeout: limit } = this.db.dialect.schema;
    if (this.lockTimeout === undefined || limit === undefined) return run();
    await on.script(limit.set(this.lockTimeout));
    if (limit.reset === undefined) return run();
    try {
      return await run();
    } finally {
      await unlessLost(on.script(limit.reset));
    }
  }
}

async function untilAcquired(
  { tries = false }: Pick<SessionLock, 'tries'>,
  attempt: () => Promise<boolean>,
): Promise<void> {
  for (const until = performance.now() + LONGEST_WAIT_MS; !(await attempt()); await delay(PAUSE_MS))
    if (!tries || performance.now() > until) throw fwError(MIGRATION_ERRORS.FW_MIGRATE_LOCKED, {});
}

async function isAcquired(on: SqlConnection, acquire: string): Promise<boolean> {
  const [row] = await on.query(acquire, [], { once: true, timeout: 0 });
  return String(row?.[0]) !== '0';
}

/** Ignores a lost connection while ending session state: the state is gone with the connection, and the caller gets the first error. */
async function unlessLost(ended: MaybePromise<unknown>): Promise<void> {
  await Promise.resolve(ended).catch((error: unknown) => {
    if (!isFwError(error) || error.code !== 'FW_ORM_CONNECTION') throw error;
  });
}
