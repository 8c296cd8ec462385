import { setTimeout as delay } from 'node:timers/promises';
import { fwError } from '../../../kernel/index.js';
import {
  assertMilliseconds,
  assertWhole,
  type Database,
  type PositionalRow,
  type SqlConnection,
  type Transaction,
} from '../core/index.js';
import { MIGRATION_ERRORS } from './errors.js';

/** Rows that are taken batch by batch, in the order of their key. */
export interface BatchOptions {
  readonly table: string;
  /** Columns of a key that is unique and has no nulls, such as the primary key. */
  readonly key: string | readonly string[];
  /** Columns that the change is given, beside those of the key. */
  readonly columns?: readonly string[];
  /** SQL of a condition: `slug IS NULL`. Default: every row. */
  readonly where?: string;
  /** Rows of a batch; default 1000. */
  readonly size?: number;
  /** Milliseconds between two batches, for others to get on; default 0. */
  readonly pause?: number;
  /** Name that the progress is noted under; default the table's. Two passes over one table need two. */
  readonly name?: string;
}

/** A row by its columns, as the driver gives it. */
export type BatchRow = Readonly<Record<string, unknown>>;

/** What happens to a batch: SQL that stands behind SET, or a function that is given its rows, inside its transaction. */
export type BatchChange = string | ((rows: readonly BatchRow[], tx: Transaction) => Promise<void> | void);

/** How far the rows have come. */
export interface MoveProgress {
  readonly version: string;
  /** Name of the pass: the table's, if nothing else was said. */
  readonly name: string;
  /** Rows so far, those of earlier runs among them. */
  readonly rows: number;
  readonly isOver: boolean;
}

/** Where a pass is: behind a key. */
export interface Position {
  readonly key: string;
  readonly rows: number;
}

/** What keeps the position of a pass, in the transaction of each batch. */
export interface PositionKeeper {
  read(on: SqlConnection): Promise<Position | undefined>;
  note(on: SqlConnection, position: Position): Promise<void>;
  /** Runs a batch. */
  transaction(run: (tx: Transaction) => Promise<void>): Promise<void>;
}

const SIZE = 1000;
// The ledger's columns hold 255.
const LONGEST_KEY = 250;

/**
 * Changes the rows of a table batch by batch, each in a transaction of its own with the note of how far it came: what is cut off goes
 * on behind the last batch, and no row is changed twice.
 *
 * @returns number of rows
 */
export async function changeInBatches(
  db: Database,
  options: BatchOptions,
  change: BatchChange,
  keeper: PositionKeeper,
  onBatch: (rows: number, isOver: boolean) => void,
): Promise<number> {
  const { size = SIZE, pause = 0 } = options;
  assertWhole('size', size, 1);
  assertMilliseconds('pause', pause);
  const pass = new Pass(db, options, size);
  for (;;) {
    let [rows, isOver] = [0, false];
    await keeper.transaction(async (tx) => {
      const position = await keeper.read(tx);
      const batch = await pass.batch(tx, position?.key);
      rows = (position?.rows ?? 0) + batch.length;
      isOver = batch.length < size;
      const last = batch.at(-1);
      if (last === undefined) return;
      await pass.change(tx, change, batch, position?.key);
      await keeper.note(tx, { key: pass.keyOf(last), rows });
    });
    onBatch(rows, isOver);
    if (isOver) return rows;
    if (pause > 0) await delay(pause);
  }
}

class Pass {
  readonly #key: readonly string[];
  readonly #columns: readonly string[];
  readonly #table: string;

  constructor(
    private readonly db: Database,
    private readonly options: BatchOptions,
    private readonly size: number,
  ) {
    const { table, key, columns = [] } = options;
    this.#key = [key].flat();
    this.#columns = [...new Set([...this.#key, ...columns])];
    this.#table = this.#quote(table);
  }

  async batch(on: SqlConnection, after: string | undefined): Promise<readonly PositionalRow[]> {
    const { schema } = this.db.dialect;
    const parameters: unknown[] = [];
    const where = this.#where(parameters, after, undefined);
    const order = this.#key.map((name) => this.#quote(name)).join(', ');
    const columns = this.#columns.map((name) => this.#quote(name)).join(', ');
    const select = `SELECT ${columns} FROM ${this.#table}${where} ORDER BY ${order}`;
    const first = schema.firstRows?.(select, this.size) ?? `${select} LIMIT ${this.size}`;
    return on.query(first, parameters, { bigints: true });
  }

  async change(
    tx: Transaction,
    change: BatchChange,
    batch: readonly PositionalRow[],
    after: string | undefined,
  ): Promise<void> {
    if (typeof change !== 'string') {
      await change(
        batch.map((row) => Object.fromEntries(this.#columns.map((name, at) => [name, row[at]]))),
        tx,
      );
      return;
    }
    const parameters: unknown[] = [];
    const where = this.#where(parameters, after, this.keyOf(batch.at(-1) as PositionalRow));
    await tx.execute(`UPDATE ${this.#table} SET ${change}${where}`, parameters);
  }

  /** The key of a row, as it is noted. */
  keyOf(row: PositionalRow): string {
    const values = this.#key.map((name, at) => this.#noted(name, row[at]));
    const text = JSON.stringify(values);
    if (text.length > LONGEST_KEY)
      throw this.#refused(`the key of a row has ${text.length} letters, and ${LONGEST_KEY} can be noted`);
    return text;
  }

  #noted(name: string, value: unknown): unknown {
    if (typeof value === 'bigint') return { bigint: String(value) };
    if (typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))) return value;
    throw this.#refused(
      `the column ${name} of the key holds ${value === null ? 'a null' : typeof value}; take one of numbers or texts`,
    );
  }

  #refused(problem: string) {
    return fwError(MIGRATION_ERRORS.FW_MIGRATE_BATCH, { table: this.options.table, problem });
  }

  // Of what stands behind a key, up to another.
  #where(parameters: unknown[], after: string | undefined, upTo: string | undefined): string {
    const conditions = [
      ...(this.options.where === undefined ? [] : [`(${this.options.where}\n)`]),
      ...(after === undefined ? [] : [this.#compared('>', '>', after, parameters)]),
      ...(upTo === undefined ? [] : [this.#compared('<', '<=', upTo, parameters)]),
    ];
    return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  }

  // a > ? OR (a = ? AND b > ?): rows as values are not known everywhere.
  #compared(way: string, last: string, key: string, parameters: unknown[]): string {
    const values = (JSON.parse(key) as readonly unknown[]).map(valueOf);
    const is = (at: number, how: string) => {
      parameters.push(values[at]);
      return `${this.#quote(this.#key[at] as string)} ${how} ${this.db.dialect.compiler.placeholder(parameters.length)}`;
    };
    const ways = this.#key.map((_name, at) =>
      [...this.#key.slice(0, at).keys()]
        .map((before) => is(before, '='))
        .concat(is(at, at === this.#key.length - 1 ? last : way))
        .join(' AND '),
    );
    return `(${ways.map((way) => `(${way})`).join(' OR ')})`;
  }

  #quote(name: string): string {
    return this.db.dialect.compiler.quote(name);
  }
}

function valueOf(noted: unknown): unknown {
  return typeof noted === 'object' && noted !== null ? BigInt((noted as { readonly bigint: string }).bigint) : noted;
}
