import { randomUUID } from 'node:crypto';
import {
  isTaken,
  kindsOf,
  quotedLetters,
  type ColumnKind,
  type HeldTimes,
  type Introspection,
  type SqlConnection,
  type TimePlace,
} from '../dialect/index.js';
import { mysqlCells } from './mysql-cells.js';
import { mysqlNativeTypes } from './mysql-native-types.js';
import { remadeTables } from './mysql-remade.js';

const KINDS = kindsOf(mysqlNativeTypes);

const SCHEMA = 'COALESCE(?, DATABASE())';
const IS_JSON = `c.column_type = 'longtext' AND c.collation_name LIKE '%\\_bin' AND EXISTS (
      SELECT 1 FROM information_schema.check_constraints j WHERE j.constraint_schema = c.table_schema
        AND j.constraint_name = c.column_name AND j.check_clause = CONCAT('json_valid(\`', c.column_name, '\`)'))`;
const IS_COMPUTED = `COALESCE(c.generation_expression, '') <> ''`;
// MySQL shows the quotes in an expression with backslashes, which it does not take back.
const EXPRESSION = `CASE WHEN VERSION() LIKE '%MariaDB%' THEN c.generation_expression
      ELSE REPLACE(c.generation_expression, '\\\\''', '''') END`;

const ofCheck = (said: string): string => `(SELECT ${said} FROM information_schema.check_constraints c
      WHERE c.constraint_schema = t.constraint_schema AND c.constraint_name = t.constraint_name AND table_name = t.table_name)`;

