import { isFwError } from '../../../kernel/index.js';
import {
  columnOf,
  model,
  rowReader,
  transaction,
  type CellTexts,
  type ColumnInfo,
  type Database,
  type ModelInfo,
  type PositionalRow,
  type RowReader,
  type Session,
  type SqlConnection,
  type Transaction,
} from '../core/index.js';
import { cellVerdict, isSameJson, shortened, type CellVerdict } from './cell-problem.js';
import { refusalOf } from './refusal.js';
import type { Findings } from './report.js';
import { searchPathHint } from './search-path-hint.js';

const UNREAD = Symbol('unread');

/** Most rows of a table that are written back, where nobody says how many. */
export const WRITTEN_ROWS = 1000;
const PORTION = 500;

type GivenRow = Readonly<Record<string, unknown>>;

/** Thrown to roll back a transaction or a savepoint. */
class Enough extends Error {}

async function rolledBack<Result>(session: Session, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  let result: { readonly of: Result } | undefined;
  const run = transaction.run(session, null, null, async (tx) => {
    result = { of: await work(tx) };
    throw new Enough();
  });
  await run.catch((error: unknown) => {
    if (!(error instanceof Enough)) throw error;
  });
  return (result as unknown as { readonly of: Result }).of;
}

/** A table of the database beside its model. */
export class CheckedTable {
  readonly #reader: RowReader;
  readonly #table: string;

  /**
   * @param cells - the dialect's own words for cells
   */
  constructor(
    private readonly db: Database,
    readonly info: ModelInfo,
    private readonly cells: CellTexts,
    private readonly findings: Findings,
  ) {
    this.#reader = rowReader(info, db.dialect);
    this.#table = this.#quote(info.table);
  }

