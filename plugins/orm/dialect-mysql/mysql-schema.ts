import {
  defaultWriter,
  isNumeric,
  numericKind,
  quotedText,
  type ColumnInfo,
  type ColumnKind,
  type ColumnState,
  type SchemaDialect,
} from '../dialect/index.js';
import { mysqlIntrospection } from './mysql-introspection.js';
import { scriptStatements } from './mysql-script.js';

const TYPES: Readonly<Record<ColumnKind, string>> = {
  int: 'int',
  bigint: 'bigint',
  float: 'double',
  decimal: 'decimal(38, 10)',
  string: 'varchar(255)',
  text: 'longtext',
  boolean: 'tinyint(1)',
  date: 'datetime(3)',
  plainDate: 'date',
  plainTime: 'time(6)',
  interval: 'varchar(255)',
  json: 'json',
  bytes: 'longblob',
  uuid: 'char(36)',
  enum: 'varchar(255)',
  array: 'json',
  any: 'longtext',
};

/** Moments of Temporal, whose digits are all kept that a column holds. */
const MOMENTS: Readonly<Record<string, string>> = { Instant: 'datetime(6)', PlainDateTime: 'datetime(6)' };

// Locks belong to the server, and have at most 64 letters
// (https://dev.mysql.com/doc/refman/8.0/en/locking-functions.html#function_get-lock).
const LOCK = `CONCAT('fw_migrations_', MD5(COALESCE(DATABASE(), '')))`;

const LONG = /^(?:(?:tiny|medium|long)?(?:text|blob)|json)\b/i;

// A backslash escapes what follows it (https://dev.mysql.com/doc/refman/8.0/en/string-literals.html).
/** A text as a literal. */
export const text = (value: string): string => quotedText(value.replaceAll('\\', '\\\\'));

const defaultOf = (digits: number) =>
  defaultWriter({
    // As many digits as the column has, which MySQL insists on (https://dev.mysql.com/doc/refman/8.0/en/timestamp-initialization.html).
    now: `CURRENT_TIMESTAMP(${digits})`,
    today: '(CURRENT_DATE)',
    // An expression stands in parentheses (https://dev.mysql.com/doc/refman/8.0/en/data-type-defaults.html).
    uuid: '(uuid())',
    no: '0',
    yes: '1',
    text,
    // Without an offset, which MariaDB refuses, and without a time for a column that holds days.
    date: (at, day) => day ?? at.toISOString().replace('T', ' ').replace('Z', ''),
    list: (values) => JSON.stringify(values),
  });

const isExactMoment = ({ kind, definition }: ColumnInfo): boolean =>
  kind === 'date' && definition.temporal !== undefined;
const literalDefault = defaultOf(3);
const exactDefault = defaultOf(6);

