import { fwError } from '../../../../kernel/index.js';
import type { BatchForm } from '../dialect/dialect.js';
import { typeInWords } from '../model/kinds.js';
import { ORM_ERRORS } from '../errors.js';
import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import { bindParameters } from '../plan/plan.js';
import { withinDeadline } from '../session/deadline.js';
import { promised } from '../session/maybe-promise.js';
import type { CreateOptions, Session } from '../session/session.js';
import type { WriteResult } from '../session/sql-handle.js';
import { runForCall, type Transaction } from '../session/transaction.js';
import { assertValidRow } from '../validation/validate-row.js';
import { assertRow, insertColumns, madeOf, sameColumns } from './creates.js';
import { fillNew } from './filled-times.js';
import { fillRow } from './fill-row.js';
import { countBehindKey, highestOf, keepsKeysOf } from './kept-keys.js';
import { assertBoolean } from '../session/checked-options.js';
import { CREATE_HOOKS, ROW_HOOKS, hasHooks, runHooks } from './hooks.js';
import { statementOptions, WRITE, type Runnable } from './reads.js';

/** Rows to insert: all at once, or as they come. */
export type Batch<Row> = Iterable<Row> | AsyncIterable<Row>;

/** Most rows of one INSERT, whatever the dialect would take. */
export const MAX_BULK_INSERT_ROWS = 5000;

/**
 * Inserts rows in chunks, all in one transaction. Iterables are read while writing, so memory holds one chunk. A batch from an iterable
 * that can be read once only is not retried on transient errors.
 */
export async function createBatchRows(
  query: Runnable,
  rows: Batch<object>,
  call: CreateOptions | undefined,
): Promise<number> {
  assertBatch(query, rows);
  assertBoolean('keepKeys', call?.keepKeys);
  if (Symbol.asyncIterator in rows) return createAsTheyCome(query, rows[Symbol.asyncIterator](), call);
  return writeBatch(query, call, Array.isArray(rows) ? null : ONCE, async (writer) => {
    // Synchronous rows are taken without `await`, which would cost as much as the rest.
    for (const row of rows) {
      const taken = writer.add(row);
      if (taken) await taken;
    }
    return writer.end();
  });
}

function assertBatch({ shape }: Runnable, rows: unknown): void {
  if (typeof rows === 'object' && rows !== null && (Symbol.iterator in rows || Symbol.asyncIterator in rows)) return;
  const expected = 'rows (an array, or another iterable)';
  throw fwError(ORM_ERRORS.FW_ORM_EXPRESSION, { model: shape.model.name, got: typeInWords(rows), expected });
}

// The first row is read before the transaction begins: a stream of the same database then begins outside of the transaction too, while on
// SQLite a statement that begins inside has to belong to it.
async function createAsTheyCome(
  query: Runnable,
  source: AsyncIterator<object>,
  call: CreateOptions | undefined,
): Promise<number> {
  let isWaiting = false;
  const ask = async (): Promise<IteratorResult<object>> => {
    isWaiting = true;
    const next = await withinDeadline(source.next(), { signal: call?.signal }, async () => undefined);
    isWaiting = false;
    return next;
  };
  try {
    const first = await ask();
    if (first.done === true) return 0;
    return await writeBatch(query, call, ONCE, async (writer) => {
      for (let next: IteratorResult<object> = first; next.done !== true; next = await ask())
        await writer.add(next.value);
      return writer.end();
    });
  } catch (error) {
    // Like `for await`: the first error is thrown.
    const returned = promised(() => source.return?.()).catch(() => undefined);
    // A generator that is waiting itself returns only after that.
    if (!isWaiting) await returned;
    throw error;
  }
}

const ONCE = { maxAttempts: 1 };

function writeBatch(
  { session, shape }: Runnable,
  call: CreateOptions | undefined,
  policy: typeof ONCE | null,
  write: (writer: BatchWriter) => Promise<number>,
): Promise<number> {
  return runForCall(session, call, policy, (tx) => write(new BatchWriter(tx, shape.model, call)));
}

