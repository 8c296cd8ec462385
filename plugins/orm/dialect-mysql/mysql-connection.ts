import type { Duplex } from 'node:stream';
import type { Connection, ResultSetHeader } from 'mysql2';
import {
  RowPortions,
  StatementLine,
  TransactionState,
  cancelUntilEnded,
  limitsAfter,
  type PositionalRow,
  type ServerConnection,
  type StatementOptions,
  type TransactionOptions,
  type WriteResult,
} from '../core/index.js';
import { endsTransaction, isFatal, mysqlError } from './mysql-errors.js';
import { scriptPortions } from './mysql-script.js';

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
  readonly #transaction = new TransactionState('MySQL');
  readonly #line = new StatementLine();
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
    const portions = new RowPortions(batchSize, this.client);
    await this.#line.enter(limits);
    const start = () => this.#pushed(sql, parameters, portions.push);
    yield* portions.read(this.#line.hold(start, this.#stop, portions.readAhead), limits);
  }

  async begin({ isolation, readOnly }: TransactionOptions): Promise<void> {
    if (isolation) await this.script(`SET TRANSACTION ISOLATION LEVEL ${ISOLATION[isolation]}`);
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

  async end(): Promise<void> {
    this.#usable = false;
    this.client.destroy();
  }

  #run<Result>(sql: string, parameters: readonly unknown[], options: StatementOptions): Promise<Result> {
    return this.#line.run(() => this.#prepared<Result>(sql, parameters), options, this.#cancel);
  }

  #inTurn(start: () => Promise<void>): Promise<void> {
    return this.#line.run(start, undefined, this.#cancel);
  }

  async #prepared<Result>(sql: string, parameters: readonly unknown[]): Promise<Result> {
    this.#transaction.assertKept();
    if (this.#seen.has(sql)) this.#hits++;
    else this.#misses++;
    if (this.#seen.size > this.cacheSize) this.#seen.clear();
    this.#seen.add(sql);
    return new Promise((resolve, reject) => {
      const config = { sql, values: parameters as never[], rowsAsArray: true };
      this.client.execute(config, (error: unknown, result: unknown) =>
        error ? reject(this.#translated(error, sql)) : resolve(result as Result),
      );
    });
  }

  async #plain(sql: string): Promise<void> {
    this.#transaction.assertKept();
    await new Promise<void>((resolve, reject) => {
      this.client.query(sql, (error) => (error ? reject(this.#translated(error, sql)) : resolve()));
    });
  }

  // Settles when every row has been pushed, or the statement or its connection has failed.
  async #pushed(sql: string, parameters: readonly unknown[], push: (row: PositionalRow) => void): Promise<void> {
    this.#transaction.assertKept();
    await new Promise<void>((resolve, reject) => {
      const fail = (error: unknown) => reject(this.#translated(error, sql));
      // Of a lost connection the driver tells those that wait with a callback, and else the connection.
      this.client.once('error', fail);
      this.client
        .execute({ sql, rowsAsArray: true, values: parameters as never[] })
        .on('result', push)
        .on('error', fail)
        .on('end', () => {
          this.client.removeListener('error', fail);
          resolve();
        });
    });
  }

  // What nobody reads of a result would stand before the next statement's. A connection that holds a transaction has to go on.
  readonly #stop = async (received: Promise<unknown>): Promise<void> => {
    if (this.#transaction.isOpen) await this.#cancel(received);
    else this.#usable = false;
  };

  readonly #cancel = async (running: Promise<unknown>): Promise<void> => {
    try {
      await cancelUntilEnded(running, () => this.killQuery(this.client.threadId as number));
    } catch {
      // Nobody can be reached. The driver tells of a connection that was cut, but not of one that it destroys itself.
      (this.client as unknown as { readonly stream: Duplex }).stream.destroy();
    }
    await running.catch(() => undefined);
  };

  #translated(error: unknown, sql: string) {
    if (isFatal(error)) this.#usable = false;
    if (endsTransaction(error)) this.#transaction.lost();
    const coded = mysqlError(error, sql);
    this.#transaction.failed(coded);
    return coded;
  }
}
