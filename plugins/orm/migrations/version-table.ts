import type { Database, SqlConnection } from '../core/index.js';
import { TextTable } from './text-table.js';

/** Default name of the version table. */
export const VERSION_TABLE = 'schema_migrations';

/** A migration that was applied. */
export interface Applied {
  readonly version: string;
  readonly name: string;
  readonly appliedAt: Date;
  readonly checksum: string | null;
}

/** The table of applied migrations. */
export class VersionTable {
  readonly #table: TextTable<'version' | 'name' | 'applied_at' | 'checksum'>;

  /** @throws FwError `FW_ORM_IDENTIFIER` */
  constructor(db: Database, name: string) {
    this.#table = new TextTable(db, name, { version: 'key', name: 'text', applied_at: 'text', checksum: 'optional' });
  }

  isThere(on: SqlConnection): Promise<boolean> {
    return this.#table.isThere(on);
  }

  ensure(on: SqlConnection): Promise<void> {
    return this.#table.ensure(on);
  }

  /** Applied migrations by version. */
  async applied(on: SqlConnection): Promise<readonly Applied[]> {
    return (await this.#table.rows(on)).map(({ version, name, applied_at: at, checksum }) => ({
      version: String(version),
      name: String(name),
      appliedAt: new Date(String(at)),
      checksum,
    }));
  }

  add(on: SqlConnection, { version, name, appliedAt, checksum }: Applied): Promise<void> {
    return this.#table.add(on, { version, name, applied_at: appliedAt.toISOString(), checksum });
  }

  remove(on: SqlConnection, version: string): Promise<void> {
    return this.#table.remove(on, { version });
  }
}
