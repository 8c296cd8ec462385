import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Client } from 'pg';
import { fwError, type FwError } from '../../../kernel/index.js';
import {
  ORM_ERRORS,
  BoundedMap,
  cancelUntilEnded,
  StatementLine,
  Words,
  type IsolationLevel,
  type PositionalRow,
  type ServerConnection,
  type StatementOptions,
  type TransactionOptions,
  type WatchedClient,
  type WriteResult,
  withinDeadline,
} from '../dialect/index.js';
import { postgresError, staleStatement } from './postgres-errors.js';
import type { PreparedStatement, QueryOutcome, RunQuery } from './prepared-query.js';

const ISOLATION = new Words<IsolationLevel>('The isolation of a transaction', {
  readUncommitted: 'READ UNCOMMITTED',
  readCommitted: 'READ COMMITTED',
  repeatableRead: 'REPEATABLE READ',
  // PostgreSQL's repeatable read is snapshot isolation (https://www.postgresql.org/docs/current/transaction-iso.html).
  snapshot: 'REPEATABLE READ',
  serializable: 'SERIALIZABLE',
});

// in_failed_sql_transaction (https://www.postgresql.org/docs/current/errcodes-appendix.html)
const IN_FAILED_TRANSACTION = '25P02';

/** Tells the server to give up what a backend is doing; needs a connection of its own. */
type CancelBackend = (processId: number) => Promise<void>;

/** A client of `pg`. */
export type PostgresClient = WatchedClient<Client>;

