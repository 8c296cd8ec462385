import type { ColumnInfo, SchemaDialect } from '../core/index.js';
import { sqliteIntrospection } from './sqlite-introspection.js';
import { withoutForeignKeys } from './foreign-keys-off.js';
import { SQLITE_TYPES } from './sqlite-types.js';

/** DDL of SQLite. */
export const sqliteSchema: SchemaDialect = {
  columnType,
  // AUTOINCREMENT keeps keys of deleted rows from coming back (https://sqlite.org/autoinc.html).
  autoincrement: () => 'INTEGER PRIMARY KEY AUTOINCREMENT',
  defaultValue: ({ kind }, text) => {
    if (/^(current_timestamp|now\(\)|now)$/i.test(text)) return `(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`;
    if (kind === 'boolean') return /^(true|1)$/i.test(text) ? '1' : '0';
    if (kind === 'int' || kind === 'bigint' || kind === 'float') return String(Number(text));
    return `'${text.replaceAll("'", "''")}'`;
  },
  introspection: sqliteIntrospection,
  withoutForeignKeys,
  dropForeignKey: (table, name) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`,
  dropConstraint: (table, name) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`,
  dropIndex: (_table, index) => `DROP INDEX ${index}`,
  addColumn: 'ADD COLUMN',
  versionType: 'TEXT',
  listTables: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
};

function columnType({ kind, definition }: ColumnInfo): string {
  const { sqlType, values } = definition;
  if (sqlType !== undefined) return sqlType;
  // A TEXT column would turn the numbers into text (https://sqlite.org/datatype3.html#type_affinity).
  if (kind === 'enum' && values?.every((value) => typeof value === 'number')) return SQLITE_TYPES.int;
  return SQLITE_TYPES[kind];
}