/** Reads the schema of MySQL and MariaDB (https://dev.mysql.com/doc/refman/8.0/en/information-schema.html). */
export const mysqlIntrospection: Introspection = {
  // MySQL shows the text of a default without its quotes, MariaDB as it was written, with the database of a sequence. MariaDB stores JSON as longtext, with a check of the column's name (https://mariadb.com/kb/en/json-data-type/).
  columns: `SELECT c.table_name, c.column_name, CASE WHEN ${IS_JSON} THEN 'json' ELSE c.column_type END, CASE WHEN c.is_nullable = 'YES' THEN 1 ELSE 0 END,
    CASE WHEN c.column_default IS NULL OR VERSION() LIKE '%MariaDB%'
        THEN REPLACE(c.column_default, CONCAT('val(\`', REPLACE(c.table_schema, '\`', '\`\`'), '\`.'), 'val(')
      WHEN c.extra LIKE '%DEFAULT_GENERATED%' THEN CONCAT('(', REPLACE(c.column_default, '\\\\''', ''''), ')') ELSE QUOTE(c.column_default) END,
    CASE WHEN c.extra LIKE '%auto_increment%' THEN 1 ELSE 0 END, COALESCE(k.ordinal_position, 0),
    NULL, CASE WHEN ${IS_COMPUTED} THEN 1 ELSE 0 END, NULL, CASE WHEN ${IS_JSON} THEN NULL ELSE c.collation_name END,
    CASE WHEN ${IS_COMPUTED} THEN CONCAT('GENERATED ALWAYS AS (', ${EXPRESSION}, ') ',
      CASE WHEN c.extra LIKE '%VIRTUAL%' THEN 'VIRTUAL' ELSE 'STORED' END) END,
    NULLIF(CONCAT(CASE WHEN c.extra LIKE '%on update%' THEN ' ON UPDATE CURRENT_TIMESTAMP' ELSE '' END,
      CASE WHEN c.extra LIKE '%INVISIBLE%' THEN ' INVISIBLE' ELSE '' END,
      CASE WHEN c.column_comment = '' THEN '' ELSE CONCAT(' COMMENT ', QUOTE(c.column_comment)) END), '')
    FROM information_schema.columns c
    JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name AND t.table_type IN ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')
    LEFT JOIN information_schema.key_column_usage k ON k.table_schema = c.table_schema AND k.table_name = c.table_name
      AND k.column_name = c.column_name AND k.constraint_name = 'PRIMARY'
    WHERE c.table_schema = ${SCHEMA} ORDER BY c.table_name, c.ordinal_position`,
  indexes: `SELECT table_name, index_name, CASE WHEN non_unique = 0 THEN 1 ELSE 0 END, column_name,
    CASE WHEN sub_part IS NULL AND COALESCE(collation, 'A') <> 'D' AND column_name IS NOT NULL AND index_type IN ('BTREE', 'HASH') THEN 1 ELSE 0 END, 0,
    CASE WHEN column_name IS NOT NULL AND index_type IN ('BTREE', 'HASH') THEN CONCAT('\`', REPLACE(column_name, '\`', '\`\`'), '\`',
      CASE WHEN sub_part IS NULL THEN '' ELSE CONCAT('(', sub_part, ')') END, CASE WHEN COALESCE(collation, 'A') = 'D' THEN ' DESC' ELSE '' END) END
    FROM information_schema.statistics WHERE table_schema = ${SCHEMA} AND index_name <> 'PRIMARY'
    ORDER BY table_name, index_name, seq_in_index`,
  // RESTRICT and NO ACTION are one (https://dev.mysql.com/doc/refman/8.0/en/create-table-foreign-keys.html).
  foreignKeys: `SELECT k.table_name, k.constraint_name, k.column_name,
    CONCAT(CASE WHEN k.referenced_table_schema = DATABASE() THEN '' ELSE CONCAT(k.referenced_table_schema, '.') END, k.referenced_table_name),
    k.referenced_column_name,
    LOWER(REPLACE(r.delete_rule, 'RESTRICT', 'NO ACTION')), LOWER(REPLACE(r.update_rule, 'RESTRICT', 'NO ACTION'))
    FROM information_schema.key_column_usage k JOIN information_schema.referential_constraints r
      ON r.constraint_schema = k.constraint_schema AND r.constraint_name = k.constraint_name AND r.table_name = k.table_name
    WHERE k.table_schema = ${SCHEMA} AND k.referenced_table_name IS NOT NULL
    ORDER BY k.table_name, k.constraint_name, k.ordinal_position`,
  // A name is unique in a table for MariaDB, which says which table, and whether the check is a part of its column; in the schema
  // for MySQL, which says neither: there \`table_name\` and \`level\` are the outer ones. What makes a column of MariaDB json is none.
  checks: `SELECT t.table_name, t.constraint_name, ${ofCheck('c.check_clause')}, ${ofCheck("CASE \`level\` WHEN 'Column' THEN 1 ELSE 0 END")}
    FROM (SELECT x.constraint_schema, x.table_name, x.constraint_name, x.constraint_type, x.table_schema, 'Table' AS \`level\`
      FROM information_schema.table_constraints x) t
    WHERE t.constraint_type = 'CHECK' AND t.table_schema = ${SCHEMA}
      AND ${ofCheck('c.check_clause')} <> CONCAT('json_valid(\`', t.constraint_name, '\`)')
    ORDER BY t.table_name, t.constraint_name`,
  // Names of the current database are written without it, or the query would lead there from every other one.
  views: `SELECT v.table_name, REPLACE(v.view_definition, CONCAT('\`', REPLACE(v.table_schema, '\`', '\`\`'), '\`.'), ''), 0,
      CASE v.security_type WHEN 'INVOKER' THEN 'SQL SECURITY INVOKER ' END, NULL,
      CASE WHEN v.check_option <> 'NONE' THEN CONCAT(' WITH ', v.check_option, ' CHECK OPTION') END
    FROM information_schema.views v WHERE v.table_schema = ${SCHEMA} ORDER BY v.table_name`,
  comments: `SELECT x.table_name, x.column_name, x.words FROM (
      SELECT t.table_schema, t.table_name, NULL AS column_name, t.table_comment AS words, 0 AS place FROM information_schema.tables t
        WHERE t.table_type IN ('BASE TABLE', 'SYSTEM VERSIONED')
      UNION ALL SELECT c.table_schema, c.table_name, c.column_name, c.column_comment, c.ordinal_position FROM information_schema.columns c) x
    WHERE x.table_schema = ${SCHEMA} AND x.words <> '' ORDER BY x.table_name, x.place`,
  programs: `SELECT x.of_table, x.kind, x.name, x.said, 0 FROM (
      SELECT event_object_schema AS place, event_object_table AS of_table, 'trigger' AS kind, trigger_name AS name, action_statement AS said
        FROM information_schema.triggers
      UNION ALL SELECT routine_schema, NULL, LOWER(routine_type), routine_name, routine_definition FROM information_schema.routines
      UNION ALL SELECT event_schema, NULL, 'event', event_name, event_definition FROM information_schema.events) x
    WHERE x.place = ${SCHEMA} AND x.said IS NOT NULL ORDER BY x.name`,
  currentSchema: 'SELECT DATABASE()',
  async shownExpression(on, table, { type, expression }) {
    // No transaction undoes it, and the table belongs to the session
    // (https://dev.mysql.com/doc/refman/8.0/en/create-temporary-table.html).
    await on.script('DROP TEMPORARY TABLE IF EXISTS fw_said');
    await on.script(`CREATE TEMPORARY TABLE fw_said LIKE ${table}`);
    const add = `ALTER TABLE fw_said ADD COLUMN fw_said ${type} GENERATED ALWAYS AS (${expression}\n) VIRTUAL`;
    const [row] = (await isTaken(on, add)) ? await on.query('SHOW CREATE TABLE fw_said', []) : [];
    await on.script('DROP TEMPORARY TABLE IF EXISTS fw_said');
    return /\n\s*`fw_said` [^\n]*? GENERATED ALWAYS AS \((.*)\) VIRTUAL(?:,?\n| )/s.exec(String(row?.[1]))?.[1];
  },
  // A view belongs to no session, and no transaction undoes it.
  async shownQuery(on, query) {
    const name = `fw_said_${randomUUID().slice(0, 8)}`;
    if (!(await isTaken(on, `CREATE VIEW ${name} AS ${query}`))) return undefined;
    try {
      const [row] = await on.query(SHOWN_QUERY, [name]);
      return row?.[0] as string | undefined;
    } finally {
      await on.script(`DROP VIEW ${name}`);
    }
  },
  normalizeType,
  momentWords: { today: /^curdate\(\)$/i },
  backslashes: true,
  // The catalogs of MariaDB have no letter of four bytes (https://mariadb.com/kb/en/information-schema-check_constraints-table/).
  shownAs: (text) => text.replace(/[\u{10000}-\u{10FFFF}]/gu, '?').replace(/\?+/g, '?'),
  enumValues,
  remade: remadeTables,
  nativeTypes: mysqlNativeTypes,
  kindOf,
  heldTimes,
  heldTruths,
  cells: mysqlCells,
  // https://mariadb.com/kb/en/information-schema-engines-table/
  lastingTables: `SELECT t.table_name FROM information_schema.tables t JOIN information_schema.engines e ON e.engine = t.engine
    WHERE t.table_schema = DATABASE() AND COALESCE(e.transactions, 'NO') <> 'YES'`,
};

