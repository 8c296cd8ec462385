import { fwError } from 'fw';
import { assertWanted, ORM_ERRORS, ServerHandle, StatementLine, Words } from 'fw/orm/dialect';
import { postgresError } from 'fw/orm/postgres';
import { parameterText } from './pglite-values.js';

const ISOLATION = new Words('The isolation of a transaction', {
  readUncommitted: 'READ UNCOMMITTED',
  readCommitted: 'READ COMMITTED',
  repeatableRead: 'REPEATABLE READ',
  snapshot: 'REPEATABLE READ',
  serializable: 'SERIALIZABLE',
});

// A statement runs inside of this process and in one go: there is nothing that could end it sooner.
const untilItEnds = async (running) => void (await running.catch(() => undefined));

/** A database with one session: calls wait for their turn. */
export class PgliteHandle extends ServerHandle {
  constructor(file, connect) {
    super({ file }, connect, { connections: 1 });
  }

  // A stream that kept the session would let its own reader wait for ever, when that asks for something else meanwhile.
  async *stream(sql, parameters, options) {
    const rows = await this.query(sql, parameters, options);
    for (let at = 0; at < rows.length; at += options.batchSize) {
      assertWanted(options.signal);
      yield rows.slice(at, at + options.batchSize);
    }
  }
}

/** The session. */
export class PgliteConnection {
  isUsable = true;
  statementStats = { size: 0, hits: 0, misses: 0, evicted: 0 };
  #database;
  #asText;
  #line = new StatementLine();
  /** Another object for each transaction. */
  #transaction;
  #failure;
  #cursors = 0;

  constructor(database) {
    this.#database = database;
    this.#asText = Object.fromEntries(Object.keys(database.serializers).map((type) => [type, String]));
  }

  async query(sql, parameters, options) {
    return (await this.#run(sql, parameters, options)).rows;
  }

  async queryFirst(sql, parameters, options) {
    return (await this.#run(sql, parameters, options)).rows[0];
  }

  async execute(sql, parameters, options) {
    const { rows, affectedRows = 0 } = await this.#run(sql, parameters, options);
    return { affected: affectedRows, rows };
  }

  async script(sql, options) {
    await this.#plain(sql, options);
  }

  // Inside of a transaction, where a cursor can be.
  async *stream(sql, parameters, options) {
    const transaction = this.#transaction;
    const cursor = `pglite_cursor_${++this.#cursors}`;
    let hasFailed = false;
    try {
      await this.#run(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`, parameters, options);
      for (;;) {
        const rows = await this.query(`FETCH ${Math.trunc(options.batchSize)} FROM ${cursor}`, [], options);
        if (rows.length > 0) yield rows;
        if (rows.length < options.batchSize) break;
      }
    } catch (error) {
      hasFailed = true;
      throw error;
    } finally {
      // A transaction that has failed or is over took the cursor along.
      if (!hasFailed && this.#transaction === transaction) await this.script(`CLOSE ${cursor}`);
    }
  }

  async begin({ isolation, readOnly }) {
    const level = isolation ? ` ISOLATION LEVEL ${ISOLATION.sql(isolation)}` : '';
    await this.#plain(`BEGIN${level}${readOnly ? ' READ ONLY' : ''}`);
    this.#transaction = {};
    this.#failure = undefined;
  }

  async commit() {
    const [{ command }] = await this.#plain('COMMIT').finally(() => (this.#transaction = undefined));
    // Says so, and not by an error, after a statement that failed (https://www.postgresql.org/docs/current/sql-commit.html).
    if (command !== 'ROLLBACK') return;
    throw fwError(ORM_ERRORS.FW_ORM_TRANSACTION_LOST, { dialect: 'PGlite' }, { cause: this.#failure });
  }

  async rollback() {
    await this.#plain('ROLLBACK').finally(() => (this.#transaction = undefined));
  }

  savepoint(name) {
    return this.script(`SAVEPOINT ${name}`);
  }

  release(name) {
    return this.script(`RELEASE SAVEPOINT ${name}`);
  }

  rollbackTo(name) {
    return this.script(`ROLLBACK TO SAVEPOINT ${name}; RELEASE SAVEPOINT ${name}`);
  }

  interrupt(reason) {
    return this.#line.interrupt(reason);
  }

  // There is no connection to cut. What is under way ends by itself, and nothing of it is kept.
  destroy() {
    void this.rollback().catch(() => undefined);
  }

  async end() {
    this.isUsable = false;
    if (!this.#database.closed) await this.#database.close();
  }

  #run(sql, parameters, options) {
    const how = { rowMode: 'array', serializers: this.#asText };
    return this.#sent(sql, options, () => this.#database.query(sql, parameters.map(parameterText), how));
  }

  #plain(sql, options) {
    return this.#sent(sql, options, () => this.#database.exec(sql));
  }

  async #sent(sql, options, start) {
    try {
      return await this.#line.run(start, options, untilItEnds);
    } catch (error) {
      const coded = postgresError(error, sql);
      // What follows in a transaction that has failed says only that.
      if (coded.details.driverCode !== '25P02') this.#failure = coded;
      throw coded;
    }
  }
}
