import {
  defaultWriter,
  isNumeric,
  numericKind,
  quotedText,
  type ColumnInfo,
  type ColumnKind,
  type SchemaDialect,
} from '../dialect/index.js';
import { renamedTrigger } from './sqlite-definition.js';
import { sqliteIntrospection } from './sqlite-introspection.js';
import { withoutForeignKeys } from './foreign-keys-off.js';
import { formatOfColumn } from './exact-times.js';
import { timeCodec } from './sqlite-times.js';
import { SQLITE_TYPES } from './sqlite-types.js';

// Random bits with those of the version and the variant between them (RFC 9562, section 5.4).
const HEX = (bytes: number) => `lower(hex(randomblob(${bytes})))`;
const UUID = `(${HEX(4)} || '-' || ${HEX(2)} || '-4' || substr(${HEX(2)}, 2) || '-' || substr('89ab', 1 + (random() & 3), 1) || substr(${HEX(2)}, 2) || '-' || ${HEX(6)})`;

const WORDS = {
  today: 'CURRENT_DATE',
  uuid: UUID,
  no: '0',
  yes: '1',
  text: quotedText,
  // Kept as text, with every digit.
  number: (digits: string, kind: ColumnKind) => (kind === 'decimal' ? quotedText(digits) : digits),
  list: (values: readonly unknown[]) => JSON.stringify(values),
};

// One per format of a time.
const writers = new Map<string | undefined, SchemaDialect['defaultValue']>();

function defaultValue(column: ColumnInfo, text: string): string {
  const format = formatOfColumn(column);
  const known = writers.get(format);
  const write = known ?? defaultWriter({ ...WORDS, ...timeWords(format) });
  if (known === undefined) writers.set(format, write);
  return write(column, text);
}

// As the codec writes it: dates are compared as what they are kept as, which may be a number.
function timeWords(format: string | undefined) {
  const codec = timeCodec(format);
  const asNumber = { text: (value: string) => value };
  return { now: codec.now, date: (at: Date) => String(codec.encode(at)), ...(isNumberTime(format) && asNumber) };
}

const isNumberTime = (format: string | undefined): boolean => NUMBER_TYPES.get(format ?? '') !== undefined;
const NUMBER_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    unix: 'INTEGER',
    unixms: 'INTEGER',
    unixreal: 'REAL',
    julian: 'REAL',
  }),
);

/** DDL of SQLite. */
export const sqliteSchema: SchemaDialect = {
  columnType,
  // AUTOINCREMENT keeps keys of deleted rows from coming back (https://sqlite.org/autoinc.html).
  autoincrement: () => 'INTEGER PRIMARY KEY AUTOINCREMENT',
  defaultValue,
  text: quotedText,
  checksFollow: true,
  introspection: sqliteIntrospection,
  withoutForeignKeys,
  replacement: {
    // Else the foreign keys, views and triggers of other tables would follow the old table's name
    // (https://sqlite.org/pragma.html#pragma_legacy_alter_table).
    rename: (from, to) => [
      'PRAGMA legacy_alter_table = ON',
      `ALTER TABLE ${from} RENAME TO ${to}`,
      'PRAGMA legacy_alter_table = OFF',
    ],
    renamedTrigger,
    // The highest key that was ever given, even if its row is gone (https://sqlite.org/autoinc.html).
    countOn: (from, to) =>
      [from, to].every(({ definition }) => /\bautoincrement\b/i.test(definition))
        ? [
            `DELETE FROM sqlite_sequence WHERE name = ${quotedText(to.name)}`,
            `UPDATE sqlite_sequence SET name = ${quotedText(to.name)} WHERE name = ${quotedText(from.name)}`,
          ]
        : [],
  },
  // https://sqlite.org/partialindex.html
  partialIndexes: true,
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
  const { sqlType, values, format } = definition;
  if (sqlType !== undefined) return sqlType;
  // A TEXT column would turn the numbers into text (https://sqlite.org/datatype3.html#type_affinity).
  if (kind === 'enum' && isNumeric(values)) return SQLITE_TYPES[numericKind(values)];
  return NUMBER_TYPES.get(format ?? '') ?? SQLITE_TYPES[kind];
}
