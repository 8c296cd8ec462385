import { isTaken, kindsOf, type ColumnKind, type Introspection } from '../dialect/index.js';
import { sqlserverNativeTypes } from './sqlserver-native-types.js';

const KINDS = kindsOf(sqlserverNativeTypes);

const TYPE = `y.name + CASE
      WHEN y.name IN ('nvarchar', 'nchar') THEN '(' + CASE WHEN c.max_length = -1 THEN 'max' ELSE CAST(c.max_length / 2 AS varchar(10)) END + ')'
      WHEN y.name IN ('varchar', 'char', 'varbinary', 'binary') THEN '(' + CASE WHEN c.max_length = -1 THEN 'max' ELSE CAST(c.max_length AS varchar(10)) END + ')'
      WHEN y.name IN ('decimal', 'numeric') THEN '(' + CAST(c.precision AS varchar(10)) + ',' + CAST(c.scale AS varchar(10)) + ')'
      WHEN y.name IN ('datetime2', 'datetimeoffset', 'time') THEN '(' + CAST(c.scale AS varchar(10)) + ')' ELSE '' END`;

const IN_SCHEMA = 't.schema_id = CASE WHEN @p1 IS NULL THEN SCHEMA_ID() ELSE SCHEMA_ID(@p1) END';

/** Reads the schema of SQL Server (https://learn.microsoft.com/sql/relational-databases/system-catalog-views). */
export const sqlserverIntrospection: Introspection = {
  columns: `SELECT t.name, c.name, ${TYPE}, CAST(c.is_nullable AS int), d.definition, CAST(c.is_identity AS int), COALESCE(k.key_ordinal, 0), d.name,
    CAST(c.is_computed AS int), p.name, c.collation_name,
    (SELECT 'AS ' + m.definition + CASE WHEN m.is_persisted = 1 THEN ' PERSISTED' ELSE '' END FROM sys.computed_columns m
      WHERE m.object_id = c.object_id AND m.column_id = c.column_id)
    FROM sys.objects t JOIN sys.columns c ON c.object_id = t.object_id AND t.type IN ('U', 'V') JOIN sys.types y ON y.user_type_id = c.user_type_id
    LEFT JOIN sys.default_constraints d ON d.object_id = c.default_object_id
    LEFT JOIN sys.indexes p ON p.object_id = t.object_id AND p.is_primary_key = 1
    LEFT JOIN sys.index_columns k ON k.object_id = t.object_id AND k.index_id = p.index_id AND k.column_id = c.column_id
    WHERE ${IN_SCHEMA} ORDER BY t.name, c.column_id`,
  views: `SELECT t.name, m.definition, 0 FROM sys.views t JOIN sys.sql_modules m ON m.object_id = t.object_id WHERE ${IN_SCHEMA} ORDER BY t.name`,
  // https://learn.microsoft.com/sql/t-sql/statements/create-view-transact-sql
  viewIn: (definition) =>
    definition.replace(/^[\s\S]*?\bVIEW\s+(?:\[[^\]]*\]|"[^"]*"|\w+)(?:\.(?:\[[^\]]*\]|"[^"]*"|\w+))*\s+AS\s+/i, ''),
  comments: `SELECT t.name, c.name, CAST(e.value AS nvarchar(4000)) FROM sys.extended_properties e JOIN sys.objects t ON t.object_id = e.major_id
    LEFT JOIN sys.columns c ON c.object_id = e.major_id AND c.column_id = e.minor_id
    WHERE e.class = 1 AND e.name = 'MS_Description' AND t.type IN ('U', 'V') AND ${IN_SCHEMA} ORDER BY t.name, e.minor_id`,
  indexes: `SELECT t.name, i.name, CAST(i.is_unique AS int), c.name,
    CASE WHEN i.type IN (1, 2) AND i.has_filter = 0 AND k.is_descending_key = 0 AND k.is_included_column = 0 THEN 1 ELSE 0 END,
    CAST(i.is_unique_constraint AS int),
    CASE WHEN i.type = 2 AND k.is_included_column = 0 THEN QUOTENAME(c.name) + CASE WHEN k.is_descending_key = 1 THEN ' DESC' ELSE '' END END,
    i.filter_definition
    FROM sys.tables t JOIN sys.indexes i ON i.object_id = t.object_id AND i.is_primary_key = 0 AND i.name IS NOT NULL
    JOIN sys.index_columns k ON k.object_id = t.object_id AND k.index_id = i.index_id
    JOIN sys.columns c ON c.object_id = t.object_id AND c.column_id = k.column_id
    WHERE ${IN_SCHEMA} ORDER BY t.name, i.name, k.key_ordinal`,
  foreignKeys: `SELECT t.name, f.name, c.name,
    CASE WHEN r.schema_id = SCHEMA_ID() THEN '' ELSE SCHEMA_NAME(r.schema_id) + '.' END + r.name, q.name, LOWER(REPLACE(f.delete_referential_action_desc, '_', ' ')),
    LOWER(REPLACE(f.update_referential_action_desc, '_', ' '))
    FROM sys.foreign_keys f JOIN sys.tables t ON t.object_id = f.parent_object_id JOIN sys.tables r ON r.object_id = f.referenced_object_id
    JOIN sys.foreign_key_columns k ON k.constraint_object_id = f.object_id
    JOIN sys.columns c ON c.object_id = t.object_id AND c.column_id = k.parent_column_id
    JOIN sys.columns q ON q.object_id = r.object_id AND q.column_id = k.referenced_column_id
    WHERE ${IN_SCHEMA} ORDER BY t.name, f.name, k.constraint_column_id`,
  checks: `SELECT t.name, c.name, c.definition FROM sys.check_constraints c JOIN sys.tables t ON t.object_id = c.parent_object_id
    WHERE ${IN_SCHEMA} ORDER BY t.name, c.name`,
  momentWords: {
    now: /^(?:sysutcdatetime\(\)|getdate\(\))$/i,
    today: /^(?:cast\(sysutcdatetime\(\) as date\)|convert\(\[?date\]?,sysutcdatetime\(\)(?:,0)?\))$/i,
  },
  currentSchema: 'SELECT SCHEMA_NAME()',
  async shownExpression(on, table, { expression }) {
    await on.script(`SELECT TOP 0 * INTO #fw_said FROM ${table}`);
    if (!(await isTaken(on, `ALTER TABLE #fw_said ADD fw_said AS (${expression}\n)`))) return undefined;
    const [row] = await on.query(SAID, []);
    // As with the others, without the parentheses around all of it.
    return (row?.[0] as string | undefined)?.slice(1, -1);
  },
  normalizeType,
  nativeTypes: sqlserverNativeTypes,
  kindOf,
};

