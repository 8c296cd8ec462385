import { fwError, isFwError } from '../../../../kernel/index.js';
import { messageOf } from '../../../../kernel/errors/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { PositionalRow } from '../model/model-definition.js';
import { CallScope } from './call-scope.js';
import { assertCallOptions, assertTransactionOptions } from './checked-options.js';
import { sessionOf, type Database } from './database.js';
import { assertWanted, withinDeadline, type Limits } from './deadline.js';
import { runAfterCommit, type AfterCommit } from './after-commit.js';
import { LimitedConnection } from './limited-connection.js';
import { atHand, chain, promised } from './maybe-promise.js';
import { assertRetryPolicy, backOff, isWorthIt, retryPolicy, type RetryPolicy } from './retry.js';
import type { CallOptions, Session } from './session.js';
import type {
  MaybePromise,
  SqlConnection,
  SqlHandle,
  SqlTransactionConnection,
  StatementOptions,
  TransactionOptions,
  WriteResult,
} from './sql-handle.js';

const calls = new CallScope<Transaction>();

/** The connection of the transaction whose function makes the call, if calls are tracked. */
export function callingConnection(): SqlTransactionConnection | undefined {
  return calls.owner?.calledOn;
}

/**
 * A running transaction, or a savepoint inside one. What is built on it joins it: `model(tx, User)`. Statements of parallel
 * calls run one after the other on its one connection.
 */
export class Transaction implements Session, SqlConnection {
  /** Where the ORM's own statements run, of which its executor tells observers. */
  readonly connection: SqlConnection;
  #over = false;
  #savepoints = 0;
  #hasSavepoint = false;
  /** The open savepoint, if the caller ends it. */
  #held: Transaction | undefined;
  /** Callers that wait for the open savepoint. */
  #line: (() => void)[] | undefined;
  #callbacks: AfterCommit[] | undefined;
  readonly #root: Transaction;
  /** In the root: the savepoint that has ended but is not released yet. */
  #unreleased: string | undefined;

  constructor(
    readonly database: Database,
    private on: SqlTransactionConnection,
    private readonly outer?: Transaction,
  ) {
    this.#root = outer === undefined ? this : outer.#root;
    this.connection = database.raw === undefined ? this : this.#unobserved();
  }

  /** The connection while the outermost transaction is running. */
  get calledOn(): SqlTransactionConnection | undefined {
    return this.#root.#over ? undefined : this.#root.on;
  }