const SHOWN_QUERY = `SELECT REPLACE(view_definition, CONCAT('\`', REPLACE(table_schema, '\`', '\`\`'), '\`.'), '')
    FROM information_schema.views WHERE table_schema = DATABASE() AND table_name = ?`;

// https://dev.mysql.com/doc/refman/8.0/en/date-and-time-types.html: 0000-00-00 and days without a month are values, and no moments
async function heldTimes(
  on: Pick<SqlConnection, 'query'>,
  { quotedTable, quotedColumn, default: fallback }: TimePlace,
): Promise<HeldTimes> {
  if (/^'?\d{4}-(?:00|\d{2}-00)/.test(fallback ?? '')) return { isText: true };
  const none = `MONTH(${quotedColumn}) = 0 OR DAYOFMONTH(${quotedColumn}) = 0`;
  const [row] = await on.query(`SELECT EXISTS (SELECT 1 FROM ${quotedTable} WHERE ${none})`, []);
  return Number(row?.[0]) === 1 ? { isText: true } : {};
}

// BOOLEAN is a name of tinyint(1), whose length says how it is shown
// (https://dev.mysql.com/doc/refman/8.0/en/numeric-type-syntax.html).
async function heldTruths(
  on: Pick<SqlConnection, 'query'>,
  { quotedTable, quotedColumn, default: fallback }: Pick<TimePlace, 'quotedTable' | 'quotedColumn' | 'default'>,
): Promise<'int' | undefined> {
  if (fallback !== null && /^'?-?\d+'?$/.test(fallback) && !/^'?[01]'?$/.test(fallback)) return 'int';
  const other = `SELECT EXISTS (SELECT 1 FROM ${quotedTable} WHERE ${quotedColumn} NOT IN (0, 1))`;
  const [row] = await on.query(other, []);
  return Number(row?.[0]) === 1 ? 'int' : undefined;
}

function kindOf(type: string): ColumnKind | undefined {
  const text = type.toLowerCase();
  return KINDS.get(text.slice(0, 'tinyint(1)'.length)) ?? KINDS.get(text.replace(/[( ].*$/s, ''));
}

// https://dev.mysql.com/doc/refman/8.0/en/other-vendor-data-types.html
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bool: 'tinyint(1)',
    boolean: 'tinyint(1)',
    int1: 'tinyint',
    int2: 'smallint',
    int3: 'mediumint',
    middleint: 'mediumint',
    int4: 'int',
    integer: 'int',
    int8: 'bigint',
    float4: 'float',
    float8: 'double',
    'double precision': 'double',
    real: 'double',
    dec: 'decimal',
    fixed: 'decimal',
    numeric: 'decimal',
    character: 'char',
    nchar: 'char',
    'national char': 'char',
    'national character': 'char',
    'char varying': 'varchar',
    'character varying': 'varchar',
    nvarchar: 'varchar',
    'national varchar': 'varchar',
    'long varchar': 'mediumtext',
    'long varbinary': 'mediumblob',
    // MariaDB stores it so.
    json: 'longtext',
  }),
);
// What a type without it means.
const MODIFIERS: ReadonlyMap<string, string> = new Map(Object.entries({ char: '(1)', binary: '(1)', bit: '(1)' }));

