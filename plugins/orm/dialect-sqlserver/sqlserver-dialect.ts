import type { Dialect } from '../dialect/index.js';
import { sqlserverCodecs } from './sqlserver-codecs.js';
import { SqlServerCompiler } from './sqlserver-compiler.js';
import { sqlserverSchema } from './sqlserver-schema.js';

/** SQL Server (SPEC "ORM values", dialects). */
export const sqlserver: Dialect = {
  name: 'sqlserver',
  telemetry: { system: 'microsoft.sql_server' },
  capabilities: {
    dialect: 'SQL Server',
    arrayParameters: false,
    // 2100 (https://learn.microsoft.com/sql/sql-server/maximum-capacity-specifications-for-sql-server), less the two that the
    // call sp_executesql takes itself.
    maxParameters: 2098,
    // Row constructors of one VALUES (https://learn.microsoft.com/sql/t-sql/queries/table-value-constructor-transact-sql).
    maxInsertRows: 1000,
    returning: 'output',
    writesReturning: true,
    batchKeys: 'none',
    nullsSort: 'smallest',
    explain: undefined,
    preferredBatchRows: 1000,
  },
  codecs: sqlserverCodecs,
  compiler: new SqlServerCompiler(),
  schema: sqlserverSchema,
};
