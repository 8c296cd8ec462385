import type { Dialect } from '../dialect/index.js';
import { batchForm } from './sqlite-batch.js';
import { sqliteCodecs, sqliteColumnDecoder } from './sqlite-codecs.js';
import { SqliteCompiler } from './sqlite-compiler.js';
import { sqliteSchema } from './sqlite-schema.js';

/** SQLite (SPEC "ORM values", dialects). */
export const sqlite: Dialect = {
  name: 'sqlite',
  capabilities: {
    dialect: 'SQLite',
    arrayParameters: false,
    // SQLITE_MAX_VARIABLE_NUMBER (https://sqlite.org/limits.html).
    maxParameters: 32_766,
    maxInsertRows: Number.MAX_SAFE_INTEGER,
    returning: 'none',
    writesReturning: 'own',
    batchKeys: 'fromLast',
    nullsSort: 'smallest',
    explain: 'EXPLAIN QUERY PLAN ',
    preferredBatchRows: 100,
  },
  batchForm,
  codecs: sqliteCodecs,
  columnDecoder: sqliteColumnDecoder,
  compiler: new SqliteCompiler(),
  schema: sqliteSchema,
};
