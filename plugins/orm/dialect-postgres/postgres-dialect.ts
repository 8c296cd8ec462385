import type { Dialect } from '../dialect/index.js';
import { arrayForm } from './postgres-arrays.js';
import { postgresCodecs } from './postgres-codecs.js';
import { PostgresCompiler } from './postgres-compiler.js';
import { countBehind } from './postgres-sequences.js';
import { postgresSchema } from './postgres-schema.js';
import { isoInterval } from './postgres-times.js';

const compiler = new PostgresCompiler();

/** PostgreSQL (SPEC "ORM values", dialects). */
export const postgres: Dialect = {
  name: 'postgres',
  telemetry: { system: 'postgresql' },
  capabilities: {
    dialect: 'PostgreSQL',
    arrayParameters: true,
    // A 16-bit count in the Bind message (https://www.postgresql.org/docs/current/protocol-message-formats.html).
    maxParameters: 65_535,
    maxInsertRows: Number.MAX_SAFE_INTEGER,
    returning: 'returning',
    writesReturning: true,
    batchKeys: 'none',
    nullsSort: 'largest',
    explain: 'EXPLAIN ',
    preferredBatchRows: 1000,
  },
  codecs: postgresCodecs,
  isoDuration: isoInterval,
  compiler,
  batchForm: (on, table, columns) => arrayForm(on, compiler.quote(table), columns),
  countBehind: (on, column, key) => countBehind(on, compiler.quote(column.model.table), column.name, key),
  schema: postgresSchema,
};
