import { fwError } from '../../../kernel/index.js';
import type { Database, SqlConnection } from '../core/index.js';
import type { ActualTable } from '../schema/introspect.js';
import { MIGRATION_ERRORS } from './errors.js';
import { TextTable } from './text-table.js';

const COLUMNS = { version: 'key', name: 'text', applied_at: 'text', checksum: 'optional' } as const;

/** Whether the table notes migrations of ours, and not those of another tool that calls its table the same. */
export const isVersionTable = ({ columns }: ActualTable): boolean =>
  Object.keys(COLUMNS).every((name) => columns.some((column) => column.name === name));

/** A migration that was applied. */
export interface Applied {
  readonly version: string;
  readonly name: string;
  readonly appliedAt: Date;
  readonly checksum: string | null;
}

/** The table of applied migrations. */
export class VersionTable {
  readonly #table: TextTable<keyof typeof COLUMNS>;

  /** @throws FwError `FW_ORM_IDENTIFIER` */
  constructor(db: Database, name: string) {
    this.#table = new TextTable(db, name, COLUMNS);
  }

  isThere(on: SqlConnection): Promise<boolean> {
    return this.#table.isThere(on);
  }

  ensure(on: SqlConnection): Promise<void> {
    return this.#table.ensure(on);
  }

  /**
   * Applied migrations by version.
   *
   * @throws FwError `FW_MIGRATE_TABLE` where another tool has made the table
   */
  async applied(on: SqlConnection): Promise<readonly Applied[]> {
    return (await this.#rows(on)).map(({ version, name, applied_at: at, checksum }) => ({
      version: String(version),
      name: String(name),
      appliedAt: new Date(String(at)),
      checksum,
    }));
  }

  async #rows(on: SqlConnection) {
    try {
      return await this.#table.rows(on);
    } catch (cause) {
      const missing = await this.#table.missingColumns(on);
      if (missing.length === 0) throw cause;
      const { name: table } = this.#table;
      throw fwError(MIGRATION_ERRORS.FW_MIGRATE_TABLE, { table, missing: missing.join(', ') }, { cause });
    }
  }

  add(on: SqlConnection, { version, name, appliedAt, checksum }: Applied): Promise<void> {
    return this.#table.add(on, { version, name, applied_at: appliedAt.toISOString(), checksum });
  }

  remove(on: SqlConnection, version: string): Promise<void> {
    return this.#table.remove(on, { version });
  }
}
