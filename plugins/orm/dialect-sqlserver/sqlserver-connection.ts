import type { Connection, Request, TYPES } from 'tedious';
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
import { sqlserverError } from './sqlserver-errors.js';

/** The parts of `tedious` that a connection needs; the package is loaded only when it is used. */
export interface Tedious {
  readonly Request: typeof Request;
  readonly TYPES: typeof TYPES;
}

// https://learn.microsoft.com/sql/t-sql/statements/set-transaction-isolation-level-transact-sql
const ISOLATION = {
  readUncommitted: 'READ UNCOMMITTED',
  readCommitted: 'READ COMMITTED',
  repeatableRead: 'REPEATABLE READ',
  snapshot: 'SNAPSHOT',
  serializable: 'SERIALIZABLE',
} as const;

interface Outcome {
  readonly rows: PositionalRow[];
  readonly affected: number;
}

/** One connection of `tedious`. Statements go through sp_executesql, whose plans the server keeps by text. */
export class SqlServerConnection implements ServerConnection {
  #usable = true;
  #sent = 0;
  // The protocol takes one request at a time.
  #line: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly client: Connection,
    private readonly tedious: Tedious,
  ) {
    client.on('error', () => (this.#usable = false));
    client.on('end', () => (this.#usable = false));
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
    { batchSize, ...options }: StatementOptions & { readonly batchSize: number },
  ): AsyncGenerator<readonly PositionalRow[]> {
    const portions: PositionalRow[][] = [];
    let portion: PositionalRow[] = [];
    let wake: () => void = () => undefined;
    let ended = false;
    const running = this.#send(sql, parameters, (request, row) => {
      portion.push(row);
      if (portion.length < batchSize) return;
      portions.push(portion);
      portion = [];
      request.pause();
      wake();
    });
    const settled = withinDeadline(running.done, options, () => this.#cancel(running.done)).finally(() => {
      ended = true;
      wake();
    });
    settled.catch(() => undefined);
    try {
      while (!ended || portions.length > 0) {
        const next = portions.shift();
        if (next) {
          yield next;
          running.request.resume();
        } else await new Promise<void>((resolve) => (ended ? resolve() : (wake = resolve)));
      }
      await settled;
      if (portion.length > 0) yield portion;
    } catch (error) {
      throw sqlserverError(error, sql);
    } finally {
      if (!ended) {
        running.request.resume();
        await this.#cancel(running.done);
      }
    }
  }

  async script(sql: string): Promise<void> {
    for (const statement of splitStatements(sql)) await this.#run(`${statement};`, [], {});
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
    if (isolation) await this.#batch(`SET TRANSACTION ISOLATION LEVEL ${ISOLATION[isolation]}`);
    await this.#batch('BEGIN TRANSACTION');
  }

  commit(): Promise<void> {
    return this.#batch('COMMIT TRANSACTION');
  }

  // Some errors end the transaction by themselves (https://learn.microsoft.com/sql/t-sql/functions/xact-state-transact-sql).
  rollback(): Promise<void> {
    return this.#batch('IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION');
  }

  savepoint(name: string): Promise<void> {
    return this.#batch(`SAVE TRANSACTION ${name}`);
  }

  // There is nothing to release: a savepoint ends with its transaction.
  async release(): Promise<void> {}

  rollbackTo(name: string): Promise<void> {
    return this.#batch(`ROLLBACK TRANSACTION ${name}`);
  }

  async end(): Promise<void> {
    this.#usable = false;
    this.client.close();
  }

  async #run(sql: string, parameters: readonly unknown[], options: StatementOptions): Promise<Outcome> {
    const rows: PositionalRow[] = [];
    const { done } = this.#send(sql, parameters, (_request, row) => rows.push(row));
    try {
      return { rows, affected: await withinDeadline(done, options, () => this.#cancel(done)) };
    } catch (error) {
      throw sqlserverError(error, sql);
    }
  }

  #send(sql: string, parameters: readonly unknown[], onRow: (request: Request, row: PositionalRow) => void) {
    const { request, done } = this.#request(sql, onRow);
    parameters.forEach((value, at) => {
      const { type, options } = parameterType(this.tedious.TYPES, value);
      request.addParameter(`p${at + 1}`, type, value, options);
    });
    this.#queue(done, () => this.client.execSql(request));
    return { request, done };
  }

  // Statements about transactions run as batches: sp_executesql would see another count of them when it returns.
  async #batch(sql: string): Promise<void> {
    const { request, done } = this.#request(sql, () => undefined);
    this.#queue(done, () => this.client.execSqlBatch(request));
    await done.catch((error: unknown) => {
      throw sqlserverError(error, sql);
    });
  }

  #request(
    sql: string,
    onRow: (request: Request, row: PositionalRow) => void,
  ): { request: Request; done: Promise<number> } {
    this.#sent++;
    let settle: (error: Error | null | undefined, affected: number | undefined) => void = () => undefined;
    const done = new Promise<number>((resolve, reject) => {
      settle = (error, affected) => (error ? reject(error) : resolve(affected ?? 0));
    });
    const request = new this.tedious.Request(sql, (error, affected) => settle(error, affected));
    request.on('row', (columns: readonly { readonly value: unknown }[]) => {
      onRow(
        request,
        columns.map(({ value }) => value),
      );
    });
    return { request, done };
  }

  #queue(done: Promise<unknown>, start: () => void): void {
    this.#line = this.#line.then(() => {
      start();
      return done.catch(() => undefined);
    });
  }

  async #cancel(done: Promise<unknown>): Promise<void> {
    this.client.cancel();
    await done.catch(() => undefined);
  }
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
