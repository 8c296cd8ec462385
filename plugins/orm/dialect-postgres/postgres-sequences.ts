import type { SqlConnection } from '../dialect/index.js';

/** Moves the sequence of a column behind a key, unless it is already (https://www.postgresql.org/docs/current/functions-sequence.html). */
export async function countBehind(on: SqlConnection, table: string, column: string, key: bigint): Promise<void> {
  await on.query(MOVE, [table, column, String(key)]);
}

// A column without a sequence has nothing to move, and none begins below its least number.
const MOVE = `SELECT setval(own.name, $3::bigint)
  FROM (SELECT pg_get_serial_sequence($1, $2)::regclass AS name) AS own
  JOIN pg_sequence AS kept ON kept.seqrelid = own.name
  WHERE $3::bigint >= kept.seqmin AND $3::bigint > COALESCE(pg_sequence_last_value(own.name), kept.seqmin - 1)`;
