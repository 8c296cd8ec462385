import type { Client } from 'pg';
import { fwError, type FwError } from '../../../kernel/index.js';
import {
  BoundedCache,
  ORM_ERRORS,
  cancelUntilEnded,
  StatementLine,
  type PositionalRow,
  type ServerConnection,
  type StatementOptions,
  type TransactionOptions,
  type WriteResult,
} from '../core/index.js';
import { postgresError } from './postgres-errors.js';
import type { PreparedStatement, QueryOutcome, RunQuery } from './prepared-query.js';

const ISOLATION = {
  readUncommitted: 'READ UNCOMMITTED',
  readCommitted: 'READ COMMITTED',
  repeatableRead: 'REPEATABLE READ',
  // PostgreSQL's repeatable read is snapshot isolation (https://www.postgresql.org/docs/current/transaction-iso.html).
  snapshot: 'REPEATABLE READ',
  serializable: 'SERIALIZABLE',
} as const;

// in_failed_sql_transaction (https://www.postgresql.org/docs/current/errcodes-appendix.html)
const IN_FAILED_TRANSACTION = '25P02';

/** Tells the server to give up what a backend is doing; needs a connection of its own. */
export type CancelBackend = (processId: number) => Promise<void>;

/** One connection of `pg`, with named prepared statements. */
export class PostgresConnection implements ServerConnection {
  #usable = true;
  /** Another object for each transaction. */
  #transaction: object | undefined;
  /** The last error of the transaction, but for those that only say that it has failed before. */
  #failure: FwError | undefined;
  #names = 0;
  #cursors = 0;
  readonly #line = new StatementLine();
  readonly #statements: BoundedCache<PreparedStatement>;

  constructor(
    private readonly client: Client,
    private readonly runQuery: RunQuery,
    cacheSize: number,
    private readonly cancelBackend: CancelBackend,
  ) {
    this.#statements = new BoundedCache(cacheSize, ({ name }) => this.#deallocate(name));
    client.on('error', () => (this.#usable = false));
    client.on('end', () => (this.#usable = false));
  }

  get isUsable(): boolean {
    return this.#usable;
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
    if (own) await this.begin({ readOnly: true });
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
      // A transaction that has failed or is over took the cursor along, and the connection may be in one of somebody else's.
      const isThere = !hasFailed && this.#transaction === transaction;
      if (this.#usable && own) await this.rollback();
      else if (this.#usable && isThere) await this.script(`CLOSE ${cursor}`);
    }
  }

  async begin({ isolation, readOnly }: TransactionOptions): Promise<void> {
    const level = isolation ? ` ISOLATION LEVEL ${ISOLATION[isolation]}` : '';
    await this.script(`BEGIN${level}${readOnly ? ' READ ONLY' : ''}`);
    this.#transaction = {};
    this.#failure = undefined;
  }

  async commit(): Promise<void> {
    const { command } = await this.#plain('COMMIT').finally(() => (this.#transaction = undefined));
    // Says so, and not by an error, after a statement that failed (https://www.postgresql.org/docs/current/sql-commit.html).
    if (command !== 'ROLLBACK') return;
    throw fwError(ORM_ERRORS.FW_ORM_TRANSACTION_LOST, { dialect: 'PostgreSQL' }, { cause: this.#failure });
  }

  rollback(): Promise<void> {
    return this.script('ROLLBACK').finally(() => (this.#transaction = undefined));
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

  async end(): Promise<void> {
    this.#usable = false;
    await this.client.end().catch(() => undefined);
  }

  async #plain(sql: string, options?: StatementOptions): Promise<{ readonly command: string }> {
    try {
      return await this.#line.run(() => this.client.query(sql), options, this.#cancel);
    } catch (error) {
      throw this.#failed(error, sql);
    }
  }

  #run<Result>(
    sql: string,
    parameters: readonly unknown[],
    options: StatementOptions | undefined,
    read: (outcome: QueryOutcome) => Result,
  ): Promise<Result> {
    const statement = options?.once === true ? undefined : (this.#statements.get(sql) ?? this.#prepared(sql));
    const start = () => this.runQuery(this.client, sql, parameters, statement);
    return this.#line.run(start, options, this.#cancel).then(read, (error: unknown) => {
      if (statement === undefined || !isOutdated(error)) throw this.#failed(error, sql);
      this.#renew(statement);
      // The server has refused it before it did anything; a transaction is lost all the same.
      if (this.#transaction !== undefined) throw this.#failed(error, sql);
      return this.#run(sql, parameters, options, read);
    });
  }

  // After a fatal error the server cuts the connection, but the driver tells of that later than of the error.
  #failed(error: unknown, sql: string): FwError {
    const coded = postgresError(error, sql);
    const { severity } = (error ?? {}) as { readonly severity?: unknown };
    if (coded.details['driverCode'] !== IN_FAILED_TRANSACTION) this.#failure = coded;
    if (coded.code === 'FW_ORM_CONNECTION' || severity === 'FATAL' || severity === 'PANIC') this.#usable = false;
    return coded;
  }

  #prepared(sql: string): PreparedStatement {
    return this.#statements.set(sql, { name: this.#nextName(), columns: undefined });
  }

  #renew(statement: PreparedStatement): void {
    // A transaction that has failed takes no more statements: there the old one goes with the connection.
    if (this.#transaction === undefined) this.#deallocate(statement.name);
    statement.name = this.#nextName();
    statement.columns = undefined;
  }

  #nextName(): string {
    return `fw_${++this.#names}`;
  }

  readonly #cancel = async (running: Promise<unknown>): Promise<void> => {
    const { processID } = this.client as unknown as { readonly processID: number };
    try {
      await cancelUntilEnded(running, () => this.cancelBackend(processID));
    } catch {
      // Nobody can be reached. With an answer outstanding the driver cuts the connection, which ends what is running.
      void this.end();
    }
    await running.catch(() => undefined);
  };

  // The driver remembers names by itself and has no call to forget one; the server's side is what holds memory.
  // Both forget it in turn: calls that are in the line already still run it by its name.
  #deallocate(name: string): void {
    if (!this.#usable) return;
    const { connection } = this.client as unknown as {
      readonly connection?: { readonly parsedStatements?: Record<string, unknown> };
    };
    const start = () => {
      delete connection?.parsedStatements?.[name];
      return this.client.query(`DEALLOCATE ${name}`);
    };
    this.#line.run(start, undefined, this.#cancel).catch(() => (this.#usable = false));
  }
}

// A statement that was prepared before the type of one of its columns was changed, as by a migration.
function isOutdated(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { readonly code?: unknown; readonly routine?: unknown };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

const rowsOf = ({ rows }: QueryOutcome): readonly PositionalRow[] => rows;
const firstOf = ({ rows }: QueryOutcome): PositionalRow | undefined => rows[0];
const writtenOf = ({ rows, rowCount }: QueryOutcome): WriteResult => ({ affected: rowCount ?? 0, rows });