/** The socket of a client. */
export const streamOf = (client: Client): Duplex =>
  (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection.stream;

/** Milliseconds that the server has to take its leave. */
const LEAVE_MS = 1000;

/** Takes leave of the server and ends the connection, whether it answers or not. */
export async function endOf(watched: PostgresClient): Promise<void> {
  await watched.within(LEAVE_MS, () => watched.client.end()).catch(() => undefined);
}

/** How a connection runs its statements. */
interface StatementHabits {
  /** Prepared statements that are kept. */
  readonly cacheSize: number;
  /** Whether statements are prepared by name. */
  readonly prepares: boolean;
  /** Milliseconds that a statement which is cancelled may go on. */
  readonly patience: number;
}

/** One connection of `pg`, with named prepared statements. */
export class PostgresConnection implements ServerConnection {
  #usable = true;
  /** Another object for each transaction. */
  #transaction: object | undefined;
  /** The last error of the transaction, but for those that only say that it has failed before. */
  #failure: FwError | undefined;
  #names = 0;
  /** Statements that were prepared anew in a transaction, whose old names are given back behind it. */
  readonly #renewed: string[] = [];
  /** Unique, because behind a simple pooler the statement of another client with the same name would run. */
  readonly #prefix = `fw_${randomUUID().replaceAll('-', '')}_`;
  #cursors = 0;
  readonly #line = new StatementLine();
  readonly #statements: BoundedMap<string, PreparedStatement>;

  readonly #client: Client;

  readonly #patience: number;
  readonly #prepares: boolean;

  constructor(
    private readonly watched: PostgresClient,
    private readonly runQuery: RunQuery,
    { cacheSize, prepares, patience }: StatementHabits,
    private readonly cancelBackend: CancelBackend,
  ) {
    this.#prepares = prepares;
    this.#patience = patience;
    this.#client = watched.client;
    this.#statements = new BoundedMap(cacheSize, { onEvict: ({ name }) => this.#deallocate(name) });
  }

  get isUsable(): boolean {
    return this.#usable && !this.watched.isLost;
  }

  get statementStats() {
    return this.#statements.stats();
  }

  query(sql: string, parameters: readonly unknown[], options?: StatementOptions): Promise<readonly PositionalRow[]> {
    return this.#run(sql, parameters, options, rowsOf);
  }

  queryFirst(
    sql: string,
    parameters: readonly unknown[],
    options?: StatementOptions,
  ): Promise<PositionalRow | undefined> {
    return this.#run(sql, parameters, options, firstOf);
  }

  execute(sql: string, parameters: readonly unknown[], options?: StatementOptions): Promise<WriteResult> {
    return this.#run(sql, parameters, options, writtenOf);
  }

  async script(sql: string, options?: StatementOptions): Promise<void> {
    await this.#plain(sql, options);
  }

  // DECLARE ... CURSOR needs a transaction (https://www.postgresql.org/docs/current/sql-declare.html).
  async *stream(
    sql: string,
    parameters: readonly unknown[],
    options: StatementOptions & { readonly batchSize: number },
  ): AsyncGenerator<readonly PositionalRow[]> {
    const own = this.#transaction === undefined;
    // Of a BEGIN without an answer nobody can tell whether it was done.
    if (own) await withinDeadline(this.begin({ readOnly: true }), options, async () => this.destroy());
    const transaction = this.#transaction;
    const cursor = `fw_cursor_${++this.#cursors}`;
    const how = { ...options, once: true };
    let hasFailed = false;
    try {
      await this.execute(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`, parameters, how);
      for (;;) {
        const rows = await this.query(`FETCH ${Math.trunc(options.batchSize)} FROM ${cursor}`, [], how);
        if (rows.length > 0) yield rows;
        if (rows.length < options.batchSize) break;
      }
    } catch (error) {
      hasFailed = true;
      throw error;
    } finally {
      // The cursor ended with its transaction if that has failed or is over, and the connection may be in another one now.
      const isThere = !hasFailed && this.#transaction === transaction;
      if (this.isUsable && own) await this.rollback();
      else if (this.isUsable && isThere) await this.script(`CLOSE ${cursor}`);
    }
  }

  async begin({ isolation, readOnly }: TransactionOptions): Promise<void> {
    const level = isolation ? ` ISOLATION LEVEL ${ISOLATION.sql(isolation)}` : '';
    await this.script(`BEGIN${level}${readOnly ? ' READ ONLY' : ''}`);
    this.#transaction = {};
    this.#failure = undefined;
  }

  async commit(): Promise<void> {
    const { command } = await this.#plain('COMMIT').finally(() => this.#leave());
    // After a failed statement the server answers COMMIT with ROLLBACK, and no error
    // (https://www.postgresql.org/docs/current/sql-commit.html).
    if (command !== 'ROLLBACK') return;
    throw fwError(ORM_ERRORS.FW_ORM_TRANSACTION_LOST, { dialect: 'PostgreSQL' }, { cause: this.#failure });
  }

  rollback(): Promise<void> {
    return this.script('ROLLBACK').finally(() => this.#leave());
  }

  savepoint(name: string): Promise<void> {
    return this.script(`SAVEPOINT ${name}`);
  }

  release(name: string): Promise<void> {
    return this.script(`RELEASE SAVEPOINT ${name}`);
  }

  rollbackTo(name: string): Promise<void> {
    return this.script(`ROLLBACK TO SAVEPOINT ${name}; RELEASE SAVEPOINT ${name}`);
  }

  interrupt(reason: Error): Promise<void> {
    return this.#line.interrupt(reason);
  }

  destroy(): void {
    this.watched.destroy();
  }

  async end(): Promise<void> {
    this.#usable = false;
    await endOf(this.watched);
  }

  async #plain(sql: string, options?: StatementOptions): Promise<{ readonly command: string }> {
    try {
      return await this.#line.run(() => this.#client.query(sql), options, this.#cancel);
    } catch (error) {
      throw this.#failed(error, sql);
    }
  }

  #run<Result>(
    sql: string,
    parameters: readonly unknown[],
    options: StatementOptions | undefined,
    read: (outcome: QueryOutcome) => Result,
    attempt = 1,
  ): Promise<Result> {
    const isNamed = this.#prepares && options?.once !== true;
    const statement = isNamed ? (this.#statements.get(sql) ?? this.#prepared(sql)) : undefined;
    // Also when it has only failed since, the server keeps the types of parameters that it found then.
    let isKept = false;
    const start = () => {
      isKept = statement !== undefined && statement.name in parsedStatements(this.#client);
      return this.runQuery(this.#client, sql, parameters, statement);
    };
    return this.#line.run(start, options, this.#cancel).then(read, (error: unknown) => {
      if (statement === undefined || attempt > MOST_RENEWALS) throw this.#failed(error, sql);
      const isGone = isMissing(error);
      const isDoubtful = isKept && isOfValue(error);
      if (!isGone && !isDoubtful && !(isKept && isOutdated(error))) throw this.#failed(error, sql);
      if (isGone) this.#forgetAll();
      else this.#renew(statement);
      // The server has refused it before executing anything; a transaction is lost all the same, and may be retried.
      if (this.#transaction !== undefined) throw this.#failed(isDoubtful ? error : staleStatement(error, sql), sql);
      return this.#run(sql, parameters, options, read, attempt + 1);
    });
  }

  #leave(): void {
    this.#transaction = undefined;
    for (const name of this.#renewed.splice(0)) this.#deallocate(name);
  }

  // After a fatal error the server closes the connection, which the driver reports later than the error.
  #failed(error: unknown, sql: string): FwError {
    const coded = postgresError(error, sql);
    const { severity } = (error ?? {}) as { readonly severity?: unknown };
    if (coded.details['driverCode'] !== IN_FAILED_TRANSACTION) this.#failure = coded;
    if (coded.code === 'FW_ORM_CONNECTION' || severity === 'FATAL' || severity === 'PANIC') this.#usable = false;
    return coded;
  }

  // If one prepared statement is missing, all are: after `DEALLOCATE ALL`, `DISCARD ALL`, or a pooler's switch to another connection.
  #forgetAll(): void {
    const parsed = parsedStatements(this.#client);
    for (const name of Object.keys(parsed)) delete parsed[name];
    this.#statements.forget();
  }

  #prepared(sql: string): PreparedStatement {
    return this.#statements.set(sql, { name: this.#nextName(), columns: undefined });
  }

  #renew(statement: PreparedStatement): void {
    // A transaction that has failed takes no more statements.
    if (this.#transaction === undefined) this.#deallocate(statement.name);
    else this.#renewed.push(statement.name);
    statement.name = this.#nextName();
    statement.columns = undefined;
  }

  #nextName(): string {
    return `${this.#prefix}${++this.#names}`;
  }

  readonly #cancel = async (running: Promise<unknown>): Promise<void> => {
    const { processID } = this.#client as unknown as { readonly processID: number };
    try {
      await cancelUntilEnded(running, () => this.cancelBackend(processID), this.#patience);
    } catch {
      // The server cannot be reached or does not respond. Closing the connection ends the statement.
      this.watched.destroy();
    }
    await running.catch(() => undefined);
  };

  // The driver remembers names and has no call to forget one, while the memory is held by the server. Both forget the statement in its
  // turn, because queued calls still run it by name.
  #deallocate(name: string): void {
    if (!this.isUsable) return;
    const parsed = parsedStatements(this.#client);
    const start = () => {
      delete parsed[name];
      return this.#client.query(`DEALLOCATE ${name}`);
    };
    this.#line.run(start, undefined, this.#cancel).catch(() => (this.#usable = false));
  }
}

/** The driver's own list of prepared statements, by name. */
function parsedStatements(client: Client): Record<string, unknown> {
  const { connection } = client as unknown as {
    readonly connection?: { readonly parsedStatements?: Record<string, unknown> };
  };
  return connection?.parsedStatements ?? {};
}

/** How often a statement is prepared again for one call: it may be deallocated between preparing and executing. */
const MOST_RENEWALS = 2;

/** invalid_sql_statement_name (https://www.postgresql.org/docs/current/errcodes-appendix.html) */
const MISSING = '26000';
/** duplicate_prepared_statement: behind a pooler, a connection that we had before and took for another. */
const TAKEN = '42P05';

function isMissing(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return code === MISSING || code === TAKEN;
}

// Errors of a value that does not fit the parameter's type, which may be outdated: preparing again gives the current type.
// invalid_text_representation, numeric_value_out_of_range, invalid_datetime_format, datetime_field_overflow
const OF_VALUES: ReadonlySet<unknown> = new Set(['22P02', '22003', '22007', '22008']);

function isOfValue(error: unknown): boolean {
  return OF_VALUES.has((error as { readonly code?: unknown } | undefined)?.code);
}

// Errors of parameters with outdated types: text for a column that is an enum now, or a dropped enum.
const OF_OTHER_TYPES: ReadonlySet<unknown> = new Set(['42804', '42883']);

// A statement that was prepared before the type of one of its columns was changed, as by a migration.
function isOutdated(error: unknown): boolean {
  const { code, routine, internalQuery } = (error ?? {}) as Readonly<
    Record<'code' | 'routine' | 'internalQuery', unknown>
  >;
  // A statement that a function or a trigger has made of its own.
  if (internalQuery !== undefined) return false;
  if (code === '0A000') return routine === 'RevalidateCachedQuery';
  if (code === 'XX000') return routine === 'getTypeInputInfo';
  return OF_OTHER_TYPES.has(code);
}

const rowsOf = ({ rows }: QueryOutcome): readonly PositionalRow[] => rows;
const firstOf = ({ rows }: QueryOutcome): PositionalRow | undefined => rows[0];
const writtenOf = ({ rows, rowCount }: QueryOutcome): WriteResult => ({ affected: rowCount ?? 0, rows });
