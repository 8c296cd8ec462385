import { existsSync } from 'node:fs';
import { fwError } from '../../../kernel/index.js';
import { driverMissing, ORM_ERRORS } from '../dialect/index.js';
import type { SqliteClient, SqliteDatabase, SqliteStatement } from './sqlite-database.js';

// Of https://nodejs.org/api/sqlite.html, what is used here: the declarations of the oldest supported Node do not have it.
interface NodeSqlite {
  readonly StatementSync: { readonly prototype: object };
  readonly DatabaseSync: new (file: string, options: { readonly timeout: number }) => DatabaseSync;
}

/** A database of `node:sqlite`. */
export interface DatabaseSync {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  prepare(sql: string): StatementSync;
  exec(sql: string): void;
  close(): void;
}

interface StatementSync {
  readonly sourceSQL: string;
  columns(): readonly unknown[];
  setReturnArrays(toggle: boolean): void;
  setReadBigInts(toggle: boolean): void;
  all(...parameters: unknown[]): unknown[][];
  get(...parameters: unknown[]): unknown[] | undefined;
  run(...parameters: unknown[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  iterate(...parameters: unknown[]): Iterable<unknown[]>;
}

/** Releases that pass its suite. Those before read a text with the character 0 up to it only, whether they have rows as lists or not. */
const RELEASES = '24 or later';

/** The same, asked of SQLite itself. */
const KEEPS_TEXTS = 'SELECT char(97, 0, 98) AS text';
const IN_MEMORY = ':memory:';

/**
 * SQLite through the module of Node: nothing is installed, and nothing compiled.
 *
 * @throws FwError `FW_ORM_DRIVER_MISSING` where the Node that runs does not have it, or not all that is used of it
 */
export function nodeSqlite(builtin: (name: string) => unknown = process.getBuiltinModule): SqliteClient<DatabaseSync> {
  const found = builtin('node:sqlite') as NodeSqlite | undefined;
  const isWhole = found !== undefined && 'setReturnArrays' in found.StatementSync.prototype && keepsTexts(found);
  if (!isWhole) throw driverMissing('SQLite', 'node:sqlite', undefined, RELEASES);
  return {
    name: 'node:sqlite',
    open: (file, { fileMustExist = false } = {}) => {
      if (fileMustExist && !existsSync(file))
        throw fwError(ORM_ERRORS.FW_ORM_CONNECTION, { dialect: 'SQLite', reason: `${file}: there is no such file` });
      return new NodeDatabase(new found.DatabaseSync(file, { timeout: 0 }), file);
    },
    nativeOf: (database) => (database as NodeDatabase).native,
  };
}

function keepsTexts({ DatabaseSync }: NodeSqlite): boolean {
  const database = new DatabaseSync(IN_MEMORY, { timeout: 0 });
  const [row] = [...database.prepare(KEEPS_TEXTS).iterate()] as readonly unknown[];
  database.close();
  return (row as { readonly text?: unknown } | undefined)?.text === 'a\0b';
}

class NodeDatabase implements SqliteDatabase {
  readonly memory: boolean;

  constructor(
    readonly native: DatabaseSync,
    readonly name: string,
  ) {
    this.memory = name === IN_MEMORY;
  }

  get open(): boolean {
    return this.native.isOpen;
  }

  get inTransaction(): boolean {
    return this.native.isOpen && this.native.isTransaction;
  }

  prepare(sql: string): SqliteStatement {
    const prepared = this.native.prepare(sql);
    // Node prepares the first statement of several, and says nothing of the others.
    assertOne(sql, prepared);
    return new NodeStatement(prepared, READS.test(sql));
  }

  exec(sql: string): void {
    this.native.exec(sql);
  }

  pragma(text: string, { simple = false }: { readonly simple?: boolean } = {}): unknown {
    const rows = this.prepare(`PRAGMA ${text}`).raw(true).all() as unknown[][];
    return simple ? rows[0]?.[0] : rows;
  }

  close(): void {
    if (this.native.isOpen) this.native.close();
  }
}

/** Statements that certainly change nothing, and can be repeated. */
const READS = /^\s*SELECT\b/i;

/** Refuses a text with more statements than the one that was prepared. @throws RangeError */
export function assertOne(sql: string, prepared: Pick<StatementSync, 'sourceSQL'>): void {
  if (hasMore(sql.slice(sourceOf(prepared).length)))
    throw new RangeError('The supplied SQL string contains more than one statement');
}

function sourceOf(prepared: Pick<StatementSync, 'sourceSQL'>): string {
  try {
    return prepared.sourceSQL;
  } catch (cause) {
    // For a text without a statement some releases return a finalized one.
    throw new RangeError('The supplied SQL string contains no statements', { cause });
  }
}

// What may follow a statement (https://sqlite.org/lang_comment.html).
const hasMore = (rest: string): boolean => !/^(?:[\s;]|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$))*$/.test(rest);

/** Numbers are read directly while they are safe; after the first unsafe one the statement reads bigints. */
class NodeStatement implements SqliteStatement {
  readonly reader: boolean;
  /** Whether the caller wants bigints. */
  #exact = false;
  /** Whether Node gives them. */
  #bigints: boolean;

