export { openSqlite, type SqliteOptions } from './open-sqlite.js';
export { SqliteHandle, type SqliteHandleOptions } from './sqlite-handle.js';
export { SqliteCompiler } from './sqlite-compiler.js';
export type { SqliteClient, SqliteDatabase, SqliteStatement } from './sqlite-database.js';
export { sqlite } from './sqlite-dialect.js';
export { sqliteError } from './sqlite-errors.js';
export { default } from './sqlite-plugin.js';
