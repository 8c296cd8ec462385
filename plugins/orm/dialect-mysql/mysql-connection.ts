import type { Connection, ResultSetHeader } from 'mysql2';
import { fwError } from '../../../kernel/index.js';
import {
  ORM_ERRORS,
  splitStatements,
  withinDeadline,
  type PositionalRow,
  type ServerConnection,
  type StatementOptions,
  type TransactionOptions,
  type WriteResult,
} from '../core/index.js';
import { isDeadlock, isFatal, mysqlError } from './mysql-errors.js';

const ISOLATION = {
  readUncommitted: 'READ UNCOMMITTED',
  readCommitted: 'READ COMMITTED',
  repeatableRead: 'REPEATABLE READ',
  // InnoDB's repeatable read reads from a snapshot (https://dev.mysql.com/doc/refman/8.0/en/innodb-consistent-read.html).
  snapshot: 'REPEATABLE READ',
  serializable: 'SERIALIZABLE',
} as const;

/** Tells the server to give up what a connection is doing; needs a connection of its own. */
export type KillQuery = (threadId: number) => Promise<void>;

type Rows = readonly PositionalRow[];

/** One connection of `mysql2`. The driver keeps prepared statements itself, bounded by `maxPreparedStatements`. */
export class MysqlConnection implements ServerConnection {
  #usable = true;
  #inTransaction = false;
  /** The server has rolled the transaction back; what it got now, it would keep at once. */
  #isRolledBack = false;
  #hits = 0;
  #misses = 0;
  readonly #seen = new Set<string>();

  constructor(
    private readonly client: Connection,
    private readonly cacheSize: number,
    private readonly killQuery: KillQuery,
  ) {
    client.on('error', () => (this.#usable = false));
    client.on('end', () => (this.#usable = false));
  }

  get isUsable(): boolean {
    return this.#usable;
  }

  get statementStats() {
    const size = Math.min(this.#seen.size, this.cacheSize);
    return { size, hits: this.#hits, misses: this.#misses, evicted: this.#misses - size };
  }

  async query(sql: string, parameters: readonly unknown[], options: StatementOptions = {}): Promise<Rows> {
    return this.#run<Rows>(sql, parameters, options);
  }

  async queryFirst(
    sql: string,
    parameters: readonly unknown[],
    options: StatementOptions = {},
  ): Promise<PositionalRow | undefined> {
    return (await this.#run<Rows>(sql, parameters, options))[0];
  }

  async execute(sql: string, parameters: readonly unknown[], options: StatementOptions = {}): Promise<WriteResult> {
    const result = await this.#run<ResultSetHeader | Rows>(sql, parameters, options);
    if (Array.isArray(result)) return { affected: result.length, rows: result as Rows };
    const { affectedRows, insertId } = result as ResultSetHeader;
    return { affected: affectedRows, ...(insertId > 0 && { insertId }) };
  }

  async script(sql: string): Promise<void> {
    for (const statement of splitStatements(sql)) await this.#plain(statement);
  }

  async *stream(
    sql: string,
    parameters: readonly unknown[],
    { batchSize }: StatementOptions & { readonly batchSize: number },
  ): AsyncGenerator<readonly PositionalRow[]> {
    this.#refuseRolledBack();
    const rows = this.client
      .execute({ sql, rowsAsArray: true, values: parameters as unknown[] })
      .stream({ highWaterMark: batchSize });
    let portion: PositionalRow[] = [];
    let complete = false;
    try {
      for await (const row of rows as AsyncIterable<PositionalRow>) {
        portion.push(row);
        if (portion.length < batchSize) continue;
        yield portion;
        portion = [];
      }
      complete = true;
    } catch (error) {
      throw this.#translated(error, sql);
    } finally {
      // What is left of a result that nobody reads would stand before the next statement's.
      if (!complete) this.#usable = false;
    }
    if (portion.length > 0) yield portion;
  }

  async begin({ isolation, readOnly }: TransactionOptions): Promise<void> {
    if (isolation) await this.script(`SET TRANSACTION ISOLATION LEVEL ${ISOLATION[isolation]}`);
    await this.script(readOnly ? 'START TRANSACTION READ ONLY' : 'START TRANSACTION');
    this.#inTransaction = true;
  }

  async commit(): Promise<void> {
    await this.script('COMMIT');
    this.#inTransaction = false;
  }

  rollback(): Promise<void> {
    this.#inTransaction = false;
    this.#isRolledBack = false;
    return this.script('ROLLBACK');
  }

  savepoint(name: string): Promise<void> {
    return this.script(`SAVEPOINT ${name}`);
  }

  release(name: string): Promise<void> {
    return this.script(`RELEASE SAVEPOINT ${name}`);
  }

  async rollbackTo(name: string): Promise<void> {
    await this.script(`ROLLBACK TO SAVEPOINT ${name}`);
    await this.script(`RELEASE SAVEPOINT ${name}`);
  }

  async end(): Promise<void> {
    this.#usable = false;
    this.client.destroy();
  }

  async #run<Result>(sql: string, parameters: readonly unknown[], options: StatementOptions): Promise<Result> {
    const running = this.#prepared<Result>(sql, parameters);
    try {
      return await withinDeadline(running, options, () => this.#cancel(running));
    } catch (error) {
      throw this.#translated(error, sql);
    }
  }

  #prepared<Result>(sql: string, parameters: readonly unknown[]): Promise<Result> {
    this.#refuseRolledBack();
    if (this.#seen.has(sql)) this.#hits++;
    else this.#misses++;
    if (this.#seen.size > this.cacheSize) this.#seen.clear();
    this.#seen.add(sql);
    return new Promise((resolve, reject) => {
      const config = { sql, values: parameters as never[], rowsAsArray: true };
      this.client.execute(config, (error: unknown, result: unknown) =>
        error ? reject(error as Error) : resolve(result as Result),
      );
    });
  }

  #plain(sql: string): Promise<void> {
    this.#refuseRolledBack();
    return new Promise((resolve, reject) => {
      this.client.query(sql, (error) => (error ? reject(this.#translated(error, sql)) : resolve()));
    });
  }

  async #cancel(running: Promise<unknown>): Promise<void> {
    try {
      await this.killQuery(this.client.threadId as number);
    } catch {
      this.#usable = false;
      return;
    }
    await running.catch(() => undefined);
  }

  #refuseRolledBack(): void {
    if (this.#isRolledBack) throw fwError(ORM_ERRORS.FW_ORM_TRANSACTION_LOST, { dialect: 'MySQL' });
  }

  #translated(error: unknown, sql: string) {
    if (isFatal(error)) this.#usable = false;
    if (this.#inTransaction && isDeadlock(error)) this.#isRolledBack = true;
    return mysqlError(error, sql);
  }
}