function enumValues(type: string): readonly string[] | undefined {
  const [, list] = /^enum\((.*)\)$/is.exec(type.trim()) ?? [];
  return list?.match(/'(?:[^'\\]|''|\\[\s\S])*'/g)?.map((quoted) => quotedLetters(quoted.slice(1, -1), true));
}

function normalizeType(type: string): string {
  const text = type
    .trim()
    .toLowerCase()
    .replace(/\s+(?:character set|charset)\s+\w+/, '')
    .replace(/\s*([(),])\s*/g, '$1')
    .replace(/\s+/g, ' ');
  const [, word = '', modifier = '', sign = ''] =
    /^([a-z][a-z0-9 ]*?)(\(.*\))?((?: ?(?:signed|unsigned|zerofill))*)$/.exec(text) ?? [text, text];
  const name = /^float\((?:2[5-9]|[3-5]\d)\)$/.test(`${word}${modifier}`) ? 'double' : (ALIASES.get(word) ?? word);
  const signed = sign
    .trim()
    .replace(/^signed$/, '')
    .replace(/^zerofill$/, 'unsigned zerofill');
  return `${name}${modifierOf(name, modifier)}${signed === '' ? '' : ` ${signed}`}`;
}

function modifierOf(name: string, modifier: string): string {
  // The width of a number says only how wide it is shown; MariaDB shows one that nobody gave.
  if (/^(?:tinyint|smallint|mediumint|int|bigint|year)$/.test(name))
    return name === 'tinyint' && modifier === '(1)' ? modifier : '';
  if (/^(?:datetime|timestamp|time)$/.test(name)) return modifier === '(0)' ? '' : modifier;
  // Its digits only choose between two types (https://dev.mysql.com/doc/refman/8.0/en/floating-point-types.html).
  if (/^(?:float|double)$/.test(name)) return modifier.includes(',') ? modifier : '';
  if (name === 'decimal') return modifier.replace(/^\((\d+)\)$/, '($1,0)') || '(10,0)';
  return modifier || (MODIFIERS.get(name) ?? '');
}
