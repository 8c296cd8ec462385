import { identifier, type Database, type SqlConnection } from '../core/index.js';

/** A migration that was applied. */
export interface Applied {
  readonly version: string;
  readonly name: string;
  readonly appliedAt: Date;
  readonly checksum: string | null;
}

/** The table that says which migrations are applied. */
export class VersionTable {
  readonly name: string;
  readonly #table: string;

  /** @throws FwError `FW_ORM_IDENTIFIER` */
  constructor(
    private readonly db: Database,
    name: string,
  ) {
    this.name = identifier(name === '' ? 'schema_migrations' : name);
    this.#table = db.dialect.compiler.quote(this.name);
  }

  async isThere(on: SqlConnection): Promise<boolean> {
    const tables = await on.query(this.db.dialect.schema.listTables, []);
    return tables.some(([table]) => table === this.name);
  }

  /** Creates the table when it is missing. */
  async ensure(on: SqlConnection): Promise<void> {
    if (await this.isThere(on)) return;
    const { versionType } = this.db.dialect.schema;
    const quote = (column: string) => this.db.dialect.compiler.quote(column);
    const column = (name: string, rest: string) => `${quote(name)} ${versionType}${rest}`;
    const columns = [
      column('version', ' NOT NULL PRIMARY KEY'),
      column('name', ' NOT NULL'),
      column('applied_at', ' NOT NULL'),
      column('checksum', ''),
    ];
    await on.script(`CREATE TABLE ${this.#table} (${columns.join(', ')})`);
  }

  /** Applied migrations by version. */
  async applied(on: SqlConnection): Promise<readonly Applied[]> {
    const [version, name, at, checksum] = ['version', 'name', 'applied_at', 'checksum'].map((column) =>
      this.db.dialect.compiler.quote(column),
    );
    const rows = await on.query(
      `SELECT ${version}, ${name}, ${at}, ${checksum} FROM ${this.#table} ORDER BY ${version}`,
      [],
    );
    return rows.map((row) => ({
      version: String(row[0]),
      name: String(row[1]),
      appliedAt: new Date(String(row[2])),
      checksum: row[3] === null ? null : String(row[3]),
    }));
  }

  async add(on: SqlConnection, { version, name, appliedAt, checksum }: Applied): Promise<void> {
    const { compiler } = this.db.dialect;
    const columns = ['version', 'name', 'applied_at', 'checksum'].map((column) => compiler.quote(column)).join(', ');
    const values = [1, 2, 3, 4].map((position) => compiler.placeholder(position)).join(', ');
    // Text on every database, so that one code reads it.
    await on.execute(
      `INSERT INTO ${this.#table} (${columns}) VALUES (${values})`,
      [version, name, appliedAt.toISOString(), checksum],
      { once: true },
    );
  }

  async remove(on: SqlConnection, version: string): Promise<void> {
    const { compiler } = this.db.dialect;
    await on.execute(
      `DELETE FROM ${this.#table} WHERE ${compiler.quote('version')} = ${compiler.placeholder(1)}`,
      [version],
      { once: true },
    );
  }
}
