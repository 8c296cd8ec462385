import {
  BoundedMap,
  assertWanted,
  withinDeadline,
  type Limits,
  type MaybePromise,
  type PositionalRow,
  type StatementOptions,
  type WriteResult,
} from '../dialect/index.js';
import type { SqliteDatabase, SqliteStatement } from './sqlite-database.js';
import { isBusy, sqliteError } from './sqlite-errors.js';
import { whileBusy } from './while-busy.js';

/** A prepared statement, and whether it gives rows: asking the driver for that takes as long as a small call. */
interface Statement {
  readonly prepared: SqliteStatement;
  readonly reads: boolean;
}

const BEGIN = 'BEGIN IMMEDIATE';
const COMMIT = 'COMMIT';
// Parameters by themselves reach the driver a tenth faster than in an array; a long list of them would fill the stack.
const FEW = 16;

/** One connection with its prepared statements. Answers at once; waits only while another process writes. */
export class SqliteConnection {
  readonly #plain: BoundedMap<string, Statement>;
  readonly #exact: BoundedMap<string, Statement>;
  /** Of every transaction: a field is found sooner than a text among hundreds. */
  #begin: Prepared | undefined;
  #commit: Prepared | undefined;

  constructor(
    readonly driver: SqliteDatabase,
    cacheSize: number,
    /** Milliseconds to wait for a lock that another process holds. */
    private readonly busyTimeout: number,
  ) {
    this.#plain = new BoundedMap(cacheSize);
    this.#exact = new BoundedMap(cacheSize);
  }

  setStmtCacheSize(size: number): void {
    this.#plain.resize(size);
    this.#exact.resize(size);
  }

  all(
    sql: string,
    parameters: readonly unknown[],
    options: StatementOptions | undefined,
  ): MaybePromise<readonly PositionalRow[]> {
    assertWanted(options?.signal);
    try {
      return this.#all(sql, parameters, options);
    } catch (error) {
      return this.#failed(error, sql, () => this.#all(sql, parameters, options), options);
    }
  }

  get(
    sql: string,
    parameters: readonly unknown[],
    options: StatementOptions | undefined,
  ): MaybePromise<PositionalRow | undefined> {
    assertWanted(options?.signal);
    try {
      return this.#get(sql, parameters, options);
    } catch (error) {
      return this.#failed(error, sql, () => this.#get(sql, parameters, options), options);
    }
  }

  run(sql: string, parameters: readonly unknown[], options: StatementOptions | undefined): MaybePromise<WriteResult> {
    assertWanted(options?.signal);
    try {
      return this.#run(sql, parameters, options);
    } catch (error) {
      return this.#failed(error, sql, () => this.#run(sql, parameters, options), options);
    }
  }

  script(sql: string, options: StatementOptions | undefined): Promise<void> | undefined {
    assertWanted(options?.signal);
    try {
      this.driver.exec(sql);
      return undefined;
    } catch (error) {
      return this.#failed(error, sql, () => void this.driver.exec(sql), options);
    }
  }

  /** Begins a transaction that may write, and takes the write lock now, so that it cannot fail half way for want of it. */
  begin(limits: Limits): Promise<void> | undefined {
    try {
      (this.#begin ??= this.driver.prepare(BEGIN)).run();
      return undefined;
    } catch (error) {
      return this.#failed(error, BEGIN, () => this.#control(BEGIN), limits);
    }
  }

  commit(): Promise<void> | undefined {
    try {
      (this.#commit ??= this.driver.prepare(COMMIT)).run();
      return undefined;
    } catch (error) {
      return this.#failed(error, COMMIT, () => this.#control(COMMIT), undefined);
    }
  }

  /** Another statement that begins, ends or marks a transaction. */
  control(sql: string, limits?: Limits): Promise<void> | undefined {
    try {
      this.#control(sql);
      return undefined;
    } catch (error) {
      return this.#failed(error, sql, () => this.#control(sql), limits);
    }
  }

  get statementStats() {
    const [plain, exact] = [this.#plain.stats(), this.#exact.stats()];
    return {
      size: plain.size + exact.size,
      hits: plain.hits + exact.hits,
      misses: plain.misses + exact.misses,
      evicted: plain.evicted + exact.evicted,
    };
  }

  close(): void {
    this.#plain.clear();
    this.#exact.clear();
    this.driver.close();
  }

  #all(sql: string, parameters: readonly unknown[], options: StatementOptions | undefined): readonly PositionalRow[] {
    const { prepared } = this.#statement(sql, options);
    return (
      parameters.length <= FEW ? prepared.all(...parameters) : prepared.all(parameters as unknown[])
    ) as PositionalRow[];
  }

  #get(sql: string, parameters: readonly unknown[], options: StatementOptions | undefined): PositionalRow | undefined {
    return getRow(this.#statement(sql, options).prepared, parameters) as PositionalRow | undefined;
  }

  #run(sql: string, parameters: readonly unknown[], options: StatementOptions | undefined): WriteResult {
    const { prepared, reads } = this.#statement(sql, options);
    if (reads) {
      const rows = prepared.all(parameters as unknown[]) as PositionalRow[];
      return { affected: rows.length, rows };
    }
    const { changes, lastInsertRowid } = runWrite(prepared, parameters);
    return { affected: changes, insertId: lastInsertRowid };
  }

  #control(sql: string): void {
    this.#statement(sql, undefined).prepared.run();
  }

  // Tried again, without blocking the process, while another process writes; not past the limits of the call.
  #failed<Result>(error: unknown, sql: string, work: () => Result, limits: Limits | undefined): Promise<Result> {
    if (!isBusy(error) || this.driver.inTransaction) throw sqliteError(error, sql);
    const givenUp = new AbortController();
    const again = whileBusy(this.busyTimeout, work, givenUp.signal).catch((last: unknown) => {
      throw sqliteError(last, sql);
    });
    return withinDeadline(again, limits ?? {}, async () => givenUp.abort());
  }

  #statement(sql: string, options: StatementOptions | undefined): Statement {
    const exact = options?.bigints === true;
    const cache = exact ? this.#exact : this.#plain;
    const found = cache.get(sql);
    if (found !== undefined) return found;
    const prepared = this.driver.prepare(sql);
    const made = { prepared, reads: prepared.reader };
    if (made.reads) prepared.raw(true);
    if (exact) prepared.safeIntegers(true);
    return options?.once === true ? made : cache.set(sql, made);
  }
}

type Prepared = Statement['prepared'];

// The usual numbers of parameters are written out: spreading a list takes longer than the list is long.
function getRow(prepared: Prepared, parameters: readonly unknown[]): unknown {
  switch (parameters.length) {
    case 1:
      return prepared.get(parameters[0]);
    case 2:
      return prepared.get(parameters[0], parameters[1]);
    case 3:
      return prepared.get(parameters[0], parameters[1], parameters[2]);
    default:
      return parameters.length <= FEW ? prepared.get(...parameters) : prepared.get(parameters as unknown[]);
  }
}

function runWrite(prepared: Prepared, parameters: readonly unknown[]) {
  switch (parameters.length) {
    case 1:
      return prepared.run(parameters[0]);
    case 2:
      return prepared.run(parameters[0], parameters[1]);
    case 3:
      return prepared.run(parameters[0], parameters[1], parameters[2]);
    default:
      return parameters.length <= FEW ? prepared.run(...parameters) : prepared.run(parameters as unknown[]);
  }
}
