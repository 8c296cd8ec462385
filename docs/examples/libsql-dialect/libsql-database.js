import { existsSync } from 'node:fs';
import Database from 'libsql';

/** libsql as the handle of SQLite asks for it, which are methods of better-sqlite3. */
export const libsqlClient = {
  name: 'libsql',
  open(file, { fileMustExist = false } = {}) {
    if (fileMustExist && !existsSync(file)) throw new Error(`there is no file ${file}`);
    return new LibsqlDatabase(file);
  },
  nativeOf: (database) => database.native,
};

class LibsqlDatabase {
  constructor(file) {
    // Waiting for locks would block the process; the handle waits itself.
    this.native = new Database(file, { timeout: 0 });
    // It tells no path itself.
    this.name = file;
    this.memory = file === ':memory:';
  }

  get open() {
    return this.native.open;
  }

  get inTransaction() {
    return this.native.open && this.native.inTransaction;
  }

  prepare(sql) {
    return new LibsqlStatement(this.native, sql);
  }

  exec(sql) {
    this.native.exec(sql);
  }

  pragma(text, { simple = false } = {}) {
    const statement = this.prepare(`PRAGMA ${text}`);
    // One that sets something gives no rows, mostly.
    const rows = statement.reader ? statement.raw(true).all() : [];
    if (!statement.reader) statement.run();
    return simple ? rows[0]?.[0] : rows;
  }

  close() {
    if (this.native.open) this.native.close();
  }
}

// The driver does not end it with its last row.
const EXPLAIN = /^\s*EXPLAIN\b/i;

/** A statement. Whoever reads one is rid of it behind that, or it would keep its lock: `get` ends what is running. */
class LibsqlStatement {
  #exact = false;
  #lasts;

  constructor(database, sql) {
    this.database = database;
    this.native = database.prepare(sql);
    this.reader = this.native.reader;
    this.#lasts = EXPLAIN.test(sql);
  }

  raw(toggle) {
    this.native.raw(toggle);
    return this;
  }

  safeIntegers(toggle) {
    this.#exact = toggle;
    this.native.safeIntegers(toggle);
    return this;
  }

  all(...parameters) {
    const list = listOf(parameters);
    const rows = this.native.all(list);
    if (this.#lasts) this.native.get(list);
    return rows;
  }

  get(...parameters) {
    return this.native.get(listOf(parameters));
  }

  run(...parameters) {
    const { changes, lastInsertRowid } = this.native.run(listOf(parameters));
    return { changes, lastInsertRowid: this.#exact ? lastRowid(this.database) : lastInsertRowid };
  }

  *iterate(...parameters) {
    const list = listOf(parameters);
    let isOver = false;
    try {
      for (const row of this.native.iterate(list)) yield row;
      isOver = true;
    } finally {
      if (!isOver) this.native.get(list);
    }
  }
}

// As the driver tells it, it is a double.
function lastRowid(database) {
  const [[id]] = database.prepare('SELECT last_insert_rowid()').raw(true).safeIntegers(true).all([]);
  return id;
}

// A parameter that stands alone is taken for an object of names, null too.
function listOf(parameters) {
  const [first] = parameters;
  return (Array.isArray(first) ? first : parameters).map((value) => value ?? null);
}
