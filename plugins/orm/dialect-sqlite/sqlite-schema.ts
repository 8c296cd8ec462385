import { defaultWriter, quotedText, type ColumnInfo, type SchemaDialect } from '../core/index.js';
import { sqliteIntrospection } from './sqlite-introspection.js';
import { withoutForeignKeys } from './foreign-keys-off.js';
import { SQLITE_TYPES } from './sqlite-types.js';

// Random bits with those of the version and the variant between them (RFC 9562, section 5.4).
const HEX = (bytes: number) => `lower(hex(randomblob(${bytes})))`;
const UUID = `(${HEX(4)} || '-' || ${HEX(2)} || '-4' || substr(${HEX(2)}, 2) || '-' || substr('89ab', 1 + (random() & 3), 1) || substr(${HEX(2)}, 2) || '-' || ${HEX(6)})`;

/** DDL of SQLite. */
export const sqliteSchema: SchemaDialect = {
  columnType,
  // AUTOINCREMENT keeps keys of deleted rows from coming back (https://sqlite.org/autoinc.html).
  autoincrement: () => 'INTEGER PRIMARY KEY AUTOINCREMENT',
  defaultValue: defaultWriter({
    now: `(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`,
    uuid: UUID,
    no: '0',
    yes: '1',
    text: quotedText,
    // Kept as text, with every digit.
    number: (digits, kind) => (kind === 'decimal' ? quotedText(digits) : digits),
    // As the codec writes it: dates are compared as text.
    date: (at) => at.toISOString(),
    list: (values) => JSON.stringify(values),
  }),
  introspection: sqliteIntrospection,
  withoutForeignKeys,
  columnText({ type, nullable, default: fallback, collation }) {
    const collated = collation === undefined ? '' : ` COLLATE ${collation}`;
    return `${type}${collated}${nullable ? '' : ' NOT NULL'}${fallback === null ? '' : ` DEFAULT ${fallback}`}`;
  },
  // https://sqlite.org/lang_createtable.html#rowid
  numbers: 'key',
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