class BatchWriter {
  #affected = 0;
  #columns: readonly ColumnInfo[] = [];
  #values: unknown[] = [];
  #rows: object[] = [];
  /** The given rows if `#rows` are copies, so that generated keys are set on them too. */
  #given: object[] = [];
  /** Properties of the last row that was looked at. */
  #properties: readonly string[] = [];
  #room = 0;
  #underWay: Promise<void> | undefined;
  /** How rows of these columns go into the table, once the database was asked. */
  #known: { readonly columns: readonly ColumnInfo[]; readonly form: BatchForm } | undefined;
  readonly #hooked: boolean;
  /** Whether rows are made instances of their class: for their hooks, for what the class begins with, or for times that are filled. */
  readonly #copies: boolean;
  readonly #keepsKeys: boolean;
  /** How far apart the database counts the keys of a statement, once it was asked. */
  #keyStep: number | undefined;
  /** Of those that rows have brought. */
  #highestKey: bigint | undefined;

  constructor(
    private readonly tx: Transaction,
    private readonly info: ModelInfo,
    private readonly call: CreateOptions | undefined,
  ) {
    this.#keepsKeys = keepsKeysOf(info, call);
    this.#hooked = tx.database.options.validate || hasHooks(info, CREATE_HOOKS);
    this.#copies = this.#hooked || info.initialised.length > 0 || info.timed.length > 0;
  }

