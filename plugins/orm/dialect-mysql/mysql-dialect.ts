import type { Dialect } from '../dialect/index.js';
import { mysqlCodecs } from './mysql-codecs.js';
import { MysqlCompiler } from './mysql-compiler.js';
import { mysqlSchema } from './mysql-schema.js';

/** MySQL and MariaDB (SPEC "ORM values", dialects). */
export const mysql: Dialect = {
  name: 'mysql',
  telemetry: { doubleQuotedTexts: true },
  capabilities: {
    dialect: 'MySQL',
    arrayParameters: false,
    // A 16-bit count in COM_STMT_PREPARE_OK (https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_stmt_prepare.html).
    maxParameters: 65_535,
    maxInsertRows: Number.MAX_SAFE_INTEGER,
    returning: 'none',
    // The first key of a multi-row INSERT is reported; with the default lock mode the others follow it
    // (https://dev.mysql.com/doc/refman/8.0/en/innodb-auto-increment-handling.html, "simple inserts").
    batchKeys: 'fromFirst',
    nullsSort: 'smallest',
    explain: 'EXPLAIN ',
    preferredBatchRows: 1000,
  },
  codecs: mysqlCodecs,
  toldOfDates: true,
  compiler: new MysqlCompiler(),
  // Servers of a cluster count in steps, so that none takes a key of another
  // (https://mariadb.com/kb/en/auto_increment/, https://dev.mysql.com/doc/refman/8.0/en/replication-options-source.html).
  async batchKeyStep(on) {
    const [step] = (await on.queryFirst('SELECT @@auto_increment_increment', [])) ?? [];
    return Number(step);
  },
  // Without NO_AUTO_VALUE_ON_ZERO (https://dev.mysql.com/doc/refman/8.0/en/sql-mode.html).
  zeroIsNext: true,
  schema: mysqlSchema,
};
