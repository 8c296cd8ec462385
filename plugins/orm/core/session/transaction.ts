import { fwError, isFwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import { sessionOf, type Database } from './database.js';
import { backOff, retryPolicy, type RetryPolicy } from './retry.js';
import type { Session } from './session.js';
import type {
  SqlConnection,
  SqlHandle,
  SqlTransactionConnection,
  StatementOptions,
  TransactionOptions,
  WriteResult,
} from './sql-handle.js';

type AfterCommit = () => void | Promise<void>;

/**
 * A running transaction, or a savepoint inside one. What is built on it joins it: `model(tx, User)`. Statements of parallel
 * calls run one after the other on its one connection.
 */
export class Transaction implements Session, SqlConnection {
  readonly connection: SqlConnection = this;
  #over = false;
  #savepoints = 0;
  #nested: Promise<unknown> = Promise.resolve();
  readonly #callbacks: AfterCommit[] = [];

  constructor(
    readonly database: Database,
    private readonly on: SqlTransactionConnection,
    private readonly outer?: Transaction,
  ) {}

  /** Runs a callback after the outermost commit; not at all when it is rolled back. */
  afterCommit(callback: AfterCommit): void {
    this.#assertRunning();
    this.#callbacks.push(callback);
  }

  query(sql: string, parameters: readonly unknown[], options?: StatementOptions) {
    this.#assertRunning();
    return this.on.query(sql, parameters, options);
  }

  queryFirst(sql: string, parameters: readonly unknown[], options?: StatementOptions) {
    this.#assertRunning();
    return this.on.queryFirst(sql, parameters, options);
  }

  execute(sql: string, parameters: readonly unknown[], options?: StatementOptions): WriteResult | Promise<WriteResult> {
    this.#assertRunning();
    return this.on.execute(sql, parameters, options);
  }

  stream(sql: string, parameters: readonly unknown[], options: StatementOptions & { readonly batchSize: number }) {
    this.#assertRunning();
    return this.on.stream(sql, parameters, options);
  }

  script(sql: string) {
    this.#assertRunning();
    return this.on.script(sql);
  }

  /** Runs `fn` inside a savepoint. Savepoints are a stack, so parallel ones take turns. */
  nested<Result>(fn: (tx: Transaction) => Promise<Result>): Promise<Result> {
    this.#assertRunning();
    const run = this.#nested.then(() => this.#inSavepoint(fn));
    this.#nested = run.catch(() => undefined);
    return run;
  }

  /** Marks the end; later calls on this object get `FW_ORM_TRANSACTION_OVER`. */
  finish(): readonly AfterCommit[] {
    this.#over = true;
    return this.#callbacks;
  }

  async #inSavepoint<Result>(fn: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const name = `sp_${this.#root().#nextSavepoint()}`;
    const inner = new Transaction(this.database, this.on, this);
    await this.on.savepoint(name);
    try {
      const result = await fn(inner);
      this.#callbacks.push(...inner.finish());
      await this.on.release(name);
      return result;
    } catch (error) {
      inner.finish();
      await rolledBack(() => this.on.rollbackTo(name), error);
      throw error;
    }
  }

  #root(): Transaction {
    return this.outer === undefined ? this : this.outer.#root();
  }

  #nextSavepoint(): number {
    return ++this.#savepoints;
  }

  #assertRunning(): void {
    if (this.#over) throw fwError(ORM_ERRORS.FW_ORM_TRANSACTION_OVER, {});
    if (this.outer !== undefined) this.outer.#assertRunning();
  }
}

/**
 * Runs `fn` in a transaction and gives its result (SPEC "ORM operations", `transaction.Run`). An error from `fn` rolls back;
 * a transient one is retried, the whole function anew. On a transaction, `fn` runs in a savepoint of it, without retries:
 * what failed may have spoiled the outer transaction.
 *
 * @param on - the database, the handle that it was opened on, or a transaction
 * @param options - isolation, read-only, deadline; null for none
 * @param policy - retries; null for the policy of `open` (`withRetryPolicy`), else 3 attempts, 10 ms doubling, 500 ms at most
 * @throws FwError `FW_ORM_TRANSACTION_GAVE_UP` after the last attempt
 * @example await transaction.run(db, null, null, async (tx) => { await model(tx, Order).create(order); });
 */
async function run<Result>(
  on: Session | SqlHandle,
  options: TransactionOptions | null,
  policy: Partial<RetryPolicy> | null,
  fn: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const session = sessionOf(on);
  if (session instanceof Transaction) return session.nested(fn);
  const full = retryPolicy(policy ?? session.database.options.executor.retryPolicy);
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(session.database, options ?? {}, fn);
    } catch (error) {
      if (!full.isRetryable(error)) throw error;
      if (attempt >= full.maxAttempts) throw attempt === 1 ? error : gaveUp(attempt, error);
      await backOff(full, attempt, options?.signal);
    }
  }
}

/** Transactions. */
export const transaction = { run };

async function once<Result>(
  database: Database,
  options: TransactionOptions,
  fn: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const connection = await database.sqlDB().begin(options);
  const tx = new Transaction(database, connection);
  let result: Result;
  try {
    const running = connection.inside === undefined ? fn(tx) : connection.inside(() => fn(tx));
    result = await withinDeadline(options, running);
  } catch (error) {
    tx.finish();
    await rolledBack(() => connection.rollback(), error);
    throw error;
  }
  const callbacks = tx.finish();
  await connection.commit();
  for (const callback of callbacks) await callback();
  return result;
}

async function withinDeadline<Result>(
  { timeout, signal }: TransactionOptions,
  running: Promise<Result>,
): Promise<Result> {
  if (timeout === undefined && signal === undefined) return running;
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const given = new Promise<never>((_, reject) => {
    if (timeout !== undefined) {
      timer = setTimeout(() => reject(fwError(ORM_ERRORS.FW_ORM_TIMEOUT, { timeout })), timeout);
    }
    onAbort = () => reject(fwError(ORM_ERRORS.FW_ORM_ABORTED, {}));
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([running, given]);
  } finally {
    clearTimeout(timer);
    if (onAbort) signal?.removeEventListener('abort', onAbort);
    // The function may still be running; what it throws later belongs to nobody.
    running.catch(() => undefined);
  }
}

async function rolledBack(rollback: () => void | Promise<void>, error: unknown): Promise<void> {
  try {
    await rollback();
  } catch (failure) {
    // With its connection a server has ended the transaction too; the first error is the one to tell.
    if (isFwError(failure) && failure.code === 'FW_ORM_CONNECTION') return;
    const text = (each: unknown) => (each instanceof Error ? each.message : String(each));
    throw fwError(ORM_ERRORS.FW_ORM_ROLLBACK, { error: text(error), rollback: text(failure) }, { cause: error });
  }
}

function gaveUp(attempts: number, error: unknown) {
  const last = error instanceof Error ? error.message : String(error);
  const details = { attempts, last, ...(isFwError(error) && { code: error.code }) };
  return fwError(ORM_ERRORS.FW_ORM_TRANSACTION_GAVE_UP, details, { cause: error });
}
