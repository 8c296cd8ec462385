import { describeWith } from '../../../kernel/testing/required-service.js';
import { runCells } from '../contract/index.js';
import { schemaRoundtripContract } from '../contract/schema-roundtrip.contract.js';
import { MYSQL, mysqlDatabase, testedMysql } from './testing/mysql-server.js';
import { mysql } from './index.js';
import { MYSQL_PAIRS } from './testing/schema-pairs.js';

// https://dev.mysql.com/doc/refman/8.0/en/other-vendor-data-types.html
const SPELLINGS: readonly (readonly [string, readonly string[]])[] = [
  ['tinyint', ['tinyint', 'tinyint(4)', 'int1']],
  ['tinyint(1)', ['tinyint(1)', 'bool', 'boolean']],
  ['smallint', ['smallint', 'int2', 'smallint(6)']],
  ['int', ['int', 'integer', 'int(11)', 'integer(11)', 'int4', 'INT']],
  ['int unsigned', ['int unsigned', 'INT(10) UNSIGNED', 'integer unsigned']],
  ['bigint', ['bigint', 'int8', 'bigint(20)']],
  ['float', ['float', 'float4', 'float(10)']],
  ['double', ['double', 'double precision', 'real', 'float8', 'float(53)']],
  ['decimal(12,4)', ['decimal(12,4)', 'decimal(12, 4)', 'numeric(12,4)', 'dec (12 , 4)', 'fixed(12,4)']],
  ['decimal', ['decimal', 'decimal(10)', 'numeric(10,0)', 'dec']],
  ['varchar(20)', ['varchar(20)', 'character varying(20)', 'char varying(20)', 'VARCHAR (20)']],
  ['char', ['char', 'char(1)', 'character']],
  ['binary', ['binary', 'binary(1)']],
  ['timestamp', ['timestamp', 'timestamp(0)']],
  ['datetime(3)', ['datetime(3)', 'DATETIME (3)']],
  ["enum('A','b c')", ["enum('A','b c')", "ENUM('A', 'b c')"]],
  [
    'varchar(9) COLLATE utf8mb4_bin',
    ['varchar(9)', 'varchar(9) COLLATE utf8mb4_bin', 'varchar(9) character set utf8mb4'],
  ],
  ['varchar(9) CHARACTER SET latin1', ['varchar(9)', 'varchar(9) CHARACTER SET latin1', 'varchar(9) charset latin1']],
];

describeWith(MYSQL, 'MySQL', (url) => {
  runCells(testedMysql(url), ['enums', 'schemas', 'views']);
  schemaRoundtripContract({
    name: 'MySQL',
    dialect: mysql,
    spellings: SPELLINGS,
    traits: [
      'numbers in wider keys',
      'checks of new rows',
      'foreign keys later',
      'enums',
      'virtual columns',
      'stored columns',
    ],
    pairs: MYSQL_PAIRS,
    create: () => mysqlDatabase(url),
  });
});
