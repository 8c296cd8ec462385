import type { ColumnKind, Introspection } from '../core/index.js';

const KINDS: Readonly<Record<string, ColumnKind>> = {
  tinyint: 'int',
  smallint: 'int',
  mediumint: 'int',
  int: 'int',
  bigint: 'bigint',
  float: 'float',
  double: 'float',
  decimal: 'decimal',
  varchar: 'string',
  char: 'string',
  enum: 'string',
  tinytext: 'text',
  text: 'text',
  mediumtext: 'text',
  longtext: 'text',
  json: 'json',
  date: 'date',
  datetime: 'date',
  timestamp: 'date',
  binary: 'bytes',
  varbinary: 'bytes',
  tinyblob: 'bytes',
  blob: 'bytes',
  mediumblob: 'bytes',
  longblob: 'bytes',
};

/** Reads the schema of MySQL and MariaDB (https://dev.mysql.com/doc/refman/8.0/en/information-schema.html). */
export const mysqlIntrospection: Introspection = {
  // MariaDB stores JSON as longtext, with a check of the column's name (https://mariadb.com/kb/en/json-data-type/).
  columns: `SELECT c.table_name, c.column_name,
    CASE WHEN c.column_type = 'longtext' AND c.collation_name LIKE '%\\_bin' AND EXISTS (
      SELECT 1 FROM information_schema.check_constraints j WHERE j.constraint_schema = c.table_schema
        AND j.constraint_name = c.column_name AND j.check_clause = CONCAT('json_valid(\`', c.column_name, '\`)')
    ) THEN 'json' ELSE c.column_type END, CASE WHEN c.is_nullable = 'YES' THEN 1 ELSE 0 END, c.column_default,
    CASE WHEN c.extra LIKE '%auto_increment%' THEN 1 ELSE 0 END, COALESCE(k.ordinal_position, 0)
    FROM information_schema.columns c
    JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name AND t.table_type = 'BASE TABLE'
    LEFT JOIN information_schema.key_column_usage k ON k.table_schema = c.table_schema AND k.table_name = c.table_name
      AND k.column_name = c.column_name AND k.constraint_name = 'PRIMARY'
    WHERE c.table_schema = DATABASE() ORDER BY c.table_name, c.ordinal_position`,
  indexes: `SELECT table_name, index_name, CASE WHEN non_unique = 0 THEN 1 ELSE 0 END, column_name
    FROM information_schema.statistics WHERE table_schema = DATABASE() AND index_name <> 'PRIMARY'
    ORDER BY table_name, index_name, seq_in_index`,
  foreignKeys: `SELECT table_name, constraint_name, column_name, referenced_table_name, referenced_column_name
    FROM information_schema.key_column_usage WHERE table_schema = DATABASE() AND referenced_table_name IS NOT NULL
    ORDER BY table_name, constraint_name, ordinal_position`,
  normalizeType(type) {
    const text = type.toLowerCase().replace(/\s*([(),])\s*/g, '$1');
    // MariaDB shows a width that means nothing.
    return text === 'json' ? 'longtext' : text.replace(/^(int|bigint|smallint|mediumint)\(\d+\)/, '$1');
  },
  kindOf: (type) => (/^tinyint\(1\)/i.test(type) ? 'boolean' : KINDS[type.toLowerCase().replace(/[( ].*$/, '')]),
};