  /** Runs a callback after the outermost commit; not at all when it is rolled back. */
  afterCommit(callback: AfterCommit): void {
    this.#assertRunning();
    (this.#callbacks ??= []).push(callback);
  }

  query(sql: string, parameters: readonly unknown[], options?: StatementOptions) {
    const { raw } = this.database;
    if (raw === undefined) return this.#query(sql, parameters, options);
    return raw.run(this, sql, parameters, () => this.#query(sql, parameters, options));
  }

  queryFirst(sql: string, parameters: readonly unknown[], options?: StatementOptions) {
    const { raw } = this.database;
    if (raw === undefined) return this.#queryFirst(sql, parameters, options);
    return raw.run(this, sql, parameters, () => this.#queryFirst(sql, parameters, options));
  }

  execute(sql: string, parameters: readonly unknown[], options?: StatementOptions): MaybePromise<WriteResult> {
    const { raw } = this.database;
    if (raw === undefined) return this.#execute(sql, parameters, options);
    return raw.run(this, sql, parameters, () => this.#execute(sql, parameters, options));
  }

  stream(sql: string, parameters: readonly unknown[], options: StatementOptions & { readonly batchSize: number }) {
    const portions = this.#stream(sql, parameters, options);
    return this.database.raw?.stream(this, sql, parameters, portions) ?? portions;
  }

  script(sql: string, options?: StatementOptions) {
    const { raw } = this.database;
    if (raw === undefined) return this.#script(sql, options);
    return raw.run(this, sql, [], () => this.#script(sql, options));
  }

  #query(sql: string, parameters: readonly unknown[], options?: StatementOptions) {
    this.#assertRunning();
    return this.on.query(sql, parameters, options);
  }

  #queryFirst(sql: string, parameters: readonly unknown[], options?: StatementOptions) {
    this.#assertRunning();
    return this.on.queryFirst(sql, parameters, options);
  }

  #execute(sql: string, parameters: readonly unknown[], options?: StatementOptions): MaybePromise<WriteResult> {
    this.#assertRunning();
    if (this.#root.#unreleased === undefined) return this.on.execute(sql, parameters, options);
    return chain(this.#release(), () => this.on.execute(sql, parameters, options));
  }

  async *#stream(
    sql: string,
    parameters: readonly unknown[],
    options: StatementOptions & { readonly batchSize: number },
  ): AsyncGenerator<readonly PositionalRow[]> {
    this.#assertRunning();
    for await (const portion of this.on.stream(sql, parameters, options)) {
      yield portion;
      this.#assertRunning();
    }
  }

  #script(sql: string, options?: StatementOptions) {
    this.#assertRunning();
    return chain(this.#release(), () => this.on.script(sql, options));
  }

  #unobserved(): SqlConnection {
    return {
      query: (sql, parameters, options) => this.#query(sql, parameters, options),
      queryFirst: (sql, parameters, options) => this.#queryFirst(sql, parameters, options),
      execute: (sql, parameters, options) => this.#execute(sql, parameters, options),
      stream: (sql, parameters, options) => this.#stream(sql, parameters, options),
      script: (sql, options) => this.#script(sql, options),
    };
  }

  /** Calls the function of this transaction; {@link finish} has to follow. */
  start<Result>(fn: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#isFollowed() ? calls.run(this, fn, this) : fn(this);
  }

  /**
   * Runs `fn` inside a savepoint. Savepoints are a stack, so parallel ones take turns.
   *
   * @throws FwError `FW_ORM_OUTER_TRANSACTION` when the call is made from inside the savepoint that it would wait for, or may be
   */
  nested<Result>(fn: (tx: Transaction) => Promise<Result>): Promise<Result> {
    this.#assertRunning();
    if (!this.#hasSavepoint) return promised(() => this.#inSavepoint(fn));
    if (this.#isCalledFromSavepoint()) throw fwError(ORM_ERRORS.FW_ORM_OUTER_TRANSACTION, {});
    return new Promise<void>((turn) => (this.#line ??= []).push(turn)).then(() => this.#inSavepoint(fn));
  }

  /**
   * As {@link nested}, with limits: they stand apart, so that savepoints without any do not pay for them.
   *
   * @param wait - of the wait for the turn
   * @param limits - of the function: past them the savepoint is rolled back
   */
  nestedWithin<Result>(
    wait: Limits,
    limits: Limits | undefined,
    fn: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const limited = limits === undefined ? fn : (inner: Transaction) => inner.#within(limits, fn);
    if (!this.#hasSavepoint || this.#isCalledFromSavepoint()) return this.nested(limited);
    this.#assertRunning();
    return this.#turn(wait).then(() => this.#inSavepoint(limited));
  }

  /** Marks the end; later calls on this object get `FW_ORM_TRANSACTION_OVER`. */
  finish(): readonly AfterCommit[] | undefined {
    this.#held?.finish();
    if (!this.#over && this.#isFollowed()) calls.end();
    this.#over = true;
    return this.#callbacks;
  }

  #isFollowed(): boolean {
    return this.outer !== undefined || this.on.followsCalls === true;
  }

  /** Marks that no function is around it, so that nobody can tell which calls are made from inside of it. */
  hold(): void {
    if (this.outer !== undefined) this.outer.#held = this;
  }

  /** Whether the transaction around this savepoint has ended, and it with that. */
  get isOrphan(): boolean {
    return this.outer !== undefined && this.outer.#isOver();
  }

  #isCalledFromSavepoint(): boolean {
    if (this.#held !== undefined) return true;
    for (let at = calls.owner; at !== undefined; at = at.outer) if (at.outer === this && !at.#over) return true;
    return false;
  }

  #within<Result>(limits: Limits, fn: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const own = new LimitedConnection(this.on, limits);
    this.on = own;
    return own.within(() => fn(this));
  }

  #turn(wait: Limits): Promise<void> {
    const line = (this.#line ??= []);
    let enter: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => (enter = resolve));
    line.push(enter);
    return withinDeadline(turn, wait, async () => {
      const at = line.indexOf(enter);
      if (at >= 0) line.splice(at, 1);
      // Its turn may have come at the same moment.
      else void turn.then(() => this.#savepointOver());
    });
  }

  // Here, in `attempt` and in `inTransaction`, the synchronous case is written without closures: making them for every transaction takes as
  // long as a statement on SQLite.
  #inSavepoint<Result>(fn: (tx: Transaction) => Promise<Result>): MaybePromise<Result> {
    this.#hasSavepoint = true;
    const name = savepointName(++this.#root.#savepoints);
    let begun: MaybePromise<void>;
    try {
      begun = this.#beginSavepoint(name);
    } catch (error) {
      return this.#notBegun(error);
    }
    if (!(begun instanceof Promise)) return this.#runInSavepoint(name, fn);
    return begun.then(
      () => this.#runInSavepoint(name, fn),
      (error: unknown) => this.#notBegun(error),
    );
  }

  #beginSavepoint(name: string): MaybePromise<void> {
    this.#assertRunning();
    if (this.#root.#unreleased === undefined) return this.on.savepoint(name);
    return chain(this.#release(), () => this.on.savepoint(name));
  }

  #notBegun(error: unknown): never {
    this.#savepointOver();
    throw error;
  }

  #runInSavepoint<Result>(name: string, fn: (tx: Transaction) => Promise<Result>): MaybePromise<Result> {
    const inner = new Transaction(this.database, this.on, this);
    let running: MaybePromise<Result>;
    try {
      running = atHand(Promise.resolve(inner.start(fn)));
    } catch (error) {
      return this.#undone(name, inner, error);
    }
    if (!(running instanceof Promise)) return this.#released(name, inner, running);
    return running.then(
      (result) => this.#released(name, inner, result),
      (error: unknown) => this.#undone(name, inner, error),
    );
  }

  #released<Result>(name: string, inner: Transaction, result: Result): MaybePromise<Result> {
    const callbacks = inner.finish();
    if (this.#isOver()) return this.#undone(name, inner, fwError(ORM_ERRORS.FW_ORM_TRANSACTION_OVER, {}));
    if (this.on.isIntact !== true) return this.#releasing(name, inner, callbacks, result);
    // The release is deferred to the next statement that needs it, or dropped with the commit.
    this.#root.#unreleased = name;
    return this.#kept(callbacks, result);
  }

  async #releasing<Result>(
    name: string,
    inner: Transaction,
    callbacks: readonly AfterCommit[] | undefined,
    result: Result,
  ): Promise<Result> {
    try {
      await this.on.release(name);
    } catch (error) {
      return this.#undone(name, inner, error);
    }
    return this.#kept(callbacks, result);
  }

  #kept<Result>(callbacks: readonly AfterCommit[] | undefined, result: Result): Result {
    if (callbacks !== undefined) (this.#callbacks ??= []).push(...callbacks);
    this.#savepointOver();
    return result;
  }

  async #undone(name: string, inner: Transaction, error: unknown): Promise<never> {
    inner.finish();
    try {
      // If the surrounding savepoint or transaction is over, the savepoint does not exist any more.
      if (!this.#isOver()) await this.#rollBackTo(name, error);
    } finally {
      this.#savepointOver();
    }
    throw error;
  }

  async #rollBackTo(name: string, error: unknown): Promise<void> {
    this.#root.#unreleased = undefined;
    await rolledBack(() => this.on.rollbackTo(name), error);
  }

  #savepointOver(): void {
    this.#held = undefined;
    const next = this.#line?.shift();
    if (next === undefined) this.#hasSavepoint = false;
    else next();
  }

  #release(): MaybePromise<void> {
    const name = this.#root.#unreleased;
    if (name === undefined) return undefined;
    this.#root.#unreleased = undefined;
    return this.on.release(name);
  }

  #assertRunning(): void {
    if (this.#over) throw fwError(ORM_ERRORS.FW_ORM_TRANSACTION_OVER, {});
    if (this.outer !== undefined) this.outer.#assertRunning();
  }

  #isOver(): boolean {
    return this.#over || (this.outer !== undefined && this.outer.#isOver());
  }
}

/**
 * Runs `fn` in a transaction and gives its result (SPEC "ORM operations", `transaction.Run`). An error from `fn` rolls back; a transient
 * one is retried, the whole function anew. On a transaction, `fn` runs in a savepoint of it, without retries: the failure may have affected
 * the outer transaction. After its `timeout` or an abort by its `signal`, the savepoint is rolled back and the outer transaction continues.
 *
 * @param on - the database, the handle that it was opened on, or a transaction
 * @param options - isolation, read-only, deadline; null for none
 * @param policy - retries; null for the policy of `open` (`withRetryPolicy`), else 3 attempts, 10 ms doubling, 500 ms at most
 * @throws FwError `FW_ORM_TRANSACTION_GAVE_UP` after the last attempt; `FW_ORM_COMMIT_UNKNOWN` when the answer to COMMIT was lost or late;
 *   `FW_ORM_TRANSACTION_LOST` when the database had rolled back already, because `fn` went on after an error; `FW_ORM_SAVEPOINT_OPTION` for
 *   `isolation` or `readOnly` on a transaction; `FW_ORM_OPTIONS` and `FW_ORM_WORD` for options of the wrong type, before anything is begun
 * @example await transaction.run(db, null, null, async (tx) => { await model(tx, Order).create(order); });
 */
export function run<Result>(
  on: Session | SqlHandle,
  options: TransactionOptions | null,
  policy: Partial<RetryPolicy> | null,
  fn: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return promised(() => {
    const session = sessionOf(on);
    assertTransactionOptions(options);
    assertRetryPolicy(policy);
    if (session instanceof Transaction) {
      return options ? nestedWithin(session, options, fn) : session.nested(fn);
    }
    return attempt({ database: session.database, options: options ?? {}, policy, fn }, 1);
  });
}

/**
 * Runs `fn` in a transaction for one call, or in a savepoint. The timeout of the call applies to the wait before it; statements have their
 * own.
 */
export function runForCall<Result>(
  session: Session,
  call: CallOptions | undefined,
  policy: Partial<RetryPolicy> | null,
  fn: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const { database } = session;
  assertCallOptions(call);
  const { signal, timeout = database.defaultTimeout } = call ?? {};
  const wait = { signal, timeout };
  if (session instanceof Transaction) return promised(() => session.nestedWithin(wait, undefined, fn));
  return promised(() => attempt({ database, options: { signal }, wait, policy, fn }, 1));
}

function nestedWithin<Result>(
  tx: Transaction,
  { isolation, readOnly, ...limits }: TransactionOptions,
  fn: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  if (isolation !== undefined) throw fwError(ORM_ERRORS.FW_ORM_SAVEPOINT_OPTION, { option: 'isolation' });
  if (readOnly !== undefined) throw fwError(ORM_ERRORS.FW_ORM_SAVEPOINT_OPTION, { option: 'readOnly' });
  assertWanted(limits.signal);
  return tx.nestedWithin(limits, limits, fn);
}

// Cached, because a newly concatenated text is hashed at each lookup.
const NAMES: string[] = [];
const MOST_NAMES = 100;
const savepointName = (number: number): string => {
  return number > MOST_NAMES ? `sp_${number}` : (NAMES[number] ??= `sp_${number}`);
};

/**
 * Runs `fn` once in a transaction of a database that is opened in a place of its own, such as a reserved connection.
 *
 * @param on - opens the transaction
 */
export function transactionOn<Result>(
  database: Database,
  on: Pick<SqlHandle, 'begin'>,
  options: TransactionOptions,
  fn: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return promised(() => attempt({ database, on, options, policy: { maxAttempts: 1 }, fn }, 1));
}

interface Work<Result> {
  readonly database: Database;
  /** Where the transaction is opened, if not on the database's own handle. */
  readonly on?: Pick<SqlHandle, 'begin'>;
  readonly options: TransactionOptions;
  /** Limits of the wait before it begins, if other than those of the options. */
  readonly wait?: TransactionOptions;
  readonly policy: Partial<RetryPolicy> | null;
  readonly fn: (tx: Transaction) => Promise<Result>;
}

// Synchronous values are not awaited, and the successful path makes only one promise besides that of `fn`: on SQLite a few promises take as
// long as the statements.
function attempt<Result>(work: Work<Result>, number: number): MaybePromise<Result> {
  assertWanted(work.options.signal);
  let begun: MaybePromise<SqlTransactionConnection>;
  try {
    begun = (work.on ?? work.database.handle).begin(work.wait ?? work.options);
  } catch (error) {
    return again(work, number, error);
  }
  if (!(begun instanceof Promise)) return inTransaction(work, number, begun);
  return begun.then(
    (connection) => inTransaction(work, number, connection),
    (error: unknown) => again(work, number, error),
  );
}

function inTransaction<Result>(
  work: Work<Result>,
  number: number,
  connection: SqlTransactionConnection,
): MaybePromise<Result> {
  const tx = new Transaction(work.database, connection);
  let running: MaybePromise<Result>;
  try {
    // The signal may have been aborted while the transaction was begun.
    assertWanted(work.options.signal);
    running = atHand(limited(work.options, connection, Promise.resolve(tx.start(work.fn))));
  } catch (error) {
    return undone(work, number, tx, connection, error);
  }
  if (!(running instanceof Promise)) return committed(work, number, tx, connection, running);
  return running.then(
    (result) => committed(work, number, tx, connection, result),
    (error: unknown) => undone(work, number, tx, connection, error),
  );
}

/** COMMIT and ROLLBACK are statements of their own: each has the timeout of the transaction or of the call once more. */
function limitsOfEnd({ database, options, wait }: Omit<Work<unknown>, 'fn'>): Limits {
  const { signal, timeout = wait?.timeout ?? database.defaultTimeout } = options;
  return { signal, timeout };
}

function committed<Result>(
  work: Work<Result>,
  number: number,
  tx: Transaction,
  connection: SqlTransactionConnection,
  result: Result,
): MaybePromise<Result> {
  const callbacks = tx.finish();
  let done: MaybePromise<void>;
  try {
    done = connection.commit(limitsOfEnd(work));
  } catch (error) {
    return again(work, number, error);
  }
  if (!(done instanceof Promise)) return callbacks === undefined ? result : afterwards(callbacks, result);
  return done.then(
    () => (callbacks === undefined ? result : afterwards(callbacks, result)),
    (error: unknown) => again(work, number, error),
  );
}

async function undone<Result>(
  work: Work<Result>,
  number: number,
  tx: Transaction,
  connection: SqlTransactionConnection,
  error: unknown,
): Promise<Result> {
  tx.finish();
  try {
    await rolledBack(() => connection.rollback(limitsOfEnd(work)), error);
  } catch (failure) {
    return again(work, number, failure);
  }
  return again(work, number, error);
}

async function afterwards<Result>(callbacks: readonly AfterCommit[], result: Result): Promise<Result> {
  await runAfterCommit(callbacks);
  return result;
}

async function again<Result>(work: Work<Result>, number: number, error: unknown): Promise<Result> {
  // A transaction that may be committed is never retried, whatever the policy says.
  if (isFwError(error) && error.code === 'FW_ORM_COMMIT_UNKNOWN') throw error;
  const policy = retryPolicy(work.policy ?? work.database.options.executor.retryPolicy);
  if (!(await isWorthIt(policy, error))) throw error;
  if (number >= policy.maxAttempts) throw number === 1 ? error : gaveUp(number, error);
  await backOff(policy, number, work.options.signal);
  return attempt(work, number + 1);
}

// Without limits the promise is returned as it is, so that a shared one stays recognisable. After the limits the function may still be
// running; its transaction is over, and later errors are ignored.
function limited<Result>(
  limits: Limits,
  connection: SqlTransactionConnection,
  running: Promise<Result>,
): Promise<Result> {
  const { timeout, signal } = limits;
  if (timeout === undefined && signal === undefined) return running;
  return withinDeadline(running, limits, async (reason) => connection.interrupt?.(reason));
}

const ENDED = new Set(['FW_ORM_CONNECTION', 'FW_ORM_TRANSACTION_LOST']);

async function rolledBack(rollback: () => MaybePromise<void>, error: unknown): Promise<void> {
  try {
    await rollback();
  } catch (failure) {
    // The database has ended the transaction already, by itself or with its connection; the first error is thrown.
    if (isFwError(failure) && ENDED.has(failure.code)) return;
    throw fwError(
      ORM_ERRORS.FW_ORM_ROLLBACK,
      { error: messageOf(error), rollback: messageOf(failure) },
      { cause: error },
    );
  }
}

function gaveUp(attempts: number, error: unknown) {
  const last = messageOf(error);
  const details = { attempts, last, ...(isFwError(error) && { code: error.code }) };
  return fwError(ORM_ERRORS.FW_ORM_TRANSACTION_GAVE_UP, details, { cause: error });
}