  constructor(
    private readonly native: StatementSync,
    private readonly isRepeatable: boolean,
  ) {
    this.reader = native.columns().length > 0;
    // A write with RETURNING must not be repeated because of an unsafe number (ERR_OUT_OF_RANGE), so it reads bigints from the start.
    this.#bigints = !isRepeatable;
    native.setReadBigInts(this.#bigints);
  }

  raw(toggle: boolean): this {
    this.native.setReturnArrays(toggle);
    return this;
  }

  safeIntegers(toggle: boolean): this {
    this.#exact = toggle;
    this.#readBigInts(toggle || !this.isRepeatable);
    return this;
  }

  all(...parameters: unknown[]): unknown[] {
    const bound = boundOf(parameters);
    return this.#tried(() => this.native.all(...bound).map((row) => this.#row(row)));
  }

  get(...parameters: unknown[]): unknown {
    const bound = boundOf(parameters);
    return this.#tried(() => {
      const row = this.native.get(...bound);
      return row && this.#row(row);
    });
  }

  run(...parameters: unknown[]) {
    const { changes, lastInsertRowid } = this.native.run(...boundOf(parameters));
    return {
      changes: Number(changes),
      lastInsertRowid: this.#exact ? lastInsertRowid : Number(lastInsertRowid),
    };
  }

  *iterate(...parameters: unknown[]): Generator<unknown> {
    // Consumed rows cannot be read again, so bigints are read from the start.
    this.#readBigInts(true);
    for (const row of this.native.iterate(...boundOf(parameters))) yield this.#row(row);
  }

  #tried<Result>(read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_OUT_OF_RANGE' || this.#bigints) throw error;
      this.#readBigInts(true);
      return read();
    }
  }

  #readBigInts(toggle: boolean): void {
    this.#bigints = toggle;
    this.native.setReadBigInts(toggle);
  }

  // As better-sqlite3 has them: bytes as Buffer, and a whole number that is too large rounded, unless bigints are wanted.
  #row(row: unknown[]): unknown[] {
    for (let at = 0; at < row.length; at++) {
      const value = row[at];
      if (value instanceof Uint8Array) row[at] = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      else if (typeof value === 'bigint' && !this.#exact) row[at] = Number(value);
    }
    return row;
  }
}

// One list stands for as many parameters.
function boundOf(parameters: readonly unknown[]): unknown[] {
  const [first] = parameters;
  return (Array.isArray(first) ? (first as unknown[]) : parameters).map(bound);
}

const BINDABLE: ReadonlySet<string> = new Set(['number', 'string', 'bigint']);

// Node takes an object as a list of named parameters, and some releases refuse undefined
// (https://nodejs.org/api/sqlite.html#type-conversion-between-javascript-and-sqlite).
function bound(value: unknown): unknown {
  if (value === undefined) return null;
  if (value === null || BINDABLE.has(typeof value) || value instanceof Uint8Array) return value;
  throw new TypeError('SQLite3 can only bind numbers, strings, bigints, buffers, and null');
}
