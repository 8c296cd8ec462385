import type { Dialect, DialectPlugin } from 'fw/orm/dialect';
import type { SqliteHandle } from 'fw/orm/sqlite';

export declare const libsql: Dialect;

/**
 * Opens a database of libSQL, making file and folder when they are missing.
 *
 * @param file - path, or ":memory:"
 * @throws FwError `FW_ORM_CONNECTION`
 */
export declare function openLibsql(file: string): Promise<SqliteHandle<unknown>>;

declare const plugin: DialectPlugin<{ file: string }>;
export default plugin;
