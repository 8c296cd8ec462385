import type { Duplex } from 'node:stream';
import type { Connection, ResultSetHeader } from 'mysql2';
import {
  RowPortions,
  StatementLine,
  TransactionState,
  Words,
  cancelUntilEnded,
  limitsAfter,
  type IsolationLevel,
  type PositionalRow,
  type ServerConnection,
  type StatementOptions,
  type TransactionOptions,
  type WatchedClient,
  type WriteResult,
} from '../dialect/index.js';
import { withExactFields } from './exact-fields.js';
import { endsConnection, endsTransaction, mysqlError } from './mysql-errors.js';
import { scriptPortions } from './mysql-script.js';

const ISOLATION = new Words<IsolationLevel>('The isolation of a transaction', {
  readUncommitted: 'READ UNCOMMITTED',
  readCommitted: 'READ COMMITTED',
  repeatableRead: 'REPEATABLE READ',
  // InnoDB's repeatable read reads from a snapshot (https://dev.mysql.com/doc/refman/8.0/en/innodb-consistent-read.html).
  snapshot: 'REPEATABLE READ',
  serializable: 'SERIALIZABLE',
});

/** Tells the server to give up what a connection is doing; needs a connection of its own. */
type KillQuery = (threadId: number) => Promise<void>;

type Rows = readonly PositionalRow[];

/** A client of `mysql2`. */
export type MysqlClient = WatchedClient<Connection>;

/** The socket of a client. The driver tells of one that was cut, but not of a connection that it destroys itself. */
export const streamOf = (client: Connection): Duplex => (client as unknown as { readonly stream: Duplex }).stream;

/** One connection of `mysql2`. The driver keeps prepared statements itself, bounded by `maxPreparedStatements`. */
export class MysqlConnection implements ServerConnection {
  #usable = true;
  readonly #transaction = new TransactionState('MySQL');
  readonly #line = new StatementLine();
  #hits = 0;
  #misses = 0;
  readonly #seen = new Set<string>();

  readonly #client: Connection;

  /** @param patience - milliseconds that a statement which is cancelled may go on */
  constructor(
    private readonly watched: MysqlClient,
    private readonly cacheSize: number,
    private readonly killQuery: KillQuery,
    private readonly patience: number,
  ) {
    this.#client = watched.client;
  }

  get isUsable(): boolean {
    return this.#usable && !this.watched.isLost;
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

  async script(sql: string, options: StatementOptions = {}): Promise<void> {
    const from = performance.now();
    for (const portion of scriptPortions(sql)) {
      await this.#line.run(() => this.#plain(portion), limitsAfter(options, from), this.#cancel);
    }
  }

  async *stream(
    sql: string,
    parameters: readonly unknown[],
    { batchSize, ...limits }: StatementOptions & { readonly batchSize: number },
  ): AsyncGenerator<readonly PositionalRow[]> {
    const portions = new RowPortions(batchSize, this.#client);
    await this.#line.enter(limits);
    const start = () => this.#pushed(sql, parameters, portions.push, limits.dates);
    yield* portions.read(this.#line.hold(start, this.#stop, portions.readAhead), limits);
  }

  async begin({ isolation, readOnly }: TransactionOptions): Promise<void> {
    if (isolation) await this.script(`SET TRANSACTION ISOLATION LEVEL ${ISOLATION.sql(isolation)}`);
    await this.script(readOnly ? 'START TRANSACTION READ ONLY' : 'START TRANSACTION');
    this.#transaction.begun();
  }

  commit(): Promise<void> {
    return this.#inTurn(() => this.#plain('COMMIT').finally(() => this.#transaction.ended()));
  }

  rollback(): Promise<void> {
    return this.#inTurn(() => {
      this.#transaction.ended();
      return this.#plain('ROLLBACK');
    });
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

  interrupt(reason: Error): Promise<void> {
    return this.#line.interrupt(reason);
  }

  destroy(): void {
    this.watched.destroy();
  }

  async end(): Promise<void> {
    this.#usable = false;
    this.#client.destroy();
  }

  #run<Result>(sql: string, parameters: readonly unknown[], options: StatementOptions): Promise<Result> {
    return this.#line.run(() => this.#prepared<Result>(sql, parameters, options.dates), options, this.#cancel);
  }

  #inTurn(start: () => Promise<void>): Promise<void> {
    return this.#line.run(start, undefined, this.#cancel);
  }

  async #prepared<Result>(sql: string, parameters: readonly unknown[], dates?: readonly number[]): Promise<Result> {
    this.#transaction.assertKept();
    if (this.#seen.has(sql)) this.#hits++;
    else this.#misses++;
    if (this.#seen.size > this.cacheSize) this.#seen.clear();
    this.#seen.add(sql);
    return new Promise((resolve, reject) => {
      const config = { sql, values: parameters as never[], rowsAsArray: true };
      const command = this.#client.execute(config, (error: unknown, result: unknown) =>
        error ? reject(this.#translated(error, sql)) : resolve(result as Result),
      );
      withExactFields(command, dates);
    });
  }

  async #plain(sql: string): Promise<void> {
    this.#transaction.assertKept();
    await new Promise<void>((resolve, reject) => {
      this.#client.query(sql, (error) => (error ? reject(this.#translated(error, sql)) : resolve()));
    });
  }

  // Settles when every row has been pushed, or the statement or its connection has failed.
  async #pushed(
    sql: string,
    parameters: readonly unknown[],
    push: (row: PositionalRow) => void,
    dates: readonly number[] | undefined,
  ): Promise<void> {
    this.#transaction.assertKept();
    await new Promise<void>((resolve, reject) => {
      const command = this.#client.execute({ sql, rowsAsArray: true, values: parameters as never[] });
      withExactFields(command, dates);
      const fail = (error: unknown) => {
        this.#client.removeListener('error', fail);
        reject(this.#translated(error, sql));
      };
      // Of a lost connection the driver tells those that wait with a callback, and else the connection.
      this.#client.once('error', fail);
      command
        .on('result', push)
        .on('error', fail)
        .on('end', () => {
          this.#client.removeListener('error', fail);
          resolve();
        });
    });
  }

  // The unread rest of a result would precede the next statement's result, so it is read: a connection with a transaction has to stay
  // usable.
  readonly #stop = async (received: Promise<unknown>): Promise<void> => {
    if (this.#transaction.isOpen) await this.#cancel(received);
    else this.#usable = false;
  };

  readonly #cancel = async (running: Promise<unknown>): Promise<void> => {
    try {
      await cancelUntilEnded(running, () => this.killQuery(this.#client.threadId as number), this.patience);
    } catch {
      // The server cannot be reached or does not respond. Closing the connection ends the statement.
      this.watched.destroy();
    }
    await running.catch(() => undefined);
  };

  #translated(error: unknown, sql: string) {
    if (endsConnection(error)) this.#usable = false;
    if (endsTransaction(error)) this.#transaction.lost();
    const coded = mysqlError(error, sql);
    this.#transaction.failed(coded);
    return coded;
  }
}
