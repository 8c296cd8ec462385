import type { Database } from '../core/index.js';
import { migrationNames } from './migration-files.js';
import { VersionTable, type Applied } from './version-table.js';

/** Comparison of the version table of a database with a folder of migrations. */
interface LedgerState {
  /** Migrations of the folder that are not applied: `<version>_<name>`. */
  readonly pending: readonly string[];
  /** Applied migrations that are later than every migration of the folder: a newer version of the application ran here. */
  readonly newer: readonly string[];
}

/**
 * Compares the version table with a folder, with one query and without loading any migration.
 *
 * @returns undefined where there is no such folder
 * @throws FwError `FW_MIGRATE_FILE`
 */
export async function ledgerState(db: Database, folder: string): Promise<LedgerState | undefined> {
  const known = await migrationNames(folder);
  if (known === undefined) return undefined;
  const applied = await appliedTo(db);
  const versions = new Set(applied.map(({ version }) => version));
  const latest = [...known.keys()].sort().at(-1) ?? '';
  return {
    pending: [...known].filter(([version]) => !versions.has(version)).map(([version, name]) => `${version}_${name}`),
    newer: applied.filter(({ version }) => version > latest).map(({ version, name }) => `${version}_${name}`),
  };
}

// Checking first whether the table exists would cost one more query at each start.
async function appliedTo(db: Database): Promise<readonly Applied[]> {
  const table = new VersionTable(db, db.options.migrationsTable);
  const on = db.handle;
  try {
    return await table.applied(on);
  } catch (error) {
    if (await table.isThere(on)) throw error;
    return [];
  }
}