  /** Takes one row; returns a promise only when something must be waited for. */
  add(row: object): Promise<void> | undefined {
    const isInstance = row instanceof this.info.target;
    if (!isInstance) this.#assertRow(row);
    const instance = isInstance || !this.#copies ? row : madeOf(this.info, row);
    if (this.#hooked) return this.#addHooked(instance, row);
    fillNew(this.info, instance);
    return this.#take(instance, row);
  }

  async end(): Promise<number> {
    await this.#flush();
    await this.#underWay;
    const [counted] = this.info.counted;
    if (counted) await countBehindKey(this.tx, counted, this.#highestKey);
    return this.#affected;
  }

  // Rows of a batch mostly have the same properties, which need no second look.
  #assertRow(row: object): void {
    if (hasProperties(row, this.#properties)) return;
    assertRow(this.info, row);
    this.#properties = Object.keys(row);
  }

  async #addHooked(instance: object, given: object): Promise<void> {
    await runHooks(this.info, ROW_HOOKS.create.before, instance, { session: this.tx, signal: this.call?.signal });
    fillNew(this.info, instance);
    if (this.tx.database.options.validate) await assertValidRow(this.info, instance);
    await this.#take(instance, given);
  }

  #take(row: object, given: object): Promise<void> | undefined {
    if (this.#rows.length > 0 && this.#rows.length >= this.#room)
      return this.#flush().then(() => this.#take(row, given));
    const before = this.#values.length;
    const columns = insertColumns(this.tx, this.info, row, this.#values, this.#keepsKeys);
    if (this.#rows.length === 0) this.#begin(columns);
    else if (!sameColumns(columns, this.#columns))
      return this.#startOver(columns, this.#values.splice(before)).then(() => this.#keep(row, given));
    this.#keep(row, given);
    return undefined;
  }

  #keep(row: object, given: object): void {
    this.#rows.push(row);
    if (this.#copies) this.#given.push(given);
  }

  // A statement has one list of columns, so a row with another set of values begins a new one.
  async #startOver(columns: readonly ColumnInfo[], values: unknown[]): Promise<void> {
    await this.#flush();
    this.#begin(columns);
    this.#values = values;
  }

  #begin(columns: readonly ColumnInfo[]): void {
    this.#columns = columns;
    this.#room = rowsPerStatement(this.tx, columns.length, this.#known?.form);
  }

  // Sends the collected rows without waiting: the next rows are collected while the server works.
  async #flush(): Promise<void> {
    const rows = this.#rows;
    if (rows.length === 0) return;
    const { database } = this.tx;
    const { returning } = database.dialect.capabilities;
    const columns = this.#columns;
    const keys = this.#keepsKeys ? [] : this.info.counted;
    const reads = returning === 'none' ? [] : keys;
    if (keys.length > 0 && reads.length === 0 && rows.length > 1)
      this.#keyStep ??= (await database.dialect.batchKeyStep?.(this.tx.connection)) ?? 1;
    const form = await this.#form();
    const arrays = form?.arrays;
    const shape = { columns, rows: arrays ? 1 : rows.length, returning: reads, keepsKeys: this.#keepsKeys, form };
    const plan = await database.inserts.plan(this.info, shape);
    const values = arrays ? transposed(this.#values, columns.length) : this.#values;
    const once = arrays === undefined && rows.length < this.#room;
    const options = { ...statementOptions(this.tx, plan, this.call), once };
    const statement = { sql: plan.sql, parameters: bindParameters(plan, values), options };
    const given = this.#given;
    if (this.#keepsKeys) this.#noteHighest(rows);
    this.#rows = [];
    this.#given = [];
    this.#values = [];
    await this.#underWay;
    const written = database.executor.run(this.tx, this.info.name, statement, WRITE);
    const end = async (result: WriteResult) => {
      this.#affected += result.affected;
      fillKeys(this.tx, rows, keys, result, this.#keyStep);
      copyKeys(rows, given, keys);
      if (this.#hooked) await this.#after(rows);
    };
    if (!(written instanceof Promise)) return end(written);
    this.#underWay = written.then(end);
    // A later await throws the failure; until then it must not count as unhandled.
    this.#underWay.catch(() => undefined);
  }

  // Asked for anew by each batch, so that it is what the table is now; a batch of one statement does without.
  async #form(): Promise<BatchForm | undefined> {
    const { dialect, planner } = this.tx.database;
    const isWorthIt = this.#known !== undefined || this.#rows.length === this.#room;
    if (dialect.batchForm === undefined || !isWorthIt) return undefined;
    if (this.#known === undefined || !sameColumns(this.#known.columns, this.#columns)) {
      const columns = this.#columns;
      // Columns that plugins add are not among the arrays, so arrays are not used then.
      const arrayable = planner.rewrites ? undefined : columns;
      this.#known = { columns, form: await dialect.batchForm(this.tx, this.info.table, arrayable) };
    }
    return this.#known.form;
  }

  #noteHighest(rows: readonly object[]): void {
    const highest = highestOf(rows, this.info.counted[0] as ColumnInfo);
    if (highest !== undefined && (this.#highestKey ?? highest) <= highest) this.#highestKey = highest;
  }

  async #after(rows: readonly object[]): Promise<void> {
    for (const row of rows)
      await runHooks(this.info, ROW_HOOKS.create.after, row, { session: this.tx, signal: this.call?.signal });
  }
}

function rowsPerStatement({ database }: Session, columns: number, form: BatchForm | undefined): number {
  const { maxParameters, maxInsertRows, preferredBatchRows } = database.dialect.capabilities;
  if (columns === 0) return 1;
  const preferred = form?.rows ?? preferredBatchRows;
  return Math.max(1, Math.min(MAX_BULK_INSERT_ROWS, maxInsertRows, preferred, Math.floor(maxParameters / columns)));
}

/** Values of rows as one list per column. */
function transposed(values: readonly unknown[], columns: number): unknown[][] {
  const rows = values.length / columns;
  return Array.from({ length: columns }, (_, column) => {
    const list = new Array<unknown>(rows);
    for (let row = 0; row < rows; row++) list[row] = values[row * columns + column];
    return list;
  });
}

function copyKeys(rows: readonly object[], given: readonly object[], keys: readonly ColumnInfo[]): void {
  for (const { property } of keys) {
    given.forEach((row, at) => {
      const made = rows[at] as Record<string, unknown>;
      if (row !== made && made[property] !== undefined) (row as Record<string, unknown>)[property] = made[property];
    });
  }
}

/** Whether a row has exactly these properties, in this order. An empty list says nothing: anything may have none. */
function hasProperties(row: object, properties: readonly string[]): boolean {
  if (typeof row !== 'object' || row === null || properties.length === 0) return false;
  let at = 0;
  for (const property in row) if (property !== properties[at++]) return false;
  return at === properties.length;
}

function fillKeys(
  session: Session,
  rows: readonly object[],
  keys: readonly ColumnInfo[],
  { affected, rows: read, insertId }: WriteResult,
  step = 1,
): void {
  const [key] = keys;
  if (key === undefined) return;
  if (read && read.length === rows.length)
    return rows.forEach((row, at) => fillRow(session, row, keys, read[at] ?? []));
  const { batchKeys } = session.database.dialect.capabilities;
  // A table may skip rows (ON CONFLICT IGNORE) without telling which, so keys are not derived.
  if (insertId === undefined || batchKeys === 'none' || affected !== rows.length) return;
  const before = batchKeys === 'fromLast' ? rows.length - 1 : 0;
  rows.forEach((row, place) => {
    const at = (place - before) * step;
    // Counted on in the kind of the column: a bigint key may be past what a number can hold.
    (row as Record<string, unknown>)[key.property] =
      key.kind === 'bigint' ? BigInt(insertId) + BigInt(at) : Number(insertId) + at;
  });
}