/** DDL of MySQL and MariaDB. */
export const mysqlSchema: SchemaDialect = {
  columnType,
  autoincrement: (column) => `${columnType(column)} NOT NULL AUTO_INCREMENT PRIMARY KEY`,
  // A long column takes an expression only (https://dev.mysql.com/doc/refman/8.0/en/data-type-defaults.html).
  defaultValue(column, text) {
    const value = (isExactMoment(column) ? exactDefault : literalDefault)(column, text);
    return value.startsWith("'") && LONG.test(columnType(column)) ? `(${value})` : value;
  },
  text,
  enums: { are: 'inline', type: (values) => `enum(${values.map(text).join(', ')})` },
  // MariaDB leaves the rows alone (https://mariadb.com/kb/en/set-statement/); to MySQL this is a comment, and it looks at each row.
  addUnchecked: (table, _name, clause) => ({
    add: `/*M! SET STATEMENT check_constraint_checks = 0 FOR */ ALTER TABLE ${table} ADD ${clause}`,
    unfit: 'MariaDB leaves them, on MySQL this fails',
  }),
  // https://dev.mysql.com/doc/refman/8.0/en/data-type-defaults.html
  newColumnHolds: 'each row that is there gets an empty text, 0 or the like, without a word',
  introspection: mysqlIntrospection,
  // Belongs to the session, so it survives the commits that DDL implies.
  advisoryLock: { acquire: `SELECT GET_LOCK(${LOCK}, 3600)`, release: `SELECT RELEASE_LOCK(${LOCK})` },
  // Of tables and of rows, in seconds (https://dev.mysql.com/doc/refman/8.0/en/server-system-variables.html#sysvar_lock_wait_timeout).
  lockTimeout: {
    set(milliseconds) {
      const seconds = Math.ceil(milliseconds / 1000);
      return `SET SESSION lock_wait_timeout = ${seconds}, innodb_lock_wait_timeout = ${seconds}`;
    },
    reset: 'SET SESSION lock_wait_timeout = DEFAULT, innodb_lock_wait_timeout = DEFAULT',
  },
  // https://dev.mysql.com/doc/refman/8.0/en/implicit-commit.html
  commitsChanges: true,
  statements: scriptStatements,
  // What MODIFY does not repeat is gone.
  alterColumn: (table, column, _from, to) => [`ALTER TABLE ${table} MODIFY COLUMN ${column} ${columnText(to)}`],
  columnText,
  // RENAME COLUMN does not reach the condition of a column, nor the one that MariaDB gives JSON
  // (https://mariadb.com/kb/en/json-data-type/).
  renameColumn(table, from, to, state) {
    if (state.check === undefined && state.type !== 'json')
      return `ALTER TABLE ${table} RENAME COLUMN ${from} TO ${to}`;
    return `ALTER TABLE ${table} CHANGE COLUMN ${from} ${to} ${columnText(state)}`;
  },
  primaryKey: {
    drop: () => 'DROP PRIMARY KEY',
    add: (_name, columns) => `ADD PRIMARY KEY (${columns})`,
    together: true,
  },
  numbers: 'keys',
  dropForeignKey: (table, name) => `ALTER TABLE ${table} DROP FOREIGN KEY ${name}`,
  // https://dev.mysql.com/doc/refman/8.0/en/create-table-foreign-keys.html
  keysHold: 'all',
  keysMakeIndexes: true,
  dropConstraint: (table, name) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`,
  dropIndex: (table, index) => `DROP INDEX ${index} ON ${table}`,
  addColumn: 'ADD COLUMN',
  // https://dev.mysql.com/doc/refman/8.0/en/identifier-length.html
  longestName: { most: 64, unit: 'characters' },
  // A server that nobody configured gives new tables latin1, which holds neither an emoji nor most of the world's names.
  tableOptions: ' DEFAULT CHARACTER SET utf8mb4',
  versionType: 'varchar(255)',
  // A view takes none.
  comment({ quotedTable, isView, column }, words) {
    if (isView) return undefined;
    if (column === undefined) return `ALTER TABLE ${quotedTable} COMMENT = ${text(words)}`;
    const { attributes = '' } = column.state;
    const rest = attributes.replace(/ COMMENT '(?:[^'\\]|''|\\[\s\S])*'$/, '');
    const state = { ...column.state, attributes: words === '' ? rest : `${rest} COMMENT ${text(words)}` };
    return `ALTER TABLE ${quotedTable} MODIFY COLUMN ${column.quotedName} ${columnText(state)}`;
  },
  listDatabases: 'SELECT schema_name FROM information_schema.schemata',
  listTables: `SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') ORDER BY table_name`,
};

function columnText(state: ColumnState): string {
  const { type, nullable, default: fallback, collation, autoincrement, expression, check } = state;
  const collated = collation === undefined ? '' : ` COLLATE ${collation}`;
  const rest = `${attributesOf(state)}${check === undefined ? '' : ` CHECK (${check})`}`;
  // MariaDB takes no NULL behind an expression.
  if (expression !== undefined) return `${type}${collated} ${expression}${nullable ? '' : ' NOT NULL'}${rest}`;
  const value = autoincrement ? ' AUTO_INCREMENT' : fallback === null ? '' : ` DEFAULT ${fallback}`;
  return `${type}${collated} ${nullable ? 'NULL' : 'NOT NULL'}${value}${rest}`;
}

// ON UPDATE has as many digits as the type (https://dev.mysql.com/doc/refman/8.0/en/timestamp-initialization.html).
function attributesOf({ type, attributes = '' }: ColumnState): string {
  const [time, digits = ''] = /^(?:datetime|timestamp)\s*(\(\d+\))?/i.exec(type) ?? [];
  return attributes.replace(/^ ON UPDATE CURRENT_TIMESTAMP/, (said) => (time === undefined ? '' : `${said}${digits}`));
}

function columnType({ kind, definition }: ColumnInfo): string {
  if (definition.sqlType !== undefined) return definition.sqlType;
  const { size, precision, scale, values } = definition;
  if (kind === 'string' && size !== undefined) return `varchar(${size})`;
  if (kind === 'decimal' && precision !== undefined) return `decimal(${precision}, ${scale ?? 0})`;
  if (kind === 'enum' && isNumeric(values)) return TYPES[numericKind(values)];
  return MOMENTS[definition.temporal ?? ''] ?? TYPES[kind];
}
