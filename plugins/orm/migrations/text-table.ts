import { identifier, type Database, type SqlConnection } from '../core/index.js';

/** Kind of a text column: part of the key, required, or nullable. */
type TextColumn = 'key' | 'text' | 'optional';

/** A row by its columns. */
export type TextRow<Column extends string> = Readonly<Record<Column, string | null>>;

/** A table of text columns for the records of the runner. It is the same on every database, so one implementation serves all. */
export class TextTable<Column extends string> {
  readonly name: string;
  readonly #table: string;
  readonly #columns: readonly Column[];
  #wasSeen = false;

  /** @throws FwError `FW_ORM_IDENTIFIER` */
  constructor(
    private readonly db: Database,
    name: string,
    private readonly shape: Readonly<Record<Column, TextColumn>>,
  ) {
    this.name = identifier(name);
    this.#table = this.#quote(this.name);
    this.#columns = Object.keys(shape) as Column[];
  }

  async isThere(on: SqlConnection): Promise<boolean> {
    if (this.#wasSeen) return true;
    const tables = await on.query(this.db.dialect.schema.listTables, []);
    this.#wasSeen = tables.some(([table]) => table === this.name);
    return this.#wasSeen;
  }

  /** Creates the table if it is missing. */
  async ensure(on: SqlConnection): Promise<void> {
    if (await this.isThere(on)) return;
    const { versionType } = this.db.dialect.schema;
    const lines = this.#columns.map(
      (name) => `${this.#quote(name)} ${versionType}${this.shape[name] === 'optional' ? '' : ' NOT NULL'}`,
    );
    await on.script(`CREATE TABLE ${this.#table} (${lines.join(', ')}, PRIMARY KEY (${this.#keys()}))`);
  }

  /** All rows, by the key. */
  async rows(on: SqlConnection): Promise<readonly TextRow<Column>[]> {
    const rows = await on.query(`SELECT ${this.#list()} FROM ${this.#table} ORDER BY ${this.#keys()}`, []);
    return rows.map((row) => {
      const texts = this.#columns.map((name, at) => [name, row[at] === null ? null : String(row[at])] as const);
      return Object.fromEntries(texts) as TextRow<Column>;
    });
  }

  /** Columns that the table in the database has not; none where it cannot be read at all. */
  async missingColumns(on: SqlConnection): Promise<readonly Column[]> {
    const canRead = async (what: string) => {
      try {
        await on.query(`SELECT ${what} FROM ${this.#table} WHERE 1 = 0`, []);
        return true;
      } catch {
        return false;
      }
    };
    if (!(await canRead('1'))) return [];
    const missing: Column[] = [];
    for (const name of this.#columns) if (!(await canRead(this.#quote(name)))) missing.push(name);
    return missing;
  }

  async add(on: SqlConnection, row: TextRow<Column>): Promise<void> {
    const { compiler } = this.db.dialect;
    const values = this.#columns.map((_name, at) => compiler.placeholder(at + 1)).join(', ');
    await on.execute(
      `INSERT INTO ${this.#table} (${this.#list()}) VALUES (${values})`,
      this.#columns.map((name) => row[name]),
      { once: true },
    );
  }

  /** Updates the rows with these texts in one statement, which is atomic also outside of a transaction. */
  async change(on: SqlConnection, texts: Partial<TextRow<Column>>, to: Partial<TextRow<Column>>): Promise<void> {
    const set = this.#pairs(to, 0);
    const where = this.#pairs(texts, set.values.length);
    await on.execute(
      `UPDATE ${this.#table} SET ${set.sql.join(', ')} WHERE ${where.sql.join(' AND ')}`,
      [...set.values, ...where.values],
      { once: true },
    );
  }

  /** Removes the rows that have these texts. */
  async remove(on: SqlConnection, texts: Partial<TextRow<Column>>): Promise<void> {
    const { sql, values } = this.#pairs(texts, 0);
    await on.execute(`DELETE FROM ${this.#table} WHERE ${sql.join(' AND ')}`, values, { once: true });
  }

  #pairs(texts: Partial<TextRow<Column>>, before: number) {
    const given = Object.entries<string | null | undefined>(texts);
    const placeholder = (at: number) => this.db.dialect.compiler.placeholder(before + at + 1);
    return {
      sql: given.map(([name], at) => `${this.#quote(name)} = ${placeholder(at)}`),
      values: given.map(([, text]) => text),
    };
  }

  #list(): string {
    return this.#columns.map((name) => this.#quote(name)).join(', ');
  }

  #keys(): string {
    const keys = this.#columns.filter((name) => this.shape[name] === 'key');
    return keys.map((name) => this.#quote(name)).join(', ');
  }

  #quote(name: string): string {
    return this.db.dialect.compiler.quote(name);
  }
}
