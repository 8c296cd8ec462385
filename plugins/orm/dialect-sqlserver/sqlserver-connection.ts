import type { EventEmitter } from 'node:events';
import type { Connection, Request, TYPES } from 'tedious';
import { fwError } from '../../../kernel/index.js';
import {
  ORM_ERRORS,
  RowPortions,
  StatementLine,
  TransactionState,
  Words,
  limitsAfter,
  type IsolationLevel,
  type PositionalRow,
  type ServerConnection,
  type StatementOptions,
  type TransactionOptions,
  type WriteResult,
} from '../dialect/index.js';
import { sqlserverError } from './sqlserver-errors.js';
import { scriptStatements } from './sqlserver-script.js';

/** The parts of `tedious` that a connection needs; the package is loaded only when it is used. */
export interface Tedious {
  readonly Request: typeof Request;
  readonly TYPES: typeof TYPES;
}

// https://learn.microsoft.com/sql/t-sql/statements/set-transaction-isolation-level-transact-sql
const ISOLATION = new Words<IsolationLevel>('The isolation of a transaction', {
  readUncommitted: 'READ UNCOMMITTED',
  readCommitted: 'READ COMMITTED',
  repeatableRead: 'REPEATABLE READ',
  snapshot: 'SNAPSHOT',
  serializable: 'SERIALIZABLE',
});

interface Sending {
  readonly request: Request;
  /** Number of rows that it has touched. */
  readonly done: Promise<number>;
}

interface Outcome {
  readonly rows: PositionalRow[];
  readonly affected: number;
}

/** One connection of `tedious`. Statements go through sp_executesql, whose plans the server keeps by text. */
export class SqlServerConnection implements ServerConnection {
  #usable = true;
  readonly #transaction = new TransactionState('SQL Server');
  #sent = 0;
  readonly #line = new StatementLine();

