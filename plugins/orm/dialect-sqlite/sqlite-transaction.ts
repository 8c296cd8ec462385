import { fwError } from '../../../kernel/index.js';
import {
  ORM_ERRORS,
  BoundedMap,
  assertWanted,
  type MaybePromise,
  type PositionalRow,
  type SqlTransactionConnection,
  type StatementOptions,
} from '../dialect/index.js';
import type { SqliteConnection } from './sqlite-connection.js';
import type { WriterLane } from './writer-lane.js';

/** A transaction on a connection that nobody else uses meanwhile. */
export class SqliteTransaction implements SqlTransactionConnection {
  /** After a rollback by SQLite a commit fails by itself. */
  readonly isIntact = true;
  readonly followsCalls = true;
  /** Whether a statement has failed in a way that makes SQLite roll back (https://sqlite.org/lang_transaction.html). */
  #isLost = false;
  #lostBy: unknown;

  constructor(
    private readonly connection: SqliteConnection,
    private readonly readOnly: boolean,
    readonly lane: WriterLane,
  ) {}

  // Each written out, as in the handle: a closure would be made for every statement.
  query(sql: string, parameters: readonly unknown[], options?: StatementOptions) {
    this.#assertKept();
    try {
      return this.connection.all(sql, parameters, options);
    } catch (error) {
      return this.#failed(error);
    }
  }

  queryFirst(sql: string, parameters: readonly unknown[], options?: StatementOptions) {
    this.#assertKept();
    try {
      return this.connection.get(sql, parameters, options);
    } catch (error) {
      return this.#failed(error);
    }
  }

  execute(sql: string, parameters: readonly unknown[], options?: StatementOptions) {
    this.#assertKept();
    try {
      return this.connection.run(sql, parameters, options);
    } catch (error) {
      return this.#failed(error);
    }
  }

  async *stream(
    sql: string,
    parameters: readonly unknown[],
    options: StatementOptions & { readonly batchSize: number },
  ): AsyncGenerator<readonly PositionalRow[]> {
    yield* portions(await this.query(sql, parameters, options), options);
  }

  script(sql: string, options?: StatementOptions) {
    this.#assertKept();
    try {
      return this.connection.script(sql, options);
    } catch (error) {
      return this.#failed(error);
    }
  }

  commit(): MaybePromise<void> {
    try {
      this.#assertKept();
      const committed = this.connection.commit();
      if (committed !== undefined) {
        return committed.then(
          () => this.#end(),
          (error: unknown) => this.#notCommitted(error),
        );
      }
    } catch (error) {
      return this.#notCommitted(error);
    }
    return this.#end();
  }

  #notCommitted(error: unknown): never {
    try {
      if (this.connection.driver.inTransaction) this.connection.driver.exec('ROLLBACK');
    } finally {
      this.#end();
    }
    throw error;
  }

  async rollback(): Promise<void> {
    try {
      if (this.connection.driver.inTransaction) await this.connection.control('ROLLBACK');
    } finally {
      this.#end();
    }
  }

  savepoint(name: string) {
    this.#assertKept();
    return this.connection.control(textsOf(name).savepoint);
  }

  release(name: string) {
    this.#assertKept();
    return this.connection.control(textsOf(name).release);
  }

  async rollbackTo(name: string): Promise<void> {
    if (this.#isLost) return;
    await this.connection.control(`ROLLBACK TO SAVEPOINT ${name}`);
    await this.connection.control(`RELEASE SAVEPOINT ${name}`);
  }

  // Later statements would be committed one by one.
  #assertKept(): void {
    if (this.#isLost) throw fwError(ORM_ERRORS.FW_ORM_TRANSACTION_LOST, { dialect: 'SQLite' }, { cause: this.#lostBy });
  }

  #failed(error: unknown): never {
    this.#isLost = !this.connection.driver.inTransaction;
    if (this.#isLost) this.#lostBy ??= error;
    throw error;
  }

  #end(): void {
    if (this.readOnly && this.connection.driver.open) this.connection.driver.pragma('query_only = 0');
    this.lane.leave();
  }
}

interface SavepointTexts {
  readonly savepoint: string;
  readonly release: string;
}

// A text that is put together anew is hashed anew when its statement is looked up.
const texts = new BoundedMap<string, SavepointTexts>(100);

function textsOf(name: string): SavepointTexts {
  return texts.get(name) ?? texts.set(name, { savepoint: `SAVEPOINT ${name}`, release: `RELEASE SAVEPOINT ${name}` });
}

/**
 * Rows in lists of a size; the last one may be shorter.
 *
 * @throws FwError `FW_ORM_ABORTED`
 */
export function* portions(
  rows: Iterable<PositionalRow>,
  { batchSize, signal }: StatementOptions & { readonly batchSize: number },
): Generator<readonly PositionalRow[]> {
  let portion: PositionalRow[] = [];
  for (const row of rows) {
    portion.push(row);
    if (portion.length < batchSize) continue;
    yield portion;
    assertWanted(signal);
    portion = [];
  }
  if (portion.length > 0) yield portion;
}
