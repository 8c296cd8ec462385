import type { NativeType } from '../dialect/index.js';

const MARIADB = ['MariaDB'];
const NO_JSON = 'refused: no comparison means the same everywhere';

/**
 * The types of MySQL and MariaDB (https://dev.mysql.com/doc/refman/8.0/en/data-types.html,
 * https://mariadb.com/kb/en/data-types/). Times come as the server writes them, geometries as its own bytes.
 */
export const mysqlNativeTypes: readonly NativeType[] = [
  { type: 'tinyint(1)', kind: 'boolean', values: ['0', '1'] },
  { type: 'tinyint', kind: 'int', values: ['-128', '7'] },
  { type: 'smallint', kind: 'int', values: ['-32768'] },
  { type: 'mediumint', kind: 'int', values: ['-8388608'] },
  { type: 'int', kind: 'int', declared: 'int unsigned', values: ['4294967295'] },
  { type: 'bigint', kind: 'bigint', declared: 'bigint unsigned', values: ['18446744073709551615'] },
  { type: 'float', kind: 'float', values: ['0.1', '-1.5e10'] },
  { type: 'double', kind: 'float', values: ['0.1', '-1.5e-300'] },
  {
    type: 'decimal',
    kind: 'decimal',
    declared: 'decimal(38,10)',
    values: ['-1234567890123456789012345678.1234567890'],
  },
  { type: 'bit', kind: 'bytes', declared: 'bit(12)', values: ["b'101'", "b'111111111111'"] },
  { type: 'year', kind: 'int', values: ['1901', '0'] },
  { type: 'date', kind: 'plainDate', values: ['2024-02-29', '9999-12-31', '0000-00-00', '2024-00-00'] },
  { type: 'time', kind: 'plainTime', declared: 'time(6)', values: ['07:08:09.000001', '-838:59:59'] },
  { type: 'datetime', kind: 'date', declared: 'datetime(3)', values: ['2024-05-06 07:08:09.012', '1000-01-01'] },
  { type: 'timestamp', kind: 'date', declared: 'timestamp(3)', values: ['2024-05-06 07:08:09.012'] },
  { type: 'char', kind: 'string', declared: 'char(3)', values: ['a'] },
  { type: 'varchar', kind: 'string', declared: 'varchar(40)', values: ['', "it's 😀"] },
  { type: 'tinytext', kind: 'text', values: ['a'] },
  { type: 'text', kind: 'text', values: ['a'] },
  { type: 'mediumtext', kind: 'text', values: ['a'] },
  { type: 'longtext', kind: 'text', values: ['a'] },
  { type: 'binary', kind: 'bytes', declared: 'binary(3)', values: ["x'00ff01'"] },
  { type: 'varbinary', kind: 'bytes', declared: 'varbinary(4)', values: ["x'00ff'"] },
  { type: 'tinyblob', kind: 'bytes', values: ["x'00ff'"] },
  { type: 'blob', kind: 'bytes', values: ["x'00ff'"] },
  { type: 'mediumblob', kind: 'bytes', values: ["x'00ff'"] },
  { type: 'longblob', kind: 'bytes', values: ["x'00ff'"] },
  { type: 'enum', kind: 'string', declared: "enum('so, so','it''s')", values: ["it's"] },
  { type: 'set', kind: 'string', declared: "set('a','b')", values: ['', 'a,b'] },
  { type: 'json', kind: 'json', values: ['{"a":[1,null]}'], compared: NO_JSON },
  { type: 'inet4', kind: 'string', values: ['10.1.2.3'], of: MARIADB },
  { type: 'inet6', kind: 'string', values: ['::1'], of: MARIADB },
  { type: 'uuid', kind: 'uuid', values: ['11111111-2222-4333-8444-555555555555'], of: MARIADB },
  { type: 'geometry', kind: 'bytes', values: ["ST_GeomFromText('POINT(1 2)', 4326)"] },
  { type: 'point', kind: 'bytes', values: ["ST_GeomFromText('POINT(1.5 -2)')"] },
  { type: 'linestring', kind: 'bytes', values: ["ST_GeomFromText('LINESTRING(0 0, 1 1)')"] },
  { type: 'polygon', kind: 'bytes', values: ["ST_GeomFromText('POLYGON((0 0, 1 1, 1 0, 0 0))')"] },
  { type: 'multipoint', kind: 'bytes', values: ["ST_GeomFromText('MULTIPOINT(0 0, 1 1)')"] },
  { type: 'multilinestring', kind: 'bytes', values: ["ST_GeomFromText('MULTILINESTRING((0 0, 1 1))')"] },
  { type: 'multipolygon', kind: 'bytes', values: ["ST_GeomFromText('MULTIPOLYGON(((0 0, 1 1, 1 0, 0 0)))')"] },
  { type: 'geometrycollection', kind: 'bytes', values: ["ST_GeomFromText('GEOMETRYCOLLECTION(POINT(0 0))')"] },
  { type: 'geomcollection', kind: 'bytes', values: [], of: ['MySQL 8'] },
];