const SAID = `SELECT definition FROM tempdb.sys.computed_columns WHERE object_id = OBJECT_ID('tempdb..#fw_said') AND name = 'fw_said'`;

function kindOf(type: string): ColumnKind | undefined {
  const text = type.toLowerCase();
  return KINDS.get(text) ?? KINDS.get(text.replace(/\(.*\)/, ''));
}

// https://learn.microsoft.com/sql/t-sql/data-types/data-type-synonyms-transact-sql
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    integer: 'int',
    dec: 'decimal',
    numeric: 'decimal',
    'double precision': 'float',
    character: 'char',
    'char varying': 'varchar',
    'character varying': 'varchar',
    'national char': 'nchar',
    'national character': 'nchar',
    'national char varying': 'nvarchar',
    'national character varying': 'nvarchar',
    'binary varying': 'varbinary',
    'national text': 'ntext',
    rowversion: 'timestamp',
  }),
);
// What a type without it means.
const MODIFIERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    decimal: '(18,0)',
    datetime2: '(7)',
    datetimeoffset: '(7)',
    time: '(7)',
    char: '(1)',
    varchar: '(1)',
    nchar: '(1)',
    nvarchar: '(1)',
    binary: '(1)',
    varbinary: '(1)',
  }),
);

function normalizeType(type: string): string {
  const text = type
    .trim()
    .toLowerCase()
    .replace(/\s*([(),])\s*/g, '$1')
    .replace(/\s+/g, ' ');
  const [, word = '', modifier = ''] = /^([^()]*)(\(.*\))?$/.exec(text) ?? [];
  const name = ALIASES.get(word) ?? word;
  const digits = modifier || (MODIFIERS.get(name) ?? '');
  // https://learn.microsoft.com/sql/t-sql/data-types/float-and-real-transact-sql
  if (name === 'float') return Number(digits.slice(1, -1) || 53) > 24 ? 'float' : 'real';
  return `${name}${name === 'decimal' ? digits.replace(/^\((\d+)\)$/, '($1,0)') : digits}`;
}
