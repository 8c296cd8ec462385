import type { Dialect, DialectPlugin, SqlHandle } from 'fw/orm/dialect';

/** Options of the plugin. */
export interface PgliteOptions {
  /** Folder of the database, or "memory://". */
  readonly file: string;
}

/** PGlite: SQL, types and schemas of PostgreSQL. */
export const pglite: Dialect;

/** Opens a database in a folder, or one in memory. */
export function openPglite(file: string): Promise<SqlHandle>;

declare const plugin: DialectPlugin<PgliteOptions>;
export default plugin;