  constructor(
    private readonly client: Connection,
    private readonly tedious: Tedious,
  ) {
    client.on('error', () => (this.#usable = false));
    client.on('end', () => (this.#usable = false));
    // The server reports it, even when it rolls back by itself because of an error; the driver's types lack the event.
    const events: EventEmitter = client;
    events.on('rollbackTransaction', () => this.#transaction.lost());
  }

  get isUsable(): boolean {
    return this.#usable;
  }

  // Nothing is prepared on this side.
  get statementStats() {
    return { size: 0, hits: 0, misses: this.#sent, evicted: 0 };
  }

  async query(
    sql: string,
    parameters: readonly unknown[],
    options: StatementOptions = {},
  ): Promise<readonly PositionalRow[]> {
    return (await this.#run(sql, parameters, options)).rows;
  }

  async queryFirst(
    sql: string,
    parameters: readonly unknown[],
    options: StatementOptions = {},
  ): Promise<PositionalRow | undefined> {
    return (await this.#run(sql, parameters, options)).rows[0];
  }

  execute(sql: string, parameters: readonly unknown[], options: StatementOptions = {}): Promise<WriteResult> {
    return this.#run(sql, parameters, options);
  }

  async *stream(
    sql: string,
    parameters: readonly unknown[],
    { batchSize, ...limits }: StatementOptions & { readonly batchSize: number },
  ): AsyncGenerator<readonly PositionalRow[]> {
    const sending = this.#request(sql);
    const portions = new RowPortions(batchSize, sending.request);
    await this.#line.enter(limits);
    const start = () => this.#execute(sending, parameters, portions.push);
    yield* portions.read(this.#line.hold(start, this.#cancel, portions.readAhead), limits);
  }

  async script(sql: string, options: StatementOptions = {}): Promise<void> {
    const from = performance.now();
    for (const statement of scriptStatements(sql)) await this.#run(`${statement};`, [], limitsAfter(options, from));
  }

  /** @throws FwError `FW_ORM_UNSUPPORTED` for a read-only transaction, which this server does not have */
  async begin({ isolation, readOnly }: TransactionOptions): Promise<void> {
    if (readOnly) {
      const reason = 'the server has none; use a login that may only read';
      throw fwError(ORM_ERRORS.FW_ORM_UNSUPPORTED, {
        dialect: 'SQL Server',
        feature: 'a read-only transaction',
        reason,
      });
    }
    if (isolation) await this.#batch(`SET TRANSACTION ISOLATION LEVEL ${ISOLATION.sql(isolation)}`);
    await this.#batch('BEGIN TRANSACTION');
    this.#transaction.begun();
  }

  commit(): Promise<void> {
    return this.#batch('COMMIT TRANSACTION').finally(() => this.#transaction.ended());
  }

  // Some errors end the transaction by themselves (https://learn.microsoft.com/sql/t-sql/functions/xact-state-transact-sql).
  rollback(): Promise<void> {
    return this.#inTurn(() => {
      this.#transaction.ended();
      return this.#sendBatch('IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION');
    });
  }

  savepoint(name: string): Promise<void> {
    return this.#batch(`SAVE TRANSACTION ${name}`);
  }

  // There is nothing to release: a savepoint ends with its transaction.
  async release(): Promise<void> {}

  rollbackTo(name: string): Promise<void> {
    return this.#batch(`ROLLBACK TRANSACTION ${name}`);
  }

  interrupt(reason: Error): Promise<void> {
    return this.#line.interrupt(reason);
  }

  destroy(): void {
    this.#usable = false;
    this.client.close();
  }

  async end(): Promise<void> {
    this.destroy();
  }

  async #run(sql: string, parameters: readonly unknown[], options: StatementOptions): Promise<Outcome> {
    const rows: PositionalRow[] = [];
    const start = () => this.#execute(this.#request(sql), parameters, (row) => rows.push(row));
    return { affected: await this.#line.run(start, options, this.#cancel), rows };
  }

  async #execute(
    { request, done }: Sending,
    parameters: readonly unknown[],
    onRow: (row: PositionalRow) => void,
  ): Promise<number> {
    this.#transaction.assertKept();
    request.on('row', (columns: readonly { readonly value: unknown }[]) => onRow(columns.map(({ value }) => value)));
    parameters.forEach((value, at) => {
      const { type, options } = parameterType(this.tedious.TYPES, value);
      request.addParameter(`p${at + 1}`, type, value, options);
    });
    this.client.execSql(request);
    return done;
  }

  // Statements about transactions run as batches: sp_executesql would see another count of them when it returns.
  #batch(sql: string): Promise<void> {
    return this.#inTurn(async () => {
      this.#transaction.assertKept();
      await this.#sendBatch(sql);
    });
  }

  async #sendBatch(sql: string): Promise<void> {
    const { request, done } = this.#request(sql);
    this.client.execSqlBatch(request);
    await done;
  }

  #inTurn(start: () => Promise<void>): Promise<void> {
    return this.#line.run(start, undefined, this.#cancel);
  }

  #request(sql: string): Sending {
    this.#sent++;
    let settle: (error: Error | null | undefined, affected: number | undefined) => void = () => undefined;
    const done = new Promise<number>((resolve, reject) => {
      settle = (error, affected) => (error ? reject(this.#translated(error, sql)) : resolve(affected ?? 0));
    });
    return { request: new this.tedious.Request(sql, (error, affected) => settle(error, affected)), done };
  }

  #translated(error: Error, sql: string) {
    const coded = sqlserverError(error, sql);
    this.#transaction.failed(coded);
    return coded;
  }

  readonly #cancel = async (running: Promise<unknown>): Promise<void> => {
    this.client.cancel();
    await running.catch(() => undefined);
  };
}

function parameterType(types: typeof TYPES, value: unknown) {
  switch (typeof value) {
    case 'boolean':
      return { type: types.Bit, options: {} };
    case 'bigint':
      return { type: types.BigInt, options: {} };
    case 'number':
      if (!Number.isInteger(value)) return { type: types.Float, options: {} };
      return { type: Math.abs(value) < 2 ** 31 ? types.Int : types.BigInt, options: {} };
    default:
      if (value instanceof Date) return { type: types.DateTime2, options: { scale: 3 } };
      return value instanceof Uint8Array
        ? { type: types.VarBinary, options: {} }
        : { type: types.NVarChar, options: {} };
  }
}