  /**
   * Reads the rows as queries do, with the database's text of each cell.
   *
   * @param most - how many rows at most; all when undefined
   * @returns how many rows there were
   */
  async read(most: number | undefined): Promise<number> {
    const options = { bigints: this.info.hasBigints, batchSize: PORTION, timeout: 0 };
    const meanings = this.info.readable.map((column) => this.cells.meaning(this.#quote(column.name), column));
    let rows = 0;
    for await (const portion of this.db.handle.stream(this.#select(meanings, most), [], options)) {
      for (const row of portion) this.#compare(row);
      rows += portion.length;
    }
    return rows;
  }

  #compare(row: PositionalRow): void {
    const { readable } = this.info;
    const texts = row.slice(readable.length).map((text) => (text === null ? null : String(text)));
    const values = this.#valuesOf(row);
    readable.forEach((column, at) => {
      const { wrong, note }: CellVerdict =
        values[at] === UNREAD ? {} : cellVerdict(column, values[at], texts[at] as string | null);
      const place = `${this.info.table}.${column.name}`;
      // A key of SQLite that is no INTEGER takes it (https://sqlite.org/lang_createtable.html#the_primary_key).
      if (texts[at] === null && !column.nullable)
        this.findings.add({
          step: 'cells',
          place,
          problem: 'holds null, and the model takes none',
          example: `${this.info.name}.${column.property} is declared without null`,
        });
      if (wrong) this.findings.add({ step: 'cells', place, ...wrong });
      if (note) this.findings.note(note, place);
    });
  }

  // As the generated scanner reads the row; where it cannot, each value by itself, to tell which.
  #valuesOf(row: PositionalRow): readonly unknown[] {
    const { readable } = this.info;
    const values = row.slice(0, readable.length);
    try {
      const read = this.#reader.row([...values]) as Readonly<Record<string, unknown>>;
      return readable.map(({ property }) => read[property]);
    } catch {
      return readable.map((column, at) => this.#value(column, at, values[at]));
    }
  }

  #value(column: ColumnInfo, at: number, value: unknown): unknown {
    if (value === null) return null;
    try {
      return this.#reader.cells[at]?.(value);
    } catch (error) {
      const { code, message } = isFwError(error) ? error : { code: 'an error', message: String(error) };
      const place = `${this.info.table}.${column.name}`;
      this.findings.add({ step: 'cells', place, problem: `cannot be read (${code})`, example: message });
      return UNREAD;
    }
  }

  /**
   * Writes rows back as they were read, in a transaction that is rolled back, and compares all cells of the table with their state before.
   * Changes that also occur when a statement sets every column to itself are the database's own.
   *
   * @returns how many rows were written
   */
  async writeBack(most: number): Promise<number> {
    const { primaryKey, updatable, isView } = this.info;
    if (isView || primaryKey.length === 0 || updatable.length === 0) return 0;
    return rolledBack(this.db, async (tx) => {
      const count = this.info.readable.length;
      const exact = this.info.readable.map((column) => this.#exact(column));
      const options = { bigints: this.info.hasBigints, timeout: 0 };
      const read = () => tx.connection.query(this.#select(exact, most), [], options);
      const rows = await read();
      const changesSince = async () => this.#changes(rows.map(textsOf), (await read()).map(textsOf));
      const textsOf = (row: PositionalRow): readonly unknown[] => row.slice(count);
      const { written, changed } = await rolledBack(tx, async (inner) => ({
        written: await this.#update(
          inner,
          rows.map((row) => row.slice(0, count)),
        ),
        changed: await changesSince(),
      }));
      const own = changed.size === 0 ? changed : await this.#ownChanges(tx, changesSince);
      for (const [place, example] of changed)
        if (own === undefined)
          this.findings.note(
            'is another one when it is written back; whether the database itself changes it cannot be told, because it refuses an update of all rows',
            place,
          );
        else if (own.has(place))
          this.findings.note('is changed by the database itself at every update of its row', place);
        else this.findings.add({ step: 'write', place, problem: 'is another one when it is written back', example });
      return written;
    });
  }

  async #update(session: Session, rows: readonly PositionalRow[]): Promise<number> {
    let written = 0;
    const told = new Set<string>();
    for (const values of rows) {
      const row = this.#row(values);
      if (row === undefined) continue;
      try {
        await transaction.run(session, null, null, (inner) => model(inner, this.info.target).update(row));
        written++;
      } catch (error) {
        await this.#tell(error, session, row, told);
      }
    }
    return written;
  }

  // Of rows that the database itself does not change, one sentence stands for all: that of another may only name another row.
  async #tell(error: unknown, session: Session, row: GivenRow, told: Set<string>): Promise<void> {
    const { code, message } = isFwError(error) ? error : { code: 'an error', message: String(error) };
    const place = this.info.table;
    const refusal = refusalOf(error);
    if (refusal === undefined || refusal !== (await this.#ownRefusal(session, row))) {
      const example = `${message}${searchPathHint(error)}`;
      this.findings.add({ step: 'write', place, problem: `does not take back what was read (${code})`, example });
    } else if (!told.has(refusal)) {
      told.add(refusal);
      this.findings.note(`has rows of which the database itself refuses every update: ${message}`, place);
    }
  }

  /** How the database refuses to set every column of a row to itself: by a trigger, or a check that rows are older than. */
  #ownRefusal(session: Session, row: GivenRow): Promise<string | undefined> {
    const { target, primaryKey, updatable } = this.info;
    const key = Object.fromEntries(primaryKey.map(({ property }) => [property, row[property]]));
    const sets = updatable.map(({ property }) => columnOf(this.info, property)).map((column) => column.set(column));
    return rolledBack(session, (outer) =>
      this.#refusalOf(outer, (inner) =>
        model(inner, target)
          .where(key)
          .updateAll(...sets),
      ),
    );
  }

  // Undefined for what was told when the cells were read.
  #row(values: PositionalRow): GivenRow | undefined {
    const { readable, primaryKey } = this.info;
    if (readable.some((column, at) => values[at] === null && primaryKey.includes(column))) return undefined;
    try {
      return this.#reader.row(values) as GivenRow;
    } catch {
      return undefined;
    }
  }

  /** Columns that changed in rows, with the first example. */
  #changes(
    before: readonly (readonly unknown[])[],
    after: readonly (readonly unknown[])[],
  ): ReadonlyMap<string, string> {
    const changed = new Map<string, string>();
    before.forEach((row, index) =>
      this.info.readable.forEach(({ name, kind }, at) => {
        const place = `${this.info.table}.${name}`;
        const [was, now] = [row[at], after[index]?.[at]];
        if (now === was) return;
        if (kind === 'json' && typeof was === 'string' && typeof now === 'string' && isSameJson(was, now))
          this.findings.note(
            'is spelled in another way when it is written back (spaces, escapes, zeros), and says the same',
            place,
          );
        else if (!changed.has(place)) changed.set(place, `was ${shortened(was)}, is ${shortened(now)}`);
      }),
    );
    return changed;
  }

  // JSON stored as text has many equal forms.
  #exact(column: ColumnInfo): string {
    const name = this.#quote(column.name);
    return column.kind === 'json' ? this.cells.meaning(name, column) : this.cells.exact(name);
  }

  /** What changes when every column is set to itself; undefined where the database refuses that. */
  async #ownChanges(
    session: Session,
    changesSince: () => Promise<ReadonlyMap<string, string>>,
  ): Promise<ReadonlyMap<string, string> | undefined> {
    const refusal = await this.#refusalOf(session, ({ connection }) => this.#setToItself(connection));
    return refusal === undefined ? changesSince() : undefined;
  }

  /** How the database refuses a write, of which nothing is left then; undefined where it does not. */
  async #refusalOf(session: Session, write: (inner: Transaction) => Promise<unknown>): Promise<string | undefined> {
    try {
      await transaction.run(session, null, null, write);
      return undefined;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      return refusal;
    }
  }

  async #setToItself(on: SqlConnection): Promise<void> {
    const sets = this.info.updatable.map(({ name }) => `${this.#quote(name)} = ${this.#quote(name)}`);
    await on.execute(`UPDATE ${this.#table} SET ${sets.join(', ')}`, [], { once: true, timeout: 0 });
  }

  #select(texts: readonly string[], most: number | undefined): string {
    const { readable, primaryKey } = this.info;
    const list = [...readable.map(({ name }) => this.#quote(name)), ...texts].join(', ');
    const order = primaryKey.map(({ name }) => this.#quote(name)).join(', ');
    const select = `SELECT ${list} FROM ${this.#table}`;
    if (most === undefined) return select;
    const { firstRows = (sql: string, count: number) => `${sql} LIMIT ${count}` } = this.db.dialect.schema;
    return firstRows(order === '' ? select : `${select} ORDER BY ${order}`, most);
  }

  #quote(name: string): string {
    return this.db.dialect.compiler.quote(name);
  }
}
