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
import { sqlserverIntrospection } from './sqlserver-introspection.js';

const TYPES: Readonly<Record<ColumnKind, string>> = {
  int: 'int',
  bigint: 'bigint',
  float: 'float',
  decimal: 'decimal(38, 10)',
  string: 'nvarchar(255)',
  text: 'nvarchar(max)',
  boolean: 'bit',
  date: 'datetime2(3)',
  plainDate: 'date',
  plainTime: 'time(7)',
  interval: 'nvarchar(255)',
  json: 'nvarchar(max)',
  bytes: 'varbinary(max)',
  uuid: 'uniqueidentifier',
  enum: 'nvarchar(255)',
  array: 'nvarchar(max)',
  any: 'nvarchar(max)',
};

/** Moments of Temporal, whose digits are all kept that a column holds. */
const MOMENTS: Readonly<Record<string, string>> = { Instant: 'datetime2(7)', PlainDateTime: 'datetime2(7)' };

const text = (value: string): string => `N${quotedText(value)}`;

/** DDL of SQL Server. */
export const sqlserverSchema: SchemaDialect = {
  columnType,
  // https://learn.microsoft.com/sql/t-sql/statements/alter-table-computed-column-definition-transact-sql
  computed: (_type, inside, virtual) => `AS ${inside}${virtual ? '' : ' PERSISTED'}`,
  autoincrement: (column) => `${columnType(column)} IDENTITY(1, 1) NOT NULL PRIMARY KEY`,
  defaultValue: defaultWriter({
    now: 'SYSUTCDATETIME()',
    today: 'CAST(SYSUTCDATETIME() AS date)',
    uuid: 'NEWID()',
    no: '0',
    yes: '1',
    text,
    date: (at, day) => day ?? at.toISOString().replace('Z', ''),
    list: (values) => JSON.stringify(values),
  }),
  text,
  firstRows: (select, count) => select.replace(/^SELECT/, `SELECT TOP (${count})`),
  // https://learn.microsoft.com/sql/t-sql/statements/alter-table-transact-sql (WITH NOCHECK)
  addUnchecked: (table, name, clause) => ({
    add: `ALTER TABLE ${table} WITH NOCHECK ADD ${clause}`,
    validate: `ALTER TABLE ${table} WITH CHECK CHECK CONSTRAINT ${name}`,
  }),
  introspection: sqlserverIntrospection,
  // https://learn.microsoft.com/sql/relational-databases/system-stored-procedures/sp-getapplock-transact-sql
  advisoryLock: {
    acquire: `EXEC sp_getapplock @Resource = 'fw_migrations', @LockMode = 'Exclusive', @LockOwner = 'Transaction'`,
  },
  // A default is a constraint, and holds its column (https://learn.microsoft.com/sql/t-sql/statements/alter-table-transact-sql).
  alterColumn(table, column, from, to) {
    const [old, fresh] = [from, to].map(nameOfDefault);
    const retyped = from.type !== to.type || from.nullable !== to.nullable || from.collation !== to.collation;
    return [
      ...(from.default === null ? [] : [`ALTER TABLE ${table} DROP CONSTRAINT ${old}`]),
      ...(retyped
        ? [`ALTER TABLE ${table} ALTER COLUMN ${column} ${to.type}${collated(to)} ${to.nullable ? 'NULL' : 'NOT NULL'}`]
        : []),
      ...(to.default === null
        ? []
        : [`ALTER TABLE ${table} ADD CONSTRAINT ${fresh} DEFAULT ${to.default} FOR ${column}`]),
    ];
  },
  columnText(state) {
    const { nullable, default: fallback, expression, autoincrement } = state;
    if (expression !== undefined) return `${expression}${nullable ? '' : ' NOT NULL'}`;
    const value = fallback === null ? '' : ` CONSTRAINT ${nameOfDefault(state)} DEFAULT ${fallback}`;
    const numbered = autoincrement ? ' IDENTITY(1, 1)' : '';
    return `${state.type}${collated(state)}${numbered}${nullable ? '' : ' NOT NULL'}${value}`;
  },
  primaryKey: {
    drop: (name) => `DROP CONSTRAINT ${name}`,
    add: (name, columns) => `ADD CONSTRAINT ${name} PRIMARY KEY (${columns})`,
    together: false,
  },
  numbers: 'columns',
  // https://learn.microsoft.com/sql/t-sql/statements/create-table-transact-sql-identity-property
  numbersFromStart: true,
  dropDefault: (table, name) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`,
  dropForeignKey: (table, name) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`,
  // https://learn.microsoft.com/sql/t-sql/statements/alter-table-transact-sql (ALTER COLUMN)
  keysHold: 'all',
  columnsAreHeld: true,
  computedHold: 'all',
  dropConstraint: (table, name) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`,
  noRestrict: true,
  // https://learn.microsoft.com/sql/relational-databases/indexes/create-filtered-indexes
  partialIndexes: true,
  dropIndex: (table, index) => `DROP INDEX ${index} ON ${table}`,
  addColumn: 'ADD',
  // https://learn.microsoft.com/sql/relational-databases/system-stored-procedures/sp-rename-transact-sql: the new name without brackets
  renameColumn: (table, old, fresh) =>
    `EXEC sp_rename ${unicode(`${table}.${old}`)}, ${unicode(namesIn(fresh)[0] ?? '')}, 'COLUMN'`,
  // https://learn.microsoft.com/sql/relational-databases/databases/database-identifiers
  longestName: { most: 128, unit: 'characters' },
  // https://learn.microsoft.com/sql/relational-databases/system-stored-procedures/sp-addextendedproperty-transact-sql
  comment({ quotedTable, isView, column, former = '' }, words) {
    const [table = '', schema] = namesIn(quotedTable).reverse();
    const owner = schema === undefined ? 'SCHEMA_NAME()' : unicode(schema);
    const path = [`@level1type = N'${isView ? 'VIEW' : 'TABLE'}', @level1name = ${unicode(table)}`];
    if (column) path.push(`@level2type = N'COLUMN', @level2name = ${unicode(namesIn(column.quotedName)[0] ?? '')}`);
    const [verb, value] =
      words === '' ? ['drop', ''] : [former === '' ? 'add' : 'update', `, @value = ${unicode(words)}`];
    return `DECLARE @schema sysname = ${owner}; EXEC sys.sp_${verb}extendedproperty @name = N'MS_Description'${value}, @level0type = N'SCHEMA', @level0name = @schema, ${path.join(', ')}`;
  },
  versionType: 'nvarchar(255)',
  listDatabases: 'SELECT name FROM sys.databases',
  listTables: `SELECT name FROM sys.tables WHERE schema_id = SCHEMA_ID() ORDER BY name`,
};

const unicode = (text: string): string => `N${quotedText(text)}`;

const namesIn = (quoted: string): string[] =>
  [...quoted.matchAll(/\[((?:[^\]]|\]\])*)\]/g)].map(([, name = '']) => name.replaceAll(']]', ']'));

const collated = ({ collation }: ColumnState): string => (collation === undefined ? '' : ` COLLATE ${collation}`);

const nameOfDefault = ({ defaultName = '' }: ColumnState): string => `[${defaultName.replaceAll(']', ']]')}]`;

function columnType({ kind, definition }: ColumnInfo): string {
  if (definition.sqlType !== undefined) return definition.sqlType;
  const { size, precision, scale, values } = definition;
  if (kind === 'string' && size !== undefined) return `nvarchar(${size})`;
  if (kind === 'decimal' && precision !== undefined) return `decimal(${precision}, ${scale ?? 0})`;
  if (kind === 'enum' && isNumeric(values)) return TYPES[numericKind(values)];
  return MOMENTS[definition.temporal ?? ''] ?? TYPES[kind];
}
